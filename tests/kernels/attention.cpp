#include <kernels/attention.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;

namespace {

struct problem {
  unsigned queries, keys, heads, shared_heads, batch;
  float scale;

  std::size_t group() const { return heads / shared_heads; }
};

/// What each element of o is, and how far a result may be from it.
struct answer { std::vector<double> wanted, allowed; };

/// How far numbers of T may be from what they stand for: relative to them, and where they are small.
template <class T> inline constexpr double roundoff = std::is_same_v<T, tg::f16> ? 0x1p-11 : 0x1p-8;
template <class T> inline constexpr double least = std::is_same_v<T, tg::f16> ? 0x1p-25 : 0x1p-134;

/// In double precision. The bounds follow the numbers: a product of T is exact, a sum of n of them on tensor cores is
/// off by n units of 2^-23 of the sum of their sizes; an exponential by two units and the error of what is raised; a
/// weight is rounded to T, and so is the result; each step of 64 keys may rescale, which costs three roundings and two
/// units. `later` more keys are seen by each query than should be.
template <class T>
answer attend(const problem& p, int size, bool causal, const std::vector<double>& q, const std::vector<double>& k,
              const std::vector<double>& v, long later = 0) {
  answer out;
  const auto d = static_cast<std::size_t>(size);
  const std::size_t row = p.heads * d, shared_row = p.shared_heads * d;
  std::vector<double> score(p.keys), slack(p.keys);
  for (std::size_t b = 0; b < p.batch; ++b)
    for (std::size_t i = 0; i < p.queries; ++i)
      for (std::size_t h = 0; h < p.heads; ++h) {
        const double* const own_q = &q[(b * p.queries + i) * row + h * d];
        const auto shared = [&](const std::vector<double>& x, std::size_t j) {
          return &x[(b * p.keys + j) * shared_row + h / p.group() * d];
        };
        const long bound = static_cast<long>(i) + 1 + static_cast<long>(p.keys) - static_cast<long>(p.queries) + later;
        const auto seen = causal ? static_cast<std::size_t>(std::clamp(bound, 0l, static_cast<long>(p.keys))) : p.keys;
        double peak = -1e300, sum = 0, worst = 0;
        for (std::size_t j = 0; j < seen; ++j) {
          double dot = 0, magnitude = 0;
          for (std::size_t c = 0; c < d; ++c) {
            const double product = own_q[c] * shared(k, j)[c];
            dot += product;
            magnitude += std::abs(product);
          }
          score[j] = p.scale * dot;
          slack[j] = p.scale * magnitude * size * 0x1p-23;
          peak = std::max(peak, score[j]);
        }
        // The score, its factor and its difference from the peak are rounded.
        for (std::size_t j = 0; j < seen; ++j)
          worst = std::max(worst, slack[j] + (3 * std::abs(score[j]) + std::abs(peak)) * 0x1p-23 + 0x1p-21);
        for (std::size_t j = 0; j < seen; ++j) sum += score[j] = std::exp(score[j] - peak);
        const double steps = double(seen) / 64 + 1;
        const double relative = 2 * std::expm1(worst) + steps * 0x1p-20 + 2 * double(seen) * 0x1p-23 + 0x1p-21;
        for (std::size_t c = 0; c < d; ++c) {
          double wanted = 0, magnitude = 0, all = 0;
          for (std::size_t j = 0; j < seen; ++j) {
            const double value = shared(v, j)[c];
            wanted += score[j] * value;
            magnitude += score[j] * std::abs(value);
            all += std::abs(value);
          }
          if (seen > 0) wanted /= sum, magnitude /= sum, all /= sum;
          const double before = magnitude * (relative + roundoff<T>)+all * least<T>;
          out.wanted.push_back(wanted);
          out.allowed.push_back(seen > 0 ? before + (std::abs(wanted) + before) * roundoff<T> + least<T> : 0);
        }
      }
  return out;
}

/// Equal inputs for the device and for the reference.
template <class T> struct numbers {
  std::vector<T> narrow;
  std::vector<double> wide;

  template <class Number> explicit numbers(const std::vector<Number>& from) {
    for (const Number x : from) wide.push_back(double(narrow.emplace_back(double(x))));
  }
};

/// q, k and v, in rows that are further apart than they are wide by multiples of `gap` elements.
template <class T> struct tensors {
  numbers<T> q, k, v;
  std::size_t gap = 0;
};

template <class T, int Size, bool Causal> std::vector<T> run(const problem& p, const tensors<T>& x) {
  tg::device gpu;
  const std::size_t width = p.heads * Size, shared_width = p.shared_heads * Size;
  const std::size_t height = std::size_t{p.batch} * p.queries, shared_height = std::size_t{p.batch} * p.keys;
  inputs::rows<T> q(gpu, x.q.narrow, height, width, width + x.gap),
      k(gpu, x.k.narrow, shared_height, shared_width, shared_width + 2 * x.gap),
      v(gpu, x.v.narrow, shared_height, shared_width, shared_width + 3 * x.gap), o(gpu, height, width, width + x.gap);
  gpu.launch(attention<T, Size, Causal>, attention_grid<Size>(p.queries, p.heads, p.batch), q.matrix(), k.matrix(), v.matrix(),
             o.matrix(), p.queries, p.keys, static_cast<unsigned>(p.group()), p.scale);
  return o.to_host();
}

template <class T> double excess(const std::vector<T>& got, const answer& a) {
  return inputs::largest_excess(std::span<const T>(got), std::span<const double>(a.wanted),
                                [&](std::size_t i) { return a.allowed[i]; });
}

template <class T, int Size, bool Causal> void check(const problem& p, float size = 1, std::size_t gap = 0) {
  inputs::generator random;
  INFO("seed ", random.seed, ", size ", Size, ", causal ", Causal, ", queries ", p.queries, ", keys ", p.keys, ", heads ",
       p.heads);
  const std::size_t of_q = std::size_t{p.batch} * p.queries * p.heads * Size;
  const std::size_t of_k = std::size_t{p.batch} * p.keys * p.shared_heads * Size;
  const tensors<T> x{numbers<T>(random.floats(of_q, -size, size)), numbers<T>(random.floats(of_k, -size, size)),
                     numbers<T>(random.floats(of_k)), gap};
  const auto got = run<T, Size, Causal>(p, x);
  const auto reference = [&](long later) { return attend<T>(p, Size, Causal, x.q.wide, x.k.wide, x.v.wide, later); };
  CHECK(excess(got, reference(0)) <= 0);
  // The bounds are narrow enough to notice one key.
  if (Causal && p.queries > 1 && p.keys > 1 && size <= 1) {
    CHECK(excess(got, reference(1)) > 0);
    CHECK(excess(got, reference(-1)) > 0);
  }
}

/// The next case of attention_values.txt, whose inputs attention_values.py makes by the same rule.
template <class T, int Size, bool Causal> void check_next(std::istream& values) {
  int size = 0, causal = 0;
  problem p{0, 0, 0, 0, 0, 0.125f};
  values >> std::dec >> size >> causal >> p.queries >> p.keys >> p.heads >> p.shared_heads >> p.batch;
  REQUIRE(size == Size);
  REQUIRE((causal != 0) == Causal);
  const auto make = [](std::uint32_t first, std::size_t count) {
    std::vector<float> out(count);
    for (float& x : out) x = static_cast<float>(first++ * 2654435761u >> 24) / 64 - 2;
    return numbers<T>(out);
  };
  const std::size_t of_k = std::size_t{p.batch} * p.keys * p.shared_heads * Size;
  const tensors<T> x{make(0, std::size_t{p.batch} * p.queries * p.heads * Size), make(100000, of_k), make(200000, of_k)};
  answer expected = attend<T>(p, Size, Causal, x.q.wide, x.k.wide, x.v.wide);
  std::uint32_t bits = 0;
  for (double& wanted : expected.wanted) {
    REQUIRE(static_cast<bool>(values >> std::hex >> bits));
    const double from_torch = std::bit_cast<float>(bits);
    CHECK(std::abs(from_torch - wanted) <= std::abs(wanted) * 0x1p-23 + 1e-12);
    wanted = from_torch;
  }
  CHECK(excess(run<T, Size, Causal>(p, x), expected) <= 0);
}

}  // namespace

