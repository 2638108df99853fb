// Conjugate gradients, captured as a graph
//
// An iteration for A x = b is five kernels, captured once and replayed. No number comes back to the host in between.
#include <cstdio>
#include <vector>

#include <tg/array.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/stream.hpp>

int main() {
  tg::device gpu;
  const int n = 200;
  std::vector<double> laplace(n * n), ones(n, 1.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) laplace[static_cast<std::size_t>(i * n + j)] = i == j ? 2.5 : i == j + 1 || j == i + 1 ? -1 : 0;
  const tg::array<double, 2> a(gpu, {n, n}, laplace);
  tg::array<double, 1> x(gpu, std::vector<double>(n, 0.0)), r(gpu, ones), p(gpu, ones), ap(gpu, {n});
  tg::array<double, 0> rr = tg::sum(r * r), alpha(gpu, {}), beta(gpu, {});

  auto work = tg::stream(gpu).capture();
  tg::assign_on(work, tg::into(ap) = tg::sum<1>(a * p));
  tg::assign_on(work, tg::into(alpha) = rr / tg::sum(p * ap));
  tg::assign_on(work, tg::into(x) = x + alpha * p, tg::into(r) = r - alpha * ap);
  tg::assign_on(work, tg::into(beta) = tg::sum(r * r) / rr, tg::into(rr) = tg::sum(r * r));
  tg::assign_on(work, tg::into(p) = r + beta * p);
  auto [graph, idle] = std::move(work).end();

  const auto step = graph.instantiate();
  auto steps = std::move(idle).begin();
  for (int k = 0; k < 40; ++k) steps.replay(step);
  const auto done = std::move(steps).submit().wait();
  const double left = tg::eval(tg::max(tg::abs(r))).item();
  std::printf("after 40 iterations the residual is %.2g\n", left);
  return left < 1e-6 ? 0 : 1;
}
