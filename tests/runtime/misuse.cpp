// What people get wrong, each with the error that tells them; after each the device works.
#include <tg/runtime/launch.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tg/driver/libcuda.hpp>
#include <tg/dsl.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/event.hpp>
#include <tg/runtime/executable_graph.hpp>
#include <tg/runtime/load_module.hpp>
#include <tg/runtime/machine.hpp>
#include <tg/runtime/managed.hpp>
#include <tg/runtime/pinned.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/prepared.hpp>

#include "hand_written.hpp"
#include "misuse.hpp"

using hand_written::number_rows;

namespace {

using namespace wrong_use;

std::vector<misuse> machines() {
  const auto choose_machine = [](const char* wish, const tg::driver::library& gpus) {
    (void)tg::runtime::choose_machine(wish, gpus, nullptr);
  };
  return {
      {"a device that nobody makes", 520,
       "TG520: the device 'cuda' is not understood; write emulator, gpu or gpu:1; TG_DEVICE or the constructor of "
       "tg::device says which",
       [] { tg::device("cuda"); }},
      {"a device in capitals", 520, "'Emulator' is not understood", [] { tg::device("Emulator"); }},
      {"a device without its number", 520, "'gpu:' is not understood", [] { tg::device("gpu:"); }},
      {"a negative device", 520, "'gpu:-1' is not understood", [] { tg::device("gpu:-1"); }},
      {"a number with more behind it", 520, "'gpu:0x' is not understood", [] { tg::device("gpu:0x"); }},
      {"a GPU where there is none", 501,
       "TG501: no GPU can be used: libcuda.so.1 is not there; install the driver, or run with TG_DEVICE=emulator",
       [=] { choose_machine("gpu", no_gpu()); }},
      {"a program without GPU and emulator", 574,
       "TG574: no GPU can be used (libcuda.so.1 is not there), and this program has no emulator; add #include "
       "<tg/library.hpp> to one source file, or link tg::tg with CMake",
       [=] { choose_machine("", no_gpu()); }},
      {"the second of one GPU", 503,
       "TG503: there is no GPU 1; the driver sees 1; ask for one that nvidia-smi lists, or for the emulator",
       [=] { choose_machine("gpu:1", one_gpu()); }},
  };
}

std::vector<misuse> memory(world& w) {
  static constexpr auto most = ~std::size_t{0};
  return {
      {"a size computed from -1", 529, "more than any memory has", [&] { w.gpu.allocate<float>(most); }},
      {"bytes that overflow", 529, "8 bytes", [&] { w.gpu.allocate<double>(std::size_t{1} << 61); }},
      {"more than the device has", 504, "CUDA_ERROR_OUT_OF_MEMORY", [&] { w.gpu.allocate<char>(std::size_t{1} << 40); }},
      {"an upload of too much", 528,
       "TG528: copy to a buffer of 100 elements from element 0 on; the buffer has 64; copy fewer elements, or make "
       "the buffer larger",
       [&] { w.x.copy_from(w.host); }},
      {"an upload behind the end", 528, "from element 65 on", [&] { w.x.copy_from(std::span(w.host).first(1), 65); }},
      {"an upload whose end overflows", 528, "the buffer has 64", [&] { w.x.copy_from(std::span(w.host).first(2), most); }},
      {"a download of too much", 528, "copy from a buffer", [&] { w.x.copy_to(w.host); }},
      {"a part behind the end", 528, "part of 33 elements from element 32", [&] { w.x.part(32, 33); }},
      {"a part whose end overflows", 528, "part of", [&] { w.x.part(2, most); }},
      {"a copy between two drivers", 524,
       "TG524: copy between buffers of 'tg emulator' and 'tg emulator' of another driver; copy through the host",
       [&] { w.x.copy_from(w.far); }},
      {"more rows than fit", 530,
       "TG530: a matrix of 9 rows and 8 columns with a leading dimension of 8 in a buffer of 64 elements; a stride is "
       "at least the elements of what it steps over, and the last element is inside the buffer",
       [&] { tg::matrix(w.x, 9, 8); }},
      {"rows that overlap", 530, "a leading dimension of 7", [&] { tg::matrix(w.x, 2, 8, 7); }},
      {"rows times columns that overflow", 530, "rows and", [&] { tg::matrix(w.x, std::size_t{1} << 63, 2); }},
      {"pinned memory beyond all memory", 529, "more than any memory has", [&] { tg::pinned<int>(w.gpu, most); }},
      {"managed memory beyond all memory", 529, "more than any memory has", [&] { tg::managed<int>(w.gpu, most); }},
      {"managed memory where there is none", 541, "TG541: 'tg emulator' has no managed memory; use a buffer and copy",
       [&] { tg::managed<int>(w.old, 4); }},
      {"a block of a pool beyond all memory", 529, "more than any memory has", [&] { tg::pool(w.gpu).allocate<int>(most); }},
      {"a pool beyond its limit", 565, "a pool has no 3145728 bytes",
       [&] { tg::pool(w.gpu, {.most_bytes = 2 * mib}).allocate<char>(3 * mib); }},
      {"a pool beyond the device", 565, "are in use", [&] { tg::pool(w.gpu).allocate<char>(std::size_t{1} << 40); }},
      {"a copy behind the end of a pool's block", 528, "copy to a pool's memory",
       [&] { tg::pool(w.gpu).allocate<float>(64).copy_from(w.host); }},
      {"an address freed twice", 500, "cuMemFree(address = 0x",
       [&] {
         tg::driver::device_address a = 0;
         auto& c = *w.gpu.context();
         c.call(c.api().cuMemAlloc, &a, std::size_t{64});
         c.call(c.api().cuMemFree, a);
         c.call(c.api().cuMemFree, a);
       }},
  };
}

std::vector<misuse> grids(world& w) {
  return {
      {"no elements", 521,
       "TG521: launch: 0 elements along x in blocks of 256; the grid has 1 to 2147483647 blocks there; launch at "
       "least one element; put the longest extent into x",
       [&] { w.launch(tg::cover(0)); }},
      {"a negative size", 521, "-64 elements along x", [&] { w.launch(tg::cover(-64)); }},
      {"a picture without rows", 521, "0 elements along y", [&] { w.launch(tg::cover(64, 0)); }},
      {"no blocks", 521, "0 blocks along x", [&] { w.launch(tg::grid(0)); }},
      {"2^31 blocks", 521, "2147483648 blocks along x", [&] { w.launch(tg::grid(std::uint32_t{1} << 31)); }},
      {"65536 blocks along y", 521, "the grid has 1 to 65535", [&] { w.launch(tg::grid(1, 65536)); }},
      {"65536 blocks along z", 521, "along z", [&] { w.launch(tg::grid(1, 1, 65536)); }},
      {"elements for more than 2^31 blocks", 521, "in blocks of 256", [&] { w.launch(tg::cover(std::int64_t{1} << 40)); }},
      {"a 64-bit size from -1", 521, "elements along x", [&] { w.launch(tg::cover(~std::uint64_t{0})); }},
      {"a prepared launch of nothing", 521, "0 elements", [&] { tg::prepared(w.gpu, saxpy{}, tg::cover(0)); }},
      {"1025 threads", 522,
       "TG522: kernel 'shaped' has blocks of 1025 x 1 x 1 threads; the device has 1 to 1024 along x; use a smaller block",
       [&] { w.block<tg::block_t<1025>>(); }},
      {"65 threads along z", 522, "1 to 64 along z", [&] { w.block<tg::block_t<1, 1, 65>>(); }},
      {"no threads", 522, "blocks of 0 x 1 x 1", [&] { w.block<tg::block_t<0>>(); }},
      {"64 x 32 threads", 522, "at most 1024 in a block", [&] { w.block<tg::block_t<64, 32>>(); }},
      {"threads whose product overflows 32 bits", 522, "1 to 1024 along x", [&] { w.block<tg::block_t<65536, 65536>>(); }},
      {"more threads than the kernel was compiled for", 522, "it runs with at most 16",
       [&] { w.text(".visible .entry shaped() .maxntid 16, 1, 1 { ret; }\n"); }},
      {"no room for the shared memory", 567,
       "TG567: launch of 'saxpy': the kernel has 0 bytes of shared memory of its own and is to get 1048576 more; a "
       "block has at most 232448; use smaller tiles, or fewer of them",
       [&] { w.launch(tg::cover(64).shared(mib)); }},
      {"shared memory beyond 32 bits", 567, "4294967360 more", [&] { w.launch(tg::cover(64).shared((1ull << 32) + 64)); }},
      {"more waiting blocks than run", 568,
       "TG568: launch of 'saxpy': 1048576 blocks wait for each other; at most 16 run at once: 2 multiprocessors take "
       "8 each, by 256 threads; launch that many, and loop over the elements",
       [&] { w.launch(tg::grid(1 << 20).cooperative()); }},
      {"a grid that clusters do not fill", 569,
       "TG569: launch of 'saxpy': clusters of 2 x 1 x 1 blocks do not fill 3 blocks along x; round the grid up to "
       "whole clusters",
       [&] { w.launch(tg::grid(3).cluster(2)); }},
      {"a cluster without blocks along y", 569, "1 along an axis", [&] { w.launch(tg::grid(4).cluster(2, 0, 1)); }},
      {"a cluster of 32 blocks", 569, "at most 16", [&] { w.launch(tg::grid(32).cluster(32)); }},
      {"clusters on an old device", 570,
       "TG570: launch of 'shaped': blocks form clusters from sm_90 on; 'tg emulator' is sm_80; launch without the "
       "option on this device",
       [&] { w.old.launch(text_kernel{}, tg::grid(2).cluster(2)); }},
      {"waiting blocks on an old device", 570, "wait for each other",
       [&] { w.old.launch(text_kernel{}, tg::grid(2).cooperative()); }},
      {"overlap on an old device", 570, "overlaps", [&] { w.old.launch(text_kernel{}, tg::grid(2).overlapping()); }},
      {"an unknown priority", 571, "TG571: launch of 'saxpy': a priority of 99; use 0, the least urgent, to -5",
       [&] { w.launch(tg::grid(1).priority(99)); }},
      {"a carve-out of more than all", 571, "200 percent", [&] { w.launch(tg::grid(1).carve_out(200)); }},
  };
}

std::vector<misuse> arguments(world& w) {
  using multiple = shaped<line, tg::scalar<unsigned, tg::multiple_of<16>>>;
  return {
      {"an empty buffer", 523, "TG523: launch of 'saxpy': argument 2 is an empty buffer; give it a buffer with elements",
       [&] { w.give(w.x, w.none, 1.0f, 64); }},
      {"a buffer that was moved from", 523, "argument 1 is an empty buffer",
       [&] {
         auto from = w.gpu.zeros<float>(64);
         const auto to = std::move(from);
         w.give(from, w.y, 1.0f, 64);
       }},
      {"an empty block of a pool", 523, "argument 2",
       [&] { w.give(w.x, tg::pool(w.gpu).allocate<float>(0).whole(), 1.0f, 64); }},
      {"a buffer of another device", 524, "the launch is on 'tg emulator'", [&] { w.give(w.far, w.y, 1.0f, 64); }},
      {"a part at an odd element", 525, "a multiple of 16 bytes", [&] { w.give(w.x.part(1, 60), w.y, 1.0f, 60); }},
      {"a size that is not padded", 526,
       "TG526: launch of 'shaped': argument 1 is 24, the kernel relies on a multiple of 16; pad it, or launch a "
       "kernel without the contract",
       [&] { w.gpu.launch(multiple{}, tg::grid(1), 24); }},
      {"rows that are not padded", 526, "leading dimension of 6",
       [&] { w.gpu.launch(number_rows{}, tg::grid(1), tg::matrix(w.rows, 4, 6), true, 4); }},
      {"rows of 2 GiB", 572,
       "TG572: launch of 'number_rows': argument 1 has rows that are 536870912 elements of 4 bytes apart; a kernel "
       "computes with at most 2147483647 bytes; take a view of one more dimension: the strides outside of the rows "
       "have 64 bits",
       [&] { w.gpu.launch(number_rows{}, tg::grid(1), tg::matrix(w.rows, 1, 4, std::size_t{1} << 29), true, 1); }},
      {"more than 2^32 elements", 573,
       "134217730 blocks along x for 4294967360 elements; what the kernel computes from "
       "block.index.x in 32 bits wraps around beyond 134217728 blocks",
       [&] { w.gpu.launch(numbers, tg::cover((std::size_t{1} << 32) + 64), w.y, 1); }},
      {"a grid of as many blocks", 573, "134217729 blocks along x;",
       [&] { w.gpu.launch(numbers, tg::grid(134217729), w.y, 1); }},
      {"a size beyond 32 bits", 527,
       "TG527: launch of 'saxpy': argument 4 is 4294967296, which does not fit 32 unsigned bits; check the number, or "
       "give the kernel a wider parameter",
       [&] { w.give(w.x, w.y, 1.0f, std::size_t{1} << 32); }},
      {"a negative count", 527, "is -1", [&] { w.give(w.x, w.y, 1.0f, -1); }},
      {"in place through tg::in", 531,
       "TG531: launch of 'saxpy': argument 1 is read as tg::in and shares memory with argument 2, which is written; "
       "declare one tg::inout parameter for both",
       [&] { w.give(w.x, w.x, 1.0f, 64); }},
      {"parts that overlap", 531, "shares memory", [&] { w.give(w.x.part(0, 32), w.x.part(16, 32), 1.0f, 32); }},
      {"a buffer shorter than the launch", 566,
       "TG566: launch of 'shaped': argument 1 has 64 elements, the kernel relies on 65; give it a longer buffer, or "
       "cover fewer elements",
       [&] { w.gpu.launch(shaped<line, tg::in<float, tg::covered>>{}, tg::cover(65), w.x); }},
      {"a table that is too short", 566, "relies on 256",
       [&] { w.gpu.launch(shaped<line, tg::in<float, tg::at_least<256>>>{}, tg::grid(1), w.x); }},
  };
}

std::vector<misuse> objects(world& w) {
  return {
      {"a stream that was moved from", 532, "TG532: a stream is used after it was moved from; use the one that it was moved to",
       [&] {
         auto work = tg::stream(w.gpu).begin();
         const auto other = std::move(work);
         work.fill(w.x, 1.0f);
       }},
      {"an event that was moved from", 532, "event",
       [&] {
         tg::event e(w.gpu);
         const tg::event other = std::move(e);
         e.synchronize();
       }},
      {"a graph that was moved from", 532, "graph",
       [&] {
         tg::graph g(w.gpu);
         const tg::graph other = std::move(g);
         g.size();
       }},
      {"a priority that streams have not", 538,
       "TG538: a stream of priority 7; 'tg emulator' has -5 (most urgent) to 0; use one of the range",
       [&] { tg::stream(w.gpu, {.priority = 7}); }},
      {"time from an event that did not happen", 537,
       "TG537: the first event was not recorded on a stream; record both on streams of one device, and make both with time",
       [&] { milliseconds_between(tg::event(w.gpu), tg::event(w.gpu)); }},
      {"a wait for an event that did not happen", 537, "that no stream has recorded",
       [&] { tg::stream(w.gpu).begin().wait_for(tg::event(w.gpu)); }},
      {"a copy of two sizes", 528, "copy of 32 elements to 64", [&] { tg::stream(w.gpu).begin().copy(w.x, w.y.part(0, 32)); }},
      {"memory of another device on a stream", 524, "memory of a copy belongs to",
       [&] { tg::stream(w.gpu).begin().fill(w.far, 1.0f); }},
      {"an event that was destroyed", 510, "cuEventRecord",
       [&] {
         auto& c = *w.gpu.context();
         tg::driver::event_handle e = nullptr;
         c.call(c.api().cuEventCreate, &e, tg::driver::event_flag::default_);
         c.call(c.api().cuEventDestroy, e);
         c.call(c.api().cuEventRecord, e, tg::driver::stream_handle{});
       }},
      {"a wait for the device in a capture", 533, "TG533: cuCtxSynchronize() would break the capture of a stream that began",
       [&] {
         const auto capturing = tg::stream(w.gpu).capture();
         w.gpu.synchronize();
       }},
      {"a plain launch in a capture", 533, "would break the capture",
       [&] {
         const auto capturing = tg::stream(w.gpu).capture();
         w.launch(tg::cover(64));
       }},
      {"a plain copy in a capture", 533, "cuMemcpyHtoD",
       [&] {
         const auto capturing = tg::stream(w.gpu).capture();
         w.x.copy_from(std::vector<float>(64));
       }},
      {"a vector copied in a capture", 544,
       "TG544: a capture cannot keep plain host memory, which its graph would use at each replay; copy from or to "
       "tg::pinned memory that outlives the graph",
       [&] {
         auto capturing = tg::stream(w.gpu).capture();
         capturing.copy(w.x, std::vector<float>(64));
       }},
      {"a fork that is not joined", 534, "TG534: 1 streams forked",
       [&] {
         auto capturing = tg::stream(w.gpu).capture();
         const auto forked = capturing.fork(tg::stream(w.gpu));
         (void)std::move(capturing).end();
       }},
      {"a node of another graph", 535,
       "TG535: a node of one graph is used in another; use nodes that this graph's calls returned",
       [&] {
         const tg::graph a(w.gpu);
         tg::graph b(w.gpu);
         tg::graph source(w.gpu);
         b.after(source.after().join());
       }},
      {"a graph of another shape", 536,
       "TG536: a graph cannot replace the one that was instantiated: a node is of another kind, at node 0, a fill; "
       "instantiate it anew",
       [&] {
         tg::graph one(w.gpu), two(w.gpu);
         one.after().join();
         two.after().fill(w.x, 1.0f);
         one.instantiate().update(two);
       }},
      {"a kernel that reads past its buffer", 402, "is out of bounds",
       [&] {
         w.gpu.launch(saxpy{}, tg::cover(1 << 20), w.x, w.y, 1.0f, 1 << 20);
         w.gpu.synchronize();
       }},
      {"a part that outlived its buffer", 407, "is a use after free",
       [&] {
         const auto left = [&] {
           auto gone = w.gpu.zeros<float>(64);
           return gone.part(0, 64);
         }();
         w.gpu.launch(saxpy{}, tg::cover(64), left, w.y, 1.0f, 64);
         w.gpu.synchronize();
       }},
  };
}

}  // namespace

TEST_CASE("whatever is done wrong is a clear error, and the device goes on") {
  world w;
  std::vector<misuse> all;
  for (auto part : {machines(), memory(w), grids(w), arguments(w), objects(w)})
    for (auto& one : part) all.push_back(std::move(one));
  check_misuses(all, [&] { return w.works(); });
  MESSAGE(all.size(), " cases");
  CHECK(all.size() >= 60);
}

TEST_CASE("a copy of too much names the line that asks for it") {
  world w;
  int count = 0;
  for (auto part : {memory(w), objects(w)})
    for (const misuse& one : part) {
      if (one.code != 528) continue;
      CAPTURE(std::string(one.what));
      const auto thrown = hand_written::error_of(one.act);
      CAPTURE(thrown.text);
      CHECK(thrown.says("(misuse.cpp:"));
      ++count;
    }
  CHECK(count >= 7);
  tg::graph g(w.gpu);
  CHECK(hand_written::error_of([&] { g.after().copy(w.x, w.y.part(0, 32)); }).says("(misuse.cpp:"));
}
