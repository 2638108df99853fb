// What people get wrong with drivers, modules, packages and tensor maps, each with the error that tells them.
#include <tg/runtime/launch.hpp>

#include <exception>
#include <string>
#include <vector>

#include <tg/dsl/bulk/tensor_copy.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/function.hpp>
#include <tg/runtime/load_module.hpp>
#include <tg/runtime/module.hpp>
#include <tg/runtime/package.hpp>
#include <tg/runtime/package.inl>
#include <tg/runtime/peer.hpp>
#include <tg/runtime/pinned.hpp>
#include <tg/runtime/tensor_map.hpp>

#include <tg/emulator/launch/launch_shape.hpp>

#include "child.hpp"
#include "misuse.hpp"

namespace {

using namespace wrong_use;

using map = tg::in_map<float, tg::shape<8, 32>>;

const std::string module_text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .b8 odd[7];\n"
                                ".visible .entry k() { ret; }\n";

constexpr auto add = tg::kernel<"add">(tg::block<64>, [](auto block, tg::inout<float> y) { y(block.thread.x) += 1.0f; });

/// What a program that lacks the C++ of `add` takes it for.
struct as_sub {
  static constexpr std::string_view name = "sub";
  static constexpr tg::block_t<64> block{};
  using parameters = tg::parameter_list<tg::inout<float>>;
};

/// The emulator looks for races while it lives.
struct checked_races {
  checked_races() { tg::emulator::set_launch_options({.check = {.race = true}}); }
  ~checked_races() { tg::emulator::set_launch_options(before); }
  tg::emulator::options before = tg::emulator::launch_options();
};

std::vector<misuse> texts(world& w) {
  return {
      {"empty PTX", 551, "TG551: the PTX of 'k' is empty; PTX is ASCII text",
       [&] { tg::runtime::load_module(*w.gpu.context(), "k", {"", {7, 0}, 70}); }},
      {"PTX with an accent", 551, "the byte 0xc3 in line 4", [&] { w.text("// caf\xc3\xa9\n" + text_kernel{}.text); }},
      {"text that is no PTX", 505,
       "TG505: loading the PTX of 'k': TG300: '.version' expected, column 1 of 'int main() {}'; a PTX text begins "
       "with it (ptx:1): CUDA_ERROR_INVALID_PTX, the PTX does not compile; read the log in the message",
       [&] { tg::runtime::load_module(*w.gpu.context(), "k", {"int main() {}", {7, 0}, 70}); }},
      {"a missing semicolon", 505, "an operand expected", [&] { w.text(".visible .entry shaped() { ret }\n"); }},
      {"an unknown instruction", 505, "frobnicate", [&] { w.text(".visible .entry shaped() { frobnicate.u32 %r1; ret; }\n"); }},
      {"a register that is not declared", 505, "register '%r1' is not declared",
       [&] { w.text(".visible .entry shaped() { mov.u32 %r1, 0; ret; }\n"); }},
      {"types that do not go together", 505, "should be a .f32 register, not .b64",
       [&] { w.text(".visible .entry shaped() { .reg .f32 %f; .reg .b64 %d; add.f32 %f, %d, %d; ret; }\n"); }},
      {"another kernel's name", 507, "shaped", [&] { w.text(".visible .entry other() { ret; }\n"); }},
      {"a kernel for a newer device", 506, "TG506: kernel 'shaped' needs sm_90, 'tg emulator' is sm_80: mov.u32",
       [&] {
         const char* text = ".visible .entry shaped() { .reg .b32 %r; mov.u32 %r, %cluster_ctarank; ret; }\n";
         w.old.launch(text_kernel{text, {8, 0}, 90}, tg::grid(1));
       }},
      {"a kernel in newer PTX", 506, "PTX 99.0", [&] { w.text(text_kernel{}.text + "// newest\n", {99, 0}, 70); }},
      {"an optimisation level of 5", 550,
       "TG550: load options: optimization_level is 5, the driver's compiler has 0 to 4; see tg::load_options",
       [&] { w.load({.optimization_level = 5}); }},
      {"a negative register cap", 550, "-1", [&] { w.load({.max_registers = -1}); }},
  };
}

std::vector<misuse> devices(world& w, tg::buffer<float>& x) {
  return {
      {"a launch that the device has no room for", 509,
       "TG509: launch of 'shaped' with 1 x 1 x 1 blocks of 32 x 1 x 1 threads: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "
       "the block needs more registers, threads or shared memory than there are; use a smaller block",
       [] {
         auto api = hand_written::gpu_table();
         api.cuLaunchKernel = [](auto...) { return result::launch_out_of_resources; };
         tg::device gpu(tg::runtime::machine{&api});
         gpu.launch(text_kernel{}, tg::grid(1));
       }},
      {"a launch after a kernel that failed", 508,
       "TG508: launch of 'shaped' with 1 x 1 x 1 blocks of 32 x 1 x 1 threads: CUDA_ERROR_ILLEGAL_ADDRESS, a kernel "
       "used an address outside its memory; most likely the fault of 'shaped', the last of 1 launches here since the "
       "last synchronisation; run it with TG_DEVICE=emulator, which names the line and the thread",
       [] {
         static int launches;
         launches = 0;
         auto api = hand_written::gpu_table();
         api.cuLaunchKernel = [](auto...) { return launches++ == 0 ? result::success : result::illegal_address; };
         tg::device gpu(tg::runtime::machine{&api});
         gpu.launch(text_kernel{}, tg::grid(1));  // reads an illegal address while it runs
         gpu.launch(text_kernel{}, tg::grid(1));
       }},
      {"a driver without clusters", 502,
       "TG502: cuLaunchKernelEx: this driver does not have it; it came with CUDA 11.6, the driver is of CUDA 13.0; "
       "update the driver",
       [] {
         auto api = hand_written::gpu_table();
         api.cuLaunchKernelEx = nullptr;
         tg::device gpu(tg::runtime::machine{&api});
         gpu.launch(text_kernel{}, tg::grid(2).cluster(2));
       }},
      {"host memory that is registered already", 540,
       "TG540: 1000 elements of host memory are registered already or cannot be; register each range once",
       [&] {
         std::vector<int> own(1000);
         const tg::registered<int> once(w.gpu, own), twice(w.gpu, own);
       }},
      {"a variable of another size", 542, "TG542: the variable 'odd' has 7 bytes, no multiple of 4; compare the declarations",
       [&] { tg::module(w.gpu, module_text).variable<int>("odd"); }},
      {"more shared memory than a block has", 543,
       "TG543: 'k' has 0 bytes of shared memory and is to be allowed 1048576 more; a block has at most 232448; ask "
       "limits() for the most",
       [&] { tg::module(w.gpu, module_text).function("k").allow_shared_bytes(1 << 20); }},
      {"access of a device to its own memory as a peer", 539,
       "TG539: kernels of 'tg emulator' cannot use memory of 'tg emulator'; a device needs no permission for its own",
       [&] { tg::peer_access(w.gpu, w.gpu); }},
      {"a stream that something else synchronised in a capture", 511,
       "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, an earlier error made the capture invalid",
       [&] {
         auto capturing = tg::stream(w.gpu).capture();
         w.gpu.context()->api().cuStreamSynchronize(capturing.native());  // past tg
         capturing.zero(w.y);
       }},
      {"a package that is not there", 552, "TG552: 'no/such/package' cannot be read: No such file or directory; check the path",
       [] { tg::load_package("no/such/package"); }},
      {"a file that is no package", 553,
       "TG553: this is no kernel that tg exported, or it is damaged: it begins otherwise; export the kernel again",
       [] { tg::load_package("README.md"); }},
      {"a package of another kernel", 554,
       "TG554: the packaged kernel has the name 'add', asked for is 'sub'; export it again, or correct the declaration",
       [] { tg::packaged_kernel<as_sub>(tg::package_of(add)); }},
      {"a part that begins between multiples of 16 bytes", 575,
       "which is no multiple of 16; begin at a multiple of 16 bytes; buffers do",
       [&] { (void)tg::encode_map<map>(tg::matrix(x.part(1, 400), 10, 40)); }},
      {"rows whose stride is no multiple of 16 bytes", 576,
       "TG576: a tensor map of an array that has a stride of 164 bytes in dimension 0: 41 elements; make it a "
       "multiple of 16 bytes, which is 4 elements, below 2^40: pad the rows",
       [&] { (void)tg::encode_map<map>(tg::matrix(x, 10, 41)); }},
      {"a map of no rows", 577,
       "TG577: a tensor map of an array that has 0 elements in dimension 0; give each dimension 1 to 2^32 elements",
       [&] { (void)tg::encode_map<map>(tg::matrix(x, 0, 40)); }},
  };
}

std::vector<misuse> processes(world& w) {
  return {
      {"a call of the driver in a function that the driver calls", 545, "cuMemsetD8 in a function that the driver calls",
       [&] {
         std::exception_ptr wrong;
         tg::stream_view work(w.gpu, nullptr);
         work.call([&] {
           try {
             w.y.zero();
           } catch (...) { wrong = std::current_exception(); }
         });
         work.synchronize();
         std::rethrow_exception(wrong);
       }},
      {"a device in a child of fork", 547, "TG547: cuMemAlloc in a process that was forked after the driver was started",
       [] {
         static auto api = hand_written::gpu_table();
         tg::device gpu(tg::runtime::machine{&api});
         run_in_child([&] { (void)gpu.zeros<int>(4); });
       }},
      {"memory of another device without access to it", 411, "is in memory that is not mapped for device 0",
       [&] {
         const hand_written::two_devices shown;
         tg::device other("emulator:1");
         const auto far = other.zeros<float>(64);
         const auto here = w.gpu.view(reinterpret_cast<float*>(far.native()), 64);
         w.gpu.launch(saxpy{}, tg::cover(64), here, w.y, 1.0f, 64);
         w.gpu.synchronize();
       }},
      {"two streams that use one buffer and do not wait for each other", 429, "is not ordered: 256 bytes from there on are",
       [&] {
         const checked_races checked;  // as with TG_EMULATOR_CHECK=race
         auto first = tg::stream(w.gpu, {.is_non_blocking = true}).begin();
         auto second = tg::stream(w.gpu, {.is_non_blocking = true}).begin();
         first.fill(w.x, 2.0f);
         second.launch(saxpy{}, tg::cover(64), w.x, w.y, 1.0f, 64);
         w.gpu.synchronize();
       }},
      {"an overlapping launch of a kernel that never waits", 578, "TG578: launch of 'saxpy': the kernel never waits",
       [&] { w.launch(tg::cover(64).overlapping()); }},
  };
}

/// It ends what the process has on the device: nothing else is alive.
std::vector<misuse> resets() {
  return {
      {"a buffer that was made before a reset", 546,
       "TG546: cuMemcpyDtoH with an object that was made before 'tg emulator' was reset",
       [] {
         static auto api = hand_written::gpu_table();
         tg::device gpu(tg::runtime::machine{&api, 0, true});
         const auto x = gpu.zeros<float>(8);
         gpu.reset();
         (void)x.to_host();
       }},
  };
}

}  // namespace

TEST_CASE("what is done wrong with drivers, files and maps is a clear error, and the device goes on") {
  world w;
  auto x = w.gpu.zeros<float>(4096);
  check_misuses(devices(w, x), [&] { return w.works(); });
  check_misuses(texts(w), [&] { return w.works(); });
  check_misuses(processes(w), [&] { return w.works(); });
}

TEST_CASE("what a reset has ended says so, and the device goes on") {
  check_misuses(resets(), [] { return world().works(); });
}
