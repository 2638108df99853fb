// A captured graph
//
// Work on a captured stream is not done: it becomes the nodes of a graph, which is replayed with one call. Arrays take part
// through `tg::assign_on`. Here ten steps of the heat equation are one graph, replayed twenty times.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <tg/array.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/executable_graph.hpp>
#include <tg/runtime/stream.hpp>

int main() {
  tg::device gpu;
  const int n = 1000;
  std::vector<float> start(n, 0.0f);
  start[n / 2] = 1000;
  tg::array<float, 1> a(gpu, start), b(gpu, {n});
  const auto step = [](const auto& x) { return x * 0.5f + (tg::shifted<0>(x, -1) + tg::shifted<0>(x, 1)) * 0.25f; };

  auto capturing = tg::stream(gpu).capture();
  for (int k = 0; k < 5; ++k) {
    tg::assign_on(capturing, tg::into(b) = step(a));
    tg::assign_on(capturing, tg::into(a) = step(b));
  }
  auto [graph, idle] = std::move(capturing).end();
  const auto ten_steps = graph.instantiate();

  auto work = std::move(idle).begin();
  for (int k = 0; k < 20; ++k) work.replay(ten_steps);
  const auto done = std::move(work).submit().wait();

  const float heat = tg::eval(tg::sum(a)).item(), top = a(n / 2).item();
  // After 200 steps: a normal distribution with variance 200 * 0.5.
  const double wanted = 1000 / std::sqrt(2 * M_PI * 100);
  std::printf("heat %.1f, peak %.2f, wanted %.2f\n", double(heat), double(top), wanted);
  return std::fabs(double(heat) - 1000) < 1 && std::fabs(double(top) - wanted) < 0.1 ? 0 : 1;
}
