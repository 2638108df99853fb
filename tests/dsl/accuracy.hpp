// Runs a function of the language over many numbers, as PTX text on the emulator, and compares with a wider format.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/ptx/print/print.hpp>

namespace accuracy {

/// Runs the only kernel of `ptx`, which takes an input, an output and the number of elements.
void run(const std::string& ptx, const void* in, std::size_t in_bytes, void* out, std::size_t out_bytes, std::size_t count);

/// What the parser, the printer, the verifier and, where it is there, ptxas for each GPU say against `ptx`.
std::string complaints_about(const std::string& ptx);

/// Complaints about a text that not every GPU takes: ptxas is asked for the least one that does and for the newest.
std::string complaints_from_its_sm_on(const std::string& ptx);

/// y(i) = f(x(i)), lowered.
template <class T, class R = T, class F> tg::lowered_kernel lowered(F f) {
  return tg::lower(tg::kernel<"elements">(tg::block<256>, [f](auto block, tg::in<T> x, tg::out<R> y, tg::scalar<unsigned> n) {
    const auto i = tg::let(block.global_index());
    tg::if_(i < n, [&] { y(i) = f(tg::let(x(i))); });
  }));
}

template <class R, class T> std::vector<R> run(const std::string& ptx, const std::vector<T>& x) {
  std::vector<R> y(x.size());
  run(ptx, x.data(), x.size() * sizeof(T), y.data(), y.size() * sizeof(R), x.size());
  return y;
}

/// f of each element.
template <class T, class R = T, class F> std::vector<R> apply(F f, const std::vector<T>& x) {
  return run<R>(lowered<T, R>(f).ptx, x);
}

template <class T> using wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

inline constexpr double wrong = 1e30;

/// The distance in units of the last place that `want` has in T. Zeros must have the right sign, NaN must be NaN; where
/// `want` is beyond the largest number, that number is one unit away from infinity.
template <class T> double ulps(T got, wider<T> want) {
  using limits = std::numeric_limits<T>;
  const T nearest = static_cast<T>(want);
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : wrong;
  if (std::signbit(got) != std::signbit(nearest)) return wrong;
  if (std::isinf(got) || std::isinf(nearest)) {
    if (got == nearest) return 0;
    return std::fabs(std::isinf(got) ? nearest : got) == limits::max() && !std::isinf(want) ? 1 : wrong;
  }
  if (got == want) return 0;
  int exponent;
  std::frexp(want, &exponent);
  return static_cast<double>(std::fabs(static_cast<wider<T>>(got) - want) /
                             std::ldexp(wider<T>{1}, std::max(exponent, limits::min_exponent) - limits::digits));
}

struct finding {
  double ulps = 0;
  double at = 0;
};

template <class T, class Oracle> finding worst(const std::vector<T>& x, const std::vector<T>& y, Oracle oracle) {
  finding out;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (const double u = ulps(y[i], oracle(static_cast<wider<T>>(x[i]))); u > out.ulps) out = {u, static_cast<double>(x[i])};
  return out;
}

/// Special values, bit patterns of every exponent and sign, and numbers between `low` and `high`.
template <class T> std::vector<T> samples(double low, double high) {
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using limits = std::numeric_limits<T>;
  constexpr std::size_t strata = sizeof(T) == 4 ? std::size_t{1} << 19 : std::size_t{1} << 16;
  constexpr word width = std::numeric_limits<word>::max() / strata + 1;
  std::mt19937_64 random(20);
  std::vector<T> out;
  for (const T x :
       {T{0}, limits::denorm_min(), T(limits::min() - limits::denorm_min()), limits::min(), T(0.5), T{1}, T{2}, T{10},
        T(0.70710678118654752), T(1.5707963267948966), T{1024}, limits::max(), limits::infinity(), limits::quiet_NaN()})
    for (const T y : {x, -x, std::nextafter(x, T{0}), std::nextafter(x, limits::infinity())}) out.push_back(y);
  for (word k = 0; k < strata; ++k) out.push_back(std::bit_cast<T>(static_cast<word>(k * width + random() % width)));
  std::uniform_real_distribution<double> between(low, high);
  for (std::size_t k = 0; k < strata; ++k) out.push_back(static_cast<T>(between(random)));
  return out;
}

/// Each constant that an fma adds or multiplies with changed by an eighth to a half of itself, one kernel for each.
inline std::vector<std::string> with_one_wrong_coefficient(const tg::ptx::module& m) {
  std::vector<std::string> out;
  const auto& body = m.functions[0].body;
  for (std::size_t i = 0; i < body.size(); ++i)
    for (std::size_t k = 2; k < body[i].operand_count; ++k) {
      const bool is_single = body[i][k].is(tg::ptx::operand_kind::f32);
      if (body[i].op != tg::ptx::opcode::fma || !(is_single || body[i][k].is(tg::ptx::operand_kind::f64))) continue;
      tg::ptx::module changed = m;
      changed.functions[0].body[i][k].value ^= is_single ? 1ll << 22 : 1ll << 51;
      out.push_back(tg::ptx::print(changed));
    }
  return out;
}

/// f is within `bound` ulp of the oracle over `samples<T>(low, high)` and assembles. A wrong coefficient leaves the bound,
/// but for `negligible` low words of constants that are below it by nature.
template <class T, class F, class Oracle>
void check(F f, Oracle oracle, double bound, double low, double high, int negligible = 0) {
  const auto kernel = lowered<T>(f);
  const auto x = samples<T>(low, high);
  const finding found = worst(x, run<T>(kernel.ptx, x), oracle);
  INFO("at ", found.at);
  CHECK(found.ulps <= bound);
  CHECK(complaints_about(kernel.ptx) == "");

  std::vector<T> fewer;
  for (std::size_t i = 0; i < x.size(); i += 8) fewer.push_back(x[i]);
  int unseen = 0;
  for (const std::string& defect : with_one_wrong_coefficient(kernel.module))
    unseen += worst(fewer, run<T>(defect, fewer), oracle).ulps <= bound;
  CHECK(unseen <= negligible);
}

}  // namespace accuracy