TEST_CASE("attention of each length: tiles of 64 keys, of 64 and 128 queries") {
  static constexpr std::pair<unsigned, unsigned> lengths[] = {{1, 1},    {1, 64},   {63, 65},   {64, 63},
                                                              {65, 128}, {128, 64}, {127, 131}, {129, 257}};
  for (const auto& [queries, keys] : lengths) {
    check<tg::bf16, 64, true>({queries, keys, 2, 1, 1, 0.125f});
    check<tg::f16, 128, false>({queries, keys, 1, 1, 1, 0.08838835f});
  }
}

TEST_CASE("heads of keys are shared by groups, sequences lie apart, rows have gaps") {
  check<tg::bf16, 64, true>({67, 101, 6, 2, 2, 0.125f}, 1, 8);
  check<tg::f16, 128, false>({5, 67, 4, 4, 3, 0.1f}, 1, 16);
  check<tg::bf16, 128, true>({131, 67, 4, 2, 1, 0.1f}, 1, 8);
}

TEST_CASE("large scores do not overflow, and the largest moves") {
  check<tg::bf16, 128, true>({64, 320, 1, 1, 1, 1.0f}, 16);
  check<tg::f16, 128, false>({64, 320, 1, 1, 1, 1.0f}, 16);
}

TEST_CASE("queries before all keys get zeros") { check<tg::bf16, 128, true>({200, 3, 1, 1, 1, 0.1f}); }

TEST_CASE("attention is what PyTorch computes") {
  std::ifstream values("tests/kernels/attention_values.txt");
  REQUIRE(values.is_open());
  check_next<tg::bf16, 64, true>(values);
  check_next<tg::f16, 128, false>(values);
  check_next<tg::bf16, 128, true>(values);
}

TEST_CASE("each access of attention costs what the compiler says, what it copies included") {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  constexpr unsigned queries = 64, keys = 192, size = 128, leading = size + 16;
  const auto& kernel = attention<tg::bf16, size, true>;
  ledger counted(kernel);
  auto q = gpu.zeros<tg::bf16>(queries * leading + 8), o = gpu.zeros<tg::bf16>(queries * leading + 8);
  auto k = gpu.zeros<tg::bf16>(keys * leading + 8), v = gpu.zeros<tg::bf16>(keys * leading + 8);
  for (const unsigned shift : {0u, 8u}) {
    const auto of = [&](auto& x, unsigned rows) { return tg::matrix(x.part(shift, rows * leading), rows, size, leading); };
    counted.count([&] {
      gpu.launch(kernel, attention_grid<size>(queries, 1, 1), of(q, queries), of(k, keys), of(v, keys), of(o, queries), queries,
                 keys, 1u, 0.1f);
    });
  }
  for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
  const auto is_copy = [](const ledger_row& row) { return row.access.is_shared && row.access.parameter >= 0; };
  CHECK(std::count_if(counted.rows().begin(), counted.rows().end(), is_copy) >= 24);
}
