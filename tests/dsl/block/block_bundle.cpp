#include <tg/dsl/block/block_bundle.hpp>

#include <cmath>

#include <tg/dsl/flow/for_.hpp>

#include "../accuracy.hpp"

namespace {

struct best {
  tg::value<float> number;
  tg::value<unsigned> index;
};

best better(const best& a, const best& b) {
  const auto takes = b.number > a.number || (b.number == a.number && b.index < a.index);
  return {tg::select(takes, b.number, a.number), tg::select(takes, b.index, a.index)};
}

struct moments { tg::value<float> count, mean, square; };

// Chan, Golub and LeVeque's rule for two parts.
moments joined(const moments& a, const moments& b) {
  const auto count = a.count + b.count, difference = b.mean - a.mean, share = b.count / count;
  return {count, a.mean + difference * share, a.square + b.square + difference * difference * a.count * share};
}

/// One block of `Threads`: y has what each thread gets.
template <int Threads, class F> std::vector<float> run(F f, const std::vector<float>& x) {
  const auto kernel = tg::lower(
      tg::kernel<"block">(tg::block<Threads>, [f](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.thread.x);
        const auto own = tg::select(i < n, x(i), 0.0f);
        const auto result = f(block, own, i);
        tg::if_(i < n, [&] { y(i) = result; });
      }));
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  std::vector<float> y(x.size());
  accuracy::run(kernel.ptx, x.data(), x.size() * 4, y.data(), y.size() * 4, x.size());
  return y;
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(static_cast<float>((k * 37 + 11) % 101));
  return out;
}

template <int Threads> void check() {
  const auto x = numbers(Threads);
  std::size_t at = 0;
  for (std::size_t k = 0; k < x.size(); ++k) at = x[k] > x[at] ? k : at;
  const auto largest =
      run<Threads>([](const auto& block, const auto& own,
                      const auto& i) { return tg::cast<float>(tg::block_combine(block, best{own, i}, better).index); },
                   x);
  for (const float v : largest) CHECK(v == static_cast<float>(at));

  double mean = 0, square = 0;
  for (const float v : x) mean += v / Threads;
  for (const float v : x) square += (v - mean) * (v - mean);
  const auto spread = run<Threads>(
      [](const auto& block, const auto& own, const auto&) {
        const auto one = tg::select(own >= 0.0f, 1.0f, 1.0f);
        const moments all = tg::block_combine(block, moments{one, own, one - one}, joined);
        return tg::value<float>(all.square / all.count);
      },
      x);
  for (const float v : spread) CHECK(std::fabs(v - square / Threads) <= 1e-4 * square / Threads);

  const auto so_far = run<Threads>(
      [](const auto& block, const auto& own, const auto& i) {
        const auto none = tg::select(own >= 0.0f, -1.0f, -1.0f);
        const auto scanned = tg::block_scan(block, best{own, i}, best{none, i * 0u}, better);
        return tg::value<float>(tg::cast<float>(scanned.through.index) + scanned.before.number * 1000.0f);
      },
      x);
  std::size_t best_at = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const float before = k == 0 ? -1.0f : x[best_at];
    best_at = x[k] > x[best_at] ? k : best_at;
    CHECK(so_far[k] == static_cast<float>(best_at) + before * 1000.0f);
  }
}

}  // namespace

TEST_CASE("the largest with its place, the variance, the largest so far: whole warps, one warp, a part of one") {
  check<256>();
  check<32>();
  check<100>();
  check<7>();
}
