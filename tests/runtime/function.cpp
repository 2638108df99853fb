#include <tg/runtime/function.hpp>

#include <tg/runtime/stream_work.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

TEST_CASE("a kernel without a declaration is launched with plain arguments") {
  tg::device gpu("emulator");
  const tg::module m(gpu, hand_written::source_of(saxpy{}).ptx);
  const tg::function f = m.function("saxpy");
  CHECK(f.name() == "saxpy");
  CHECK(f.registers() > 0);
  CHECK(f.max_threads() == 256);
  CHECK(f.attribute(tg::driver::function_attribute::ptx_version) == 70);
  const auto x = gpu.upload(std::vector<float>(600, 1.0f));
  auto y = gpu.zeros<float>(600);
  f.launch(tg::cover(600), {256, 1, 1}, x, y, 2.0f, 600u);
  CHECK(y.to_host()[599] == 2.0f);
  tg::stream_view work(gpu, nullptr);
  f.launch_on(work.native(), tg::grid(1), {256, 1, 1}, x.part(0, 10), y.part(0, 10), 1.0f, 10u);
  CHECK(y.to_host()[9] == 3.0f);
  CHECK(y.to_host()[10] == 2.0f);
}

TEST_CASE("what a launch asks for is checked: TG521, TG522, TG524") {
  auto api = hand_written::emulator_table();
  tg::device gpu("emulator"), other(tg::runtime::machine{&api});
  const tg::function f = tg::module(gpu, hand_written::source_of(saxpy{}).ptx).function("saxpy");
  auto x = gpu.zeros<float>(8), far = other.zeros<float>(8);
  CHECK(error_of([&] { f.launch(tg::grid(0), {256, 1, 1}, x, x, 1.0f, 8u); }).number == 521);
  CHECK(error_of([&] { f.launch(tg::grid(1), {512, 1, 1}, x, x, 1.0f, 8u); }).number == 522);
  CHECK(error_of([&] { f.launch(tg::grid(1), {0, 1, 1}, x, x, 1.0f, 8u); }).number == 522);
  CHECK(error_of([&] { f.launch(tg::grid(1), {256, 1, 1}, x, far, 1.0f, 8u); }).number == 524);
}

TEST_CASE("shared memory beyond 48 KB is allowed, as far as a block can have it: TG543") {
  tg::device gpu("emulator");
  tg::function f = tg::module(gpu, hand_written::source_of(saxpy{}).ptx).function("saxpy");
  f.allow_shared_bytes(100 << 10);
  CHECK(f.attribute(tg::driver::function_attribute::max_dynamic_shared_size_bytes) == 100 << 10);
  const auto much = error_of([&] { f.allow_shared_bytes(gpu.limits().shared_bytes_opt_in + 1); });
  CHECK(much.number == 543);
  CHECK(much.says("at most 232448"));
  CHECK(error_of([&] { f.allow_shared_bytes(SIZE_MAX); }).number == 543);
  f.prefer_shared_memory(100);
  CHECK(error_of([&] { f.prefer_shared_memory(101); }).number == 543);
  CHECK(error_of([&] { f.prefer_shared_memory(-1); }).number == 543);
}

TEST_CASE("how many blocks run together") {
  tg::device gpu("emulator");
  tg::function f = tg::module(gpu, hand_written::source_of(saxpy{}).ptx).function("saxpy");
  CHECK(f.resident_blocks(256) == 8);
  CHECK(f.resident_blocks(256, 100 << 10) == 0);  // not allowed yet
  f.allow_shared_bytes(100 << 10);
  CHECK(f.resident_blocks(256, 100 << 10) == 2);
  CHECK(f.best_block_threads() == 256);
}

TEST_CASE("parameters stand where their types want to be") {
  struct pair_of_floats { float a, b; };
  const tg::runtime::parameter_buffer packed(std::uint64_t{1}, char{2}, 3.0, short{4}, pair_of_floats{5, 6});
  CHECK(packed.size() == 8 + 8 + 8 + 4 + 8);
  const auto* bytes = static_cast<const std::byte*>(packed.data());
  double d = 0;
  std::memcpy(&d, bytes + 16, sizeof d);
  CHECK(d == 3.0);
  float b = 0;
  std::memcpy(&b, bytes + 32, sizeof b);
  CHECK(b == 6.0f);
  CHECK(tg::runtime::parameter_buffer<>().size() == 0);
}

TEST_CASE("a launch is forgotten with the name of its function") {
  auto api = hand_written::gpu_table();
  tg::device gpu(tg::runtime::machine{&api});
  {
    const tg::function f =
        tg::module(gpu, std::string(".version 7.0\n.target sm_70\n.address_size 64\n") + hand_written::empty_entry)
            .function("any");
    f.launch(tg::grid(1), {1, 1, 1});
  }
  api.cuCtxSynchronize = [] { return tg::driver::result::illegal_address; };
  CHECK(error_of([&] { gpu.synchronize(); }).says("no kernel was launched here"));
}
