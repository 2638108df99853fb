#include <tg/runtime/executable_graph.hpp>

#include <atomic>
#include <random>

#include <tg/runtime/capture.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

namespace {

struct pair_of_buffers { tg::buffer<float> x, y; };

std::vector<float> random_floats(std::size_t n, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<float> out(n);
  for (float& f : out) f = value(engine);
  return out;
}

/// 50 kernels, each of which needs what the one before it did.
template <class Where> void fifty(Where launch, const pair_of_buffers& b, unsigned n) {
  for (int i = 0; i < 25; ++i) {
    launch(b.x, b.y, 0.01f * static_cast<float>(i), n);
    launch(b.y, b.x, -0.02f * static_cast<float>(i), n);
  }
}

}  // namespace

TEST_CASE("a thousand replays of fifty kernels are bitwise what eager launches give") {
  tg::device gpu("emulator");
  constexpr unsigned n = 64;
  const auto hx = random_floats(n, 1), hy = random_floats(n, 2);
  pair_of_buffers eager{gpu.upload(hx), gpu.upload(hy)}, replayed{gpu.upload(hx), gpu.upload(hy)};
  const std::size_t free_before = gpu.memory_info().free_bytes;

  auto capturing = tg::stream(gpu, {.is_non_blocking = true}).capture();
  fifty([&](auto& x, auto& y, float a,
            unsigned count) { capturing.launch(saxpy{}, tg::cover(count), x, const_cast<tg::buffer<float>&>(y), a, count); },
        replayed, n);
  CHECK(replayed.x.to_host() == hx);  // nothing has run; a non-blocking capture lets plain copies through
  auto [graph, idle] = std::move(capturing).end();
  CHECK(graph.size() == 50);

  const auto ready = graph.instantiate();
  auto work = std::move(idle).begin();
  for (int i = 0; i < 1000; ++i) work.replay(ready);
  std::move(work).submit().wait();
  for (int i = 0; i < 1000; ++i)
    fifty([&](auto& x, auto& y, float a,
              unsigned count) { gpu.launch(saxpy{}, tg::cover(count), x, const_cast<tg::buffer<float>&>(y), a, count); },
          eager, n);
  const auto bits = [](const tg::buffer<float>& b) {
    std::vector<unsigned> out;
    for (const float f : b.to_host()) out.push_back(std::bit_cast<unsigned>(f));
    return out;
  };
  CHECK(bits(replayed.x) == bits(eager.x));
  CHECK(bits(replayed.y) == bits(eager.y));
  CHECK(bits(replayed.x) != bits(gpu.upload(hx)));
  CHECK(gpu.memory_info().free_bytes == free_before);
}

TEST_CASE("nodes take new arguments, and the next replay uses them") {
  tg::device gpu("emulator");
  auto x = gpu.upload(std::vector<float>(32, 1.0f)), y = gpu.zeros<float>(32), z = gpu.zeros<float>(32);
  tg::pinned<float> out(gpu, 32);
  tg::graph g(gpu);
  const auto clear = g.after().fill(y, 0.0f);
  const auto kernel = g.after(clear).launch(saxpy{}, tg::cover(32), x, y, 2.0f, 32);
  const auto download = g.after(kernel).copy(out, y);
  auto ready = g.instantiate();
  const auto run = [&] {
    auto work = tg::stream(gpu).begin();
    work.replay(ready);
    std::move(work).submit().wait();
  };
  run();
  CHECK(out[31] == 2.0f);
  ready.set_launch(kernel, saxpy{}, tg::cover(32), x, y, 5.0f, 16);
  run();
  CHECK(out[15] == 5.0f);
  CHECK(out[16] == 0.0f);
  ready.set_fill(clear, z, 10.0f);
  ready.set_launch(kernel, saxpy{}, tg::cover(32), x, z, 1.0f, 32);
  ready.set_copy(download, out, z);
  run();
  CHECK(out[0] == 11.0f);

  tg::graph other(gpu);
  const auto foreign = other.after().join();
  CHECK(error_of([&] { ready.set_launch(foreign, saxpy{}, tg::cover(32), x, y, 1.0f, 32); }).number == 535);
  CHECK(error_of([&] { ready.set_launch(kernel, saxpy{}, tg::cover(32), x, x, 1.0f, 32); }).number == 531);
}

TEST_CASE("a graph takes the place of another of its shape, and of no other: TG536") {
  tg::device gpu("emulator");
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8), z = gpu.zeros<float>(8);
  const auto make = [&](tg::buffer<float>& to, float a, int kernels) {
    tg::graph g(gpu);
    auto last = g.after().join();
    for (int i = 0; i < kernels; ++i) last = g.after(last).launch(saxpy{}, tg::cover(8), x, to, a, 8);
    return g;
  };
  auto ready = make(y, 1.0f, 2).instantiate();
  const auto run = [&] {
    auto work = tg::stream(gpu).begin();
    work.replay(ready);
    std::move(work).submit().wait();
  };
  run();
  CHECK(y.to_host()[0] == 2.0f);
  ready.update(make(z, 3.0f, 2));
  run();
  CHECK(y.to_host()[0] == 2.0f);
  CHECK(z.to_host()[0] == 6.0f);
  const auto longer = error_of([&] { ready.update(make(y, 1.0f, 3)); });
  CHECK(longer.number == 536);
  CHECK(longer.says("number of nodes"));
  tg::graph kind(gpu);
  auto first = kind.after().join();
  first = kind.after(first).fill(y, 1.0f);
  kind.after(first).join();
  const auto kinds = error_of([&] { ready.update(kind); });
  CHECK(kinds.number == 536);
  CHECK(kinds.says(", at node 1, a fill"));
  run();
  CHECK(z.to_host()[0] == 12.0f);
}

TEST_CASE("the host's functions of a graph that took another's place live on") {
  tg::device gpu("emulator");
  std::atomic<int> a = 0, b = 0;
  const auto counting = [&](std::atomic<int>& counter) {
    tg::graph g(gpu);
    g.after().call([&counter] { ++counter; });
    return g;
  };
  auto ready = counting(a).instantiate();
  ready.update(counting(b));
  auto work = tg::stream(gpu).begin();
  work.replay(ready);
  std::move(work).submit().wait();
  CHECK(a == 0);
  CHECK(b == 1);
}

TEST_CASE("a replay on a stream of another device and of a moved graph is refused") {
  auto api = hand_written::emulator_table();
  tg::device gpu("emulator"), other(tg::runtime::machine{&api});
  tg::graph g(gpu);
  g.after().join();
  auto ready = g.instantiate();
  auto work = tg::stream(other).begin();
  CHECK(error_of([&] { work.replay(ready); }).says("TG524: the graph belongs to"));
  const auto taken = std::move(ready);
  auto here = tg::stream(gpu).begin();
  CHECK(error_of([&] { here.replay(ready); }).number == 532);
  CHECK(error_of([&] { ready.update(g); }).number == 532);
  here.replay(taken);
}
