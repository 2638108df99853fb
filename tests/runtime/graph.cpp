#include <tg/runtime/graph.hpp>

#include <atomic>

#include <tg/runtime/executable_graph.hpp>
#include <tg/runtime/managed.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

TEST_CASE("a graph of every kind of node runs in the order of its edges") {
  tg::device gpu("emulator");
  tg::pinned<float> in(gpu, 64), out(gpu, 64);
  std::fill(in.begin(), in.end(), 3.0f);
  tg::buffer<float> x(gpu.context(), 64), y(gpu.context(), 64);
  std::atomic<int> called = 0;

  tg::graph inner(gpu);
  inner.after().fill(y.part(0, 1), 100.0f);

  tg::graph g(gpu);
  const auto upload = g.after().copy(x, in);
  const auto clear = g.after().fill(y, 1.0f);
  const auto ready = g.after(upload, clear).join();
  const auto kernel = g.after(ready).launch(saxpy{}, tg::cover(64), x, y, 2.0f, 64);
  const auto nested = g.after(kernel).embed(inner);
  const auto download = g.after(nested).copy(out, y);
  g.after(download).call([&] { ++called; });
  CHECK(g.size() == 7);

  const auto ready_graph = g.instantiate();
  auto work = tg::stream(gpu).begin();
  for (int i = 1; i <= 3; ++i) {
    std::fill(out.begin(), out.end(), 0.0f);
    work.replay(ready_graph);
    auto done = std::move(work).submit().wait();
    CHECK(called == i);
    CHECK(out[0] == 100.0f);
    CHECK(out[1] == 7.0f);
    CHECK(out[63] == 7.0f);
    work = std::move(done).begin();
  }
}

TEST_CASE("what a graph calls and embeds lives as long as it can be replayed") {
  tg::device gpu("emulator");
  auto counter = std::make_shared<std::atomic<int>>(0);
  std::optional<tg::executable_graph> ready;
  {
    tg::graph outer(gpu);
    {
      tg::graph inner(gpu);
      inner.after().call([counter] { ++*counter; });
      outer.after().embed(inner);
    }
    ready.emplace(outer.instantiate());
  }
  CHECK(counter.use_count() == 2);
  auto work = tg::stream(gpu).begin();
  work.replay(*ready);
  std::move(work).submit().wait();
  CHECK(*counter == 1);
  ready.reset();
  CHECK(counter.use_count() == 1);
}

TEST_CASE("fills of wide elements are chains of nodes") {
  tg::device gpu("emulator");
  auto b = gpu.zeros<double>(9);
  tg::graph g(gpu);
  g.after().fill(b.part(1, 7), 2.5);
  CHECK(g.size() == 2);
  auto work = tg::stream(gpu).begin();
  work.replay(g.instantiate());
  std::move(work).submit().wait();
  CHECK(b.to_host() == std::vector<double>{0, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 0});
}

TEST_CASE("nodes of another graph and empty nodes are refused: TG535") {
  tg::device gpu("emulator");
  tg::graph a(gpu), b(gpu);
  const auto node = a.after().join();
  CHECK(error_of([&] { b.after(node); }).says("TG535: a node of one graph is used in another"));
  CHECK(error_of([&] { a.after(tg::graph_node{}); }).says("TG535: an empty node"));
  const tg::graph taken = std::move(a);
  CHECK(error_of([&] { a.after(); }).number == 532);
  CHECK(error_of([&] { (void)a.instantiate(); }).number == 532);
  CHECK(taken.size() == 1);
}

TEST_CASE("wrong memory and wrong arguments are refused before a node is made") {
  auto api = hand_written::emulator_table();
  tg::device gpu("emulator"), other(tg::runtime::machine{&api});
  tg::buffer<float> x(gpu.context(), 8), far(other.context(), 8);
  tg::graph g(gpu);
  CHECK(error_of([&] { g.after().copy(x, far); }).number == 524);
  CHECK(error_of([&] { g.after().copy(x, x.part(0, 3)); }).number == 528);
  CHECK(error_of([&] { g.after().fill(far, 1.0f); }).number == 524);
  CHECK(error_of([&] { g.after().launch(saxpy{}, tg::cover(0), x, far, 1.0f, 0); }).number == 524);
  CHECK(error_of([&] { g.after().embed(tg::graph(other)); }).number == 524);
  CHECK(g.size() == 0);
}

TEST_CASE("a copy above 2 GiB is rows that a driver takes, and a rest") {
  using tg::runtime::most_row_bytes;
  using tg::runtime::split_copy;
  tg::driver::copy_3d whole{};
  whole.from.type = tg::driver::memory_type::device;
  whole.from.device = 0x1000000000;
  whole.to.type = tg::driver::memory_type::host;
  whole.to.host = reinterpret_cast<void*>(0x2000000000);
  whole.height = whole.depth = 1;
  for (const std::size_t bytes : {std::size_t{4096}, 2 * most_row_bytes - 1, 2 * most_row_bytes, 5 * most_row_bytes + 12}) {
    CAPTURE(bytes);
    whole.width_bytes = bytes;
    const auto parts = split_copy(whole);
    const auto bytes_of = [](const tg::driver::copy_3d& c) { return c.width_bytes * c.height * c.depth; };
    CHECK(bytes_of(parts[0]) + bytes_of(parts[1]) == bytes);
    for (const auto& p : parts) CHECK(p.width_bytes < std::size_t{1} << 31);
    CHECK(parts[0].from.device == whole.from.device);
    if (parts[1].width_bytes == 0) continue;
    CHECK(parts[1].from.device == whole.from.device + bytes_of(parts[0]));
    CHECK(static_cast<std::byte*>(parts[1].to.host) == static_cast<std::byte*>(whole.to.host) + bytes_of(parts[0]));
  }
}

TEST_CASE("a large copy in a graph is two nodes, one after the other, and is not changed alone: TG536") {
  static std::vector<tg::driver::copy_3d> copies;
  copies.clear();
  auto api = hand_written::gpu_table();
  api.cuGraphAddMemcpyNode = [](tg::driver::graph_node_handle* out, tg::driver::graph_handle g,
                                const tg::driver::graph_node_handle* after, std::size_t n, const tg::driver::copy_3d* c,
                                tg::driver::context_handle) {
    copies.push_back(*c);
    return tg::emulator::driver_table().cuGraphAddEmptyNode(out, g, after, n);
  };
  tg::device gpu(tg::runtime::machine{&api});
  constexpr std::size_t size = (std::size_t{3} << 30) + 7;
  const auto x = gpu.view(reinterpret_cast<char*>(0x1000000000), size),
             y = gpu.view(reinterpret_cast<char*>(0x2000000000), size);
  tg::graph g(gpu);
  const auto node = g.after().copy(y, x);
  CHECK(g.size() == 2);
  REQUIRE(copies.size() == 2);
  CHECK(copies[0].height == 3);
  CHECK(copies[1].width_bytes == 7);
  auto ready = g.instantiate();
  CHECK(error_of([&] { ready.set_copy(node, y, x); }).number == 536);
}
