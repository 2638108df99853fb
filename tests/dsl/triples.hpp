// Runs functions of narrow floats over many of them, as PTX text on the emulator, beside an evaluation in whole
// numbers.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>
#include <vector>

#include <tg/base/narrow_float.hpp>

#include "../emulator/conformance/number.hpp"
#include "accuracy.hpp"

namespace triples {

template <class T> inline constexpr const conformance::format& format_of = conformance::f16;
template <> inline constexpr const conformance::format& format_of<tg::bf16> = conformance::bf16;

template <class T> conformance::number to_number(T x) { return conformance::from_bits(format_of<T>, x.bits); }
template <class T> T to_float(const conformance::number& n) {
  return T::from_bits(static_cast<std::uint16_t>(conformance::to_bits(format_of<T>, n)));
}

template <class T> bool is_nan(T x) { return std::isnan(static_cast<float>(x)); }
/// Whether two numbers have equal bits, or are both NaN.
template <class T> bool is_same(T a, T b) { return a.bits == b.bits || (is_nan(a) && is_nan(b)); }

// What an operation gives, rounded once.
template <class T> T plus(T a, T b) { return to_float<T>(conformance::sum(to_number(a), to_number(b))); }
template <class T> T minus(T a, T b) { return to_float<T>(conformance::sum(to_number(a), conformance::negated(to_number(b)))); }
template <class T> T times(T a, T b) { return to_float<T>(conformance::product(to_number(a), to_number(b))); }
template <class T> T fused(T a, T b, T c) {
  return to_float<T>(conformance::sum(conformance::product(to_number(a), to_number(b)), to_number(c)));
}
/// The number where one is NaN; -0 below 0.
template <class T> T least(T a, T b) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) ? b : a;
  const float x = static_cast<float>(a), y = static_cast<float>(b);
  return x < y || (x == y && std::signbit(x)) ? a : b;
}
template <class T> T largest(T a, T b) {
  if (is_nan(a) || is_nan(b)) return is_nan(a) ? b : a;
  return least(a, b).bits == a.bits ? b : a;
}

/// Four numbers for each of many calls: every special value with every other, bit patterns, neighbours that cancel.
template <class T> std::vector<T> samples() {
  using bits = decltype(T::bits);
  std::mt19937 random(11);
  std::vector<T> special, out;
  for (const double x : {0.0, 1.0, 1.5, 3.0, 1e-9, 65504.0, 3.0e38, HUGE_VAL, std::nan("")})
    for (const double y : {x, -x}) special.push_back(T(y));
  for (const bits b : {bits{1}, bits{2}, bits{0x3ff}, bits{0x400}, bits{0x7f}, bits{0x80}, bits{0x81}, bits{0x8001}})
    special.push_back(T::from_bits(b));
  const auto any = [&] { return T::from_bits(static_cast<bits>(random())); };
  for (const T a : special)
    for (const T b : special) out.insert(out.end(), {a, b, special[random() % special.size()], any()});
  for (int k = 0; k < 8000; ++k) out.insert(out.end(), {any(), any(), any(), any()});
  for (int k = 0; k < 8000; ++k) {
    const T a = any();
    out.insert(out.end(), {a, T::from_bits(static_cast<bits>(a.bits + random() % 64)),
                           T::from_bits(static_cast<bits>(a.bits ^ 0x8000)), any()});
  }
  return out;
}

/// y(i) = f(x(4i), …, x(4i + 3)), lowered.
template <class T, class R, class F> tg::lowered_kernel lowered(F f) {
  using namespace tg::literals;
  return tg::lower(tg::kernel<"triples">(tg::block<128>, [f](auto block, tg::in<T> x, tg::out<R> y, tg::scalar<unsigned> n) {
    const auto i = tg::let(block.global_index());
    tg::if_(i < n, [&] { y(i) = f(x.template vec<4>(i * 4_c).get()); });
  }));
}

/// f of each four; the text must assemble, and ask for `sm` at least and at most.
template <class T, class R, class F> std::vector<R> apply(F f, const std::vector<T>& x, int sm) {
  const auto kernel = lowered<T, R>(f);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  CHECK(kernel.module.sm == sm);
  std::vector<R> y(x.size() / 4);
  accuracy::run(kernel.ptx, x.data(), x.size() * sizeof(T), y.data(), y.size() * sizeof(R), y.size());
  return y;
}

/// How many calls of `f` differ from `want(a, b, c)`; the first few are shown.
template <class T, class F, class Want> int differences(F f, Want want, const std::vector<T>& x, int sm) {
  const auto y = apply<T, T>([f](const auto& v) { return f(v(0), v(1), v(2)); }, x, sm);
  int wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const T expected = want(x[4 * i], x[4 * i + 1], x[4 * i + 2]);
    if (is_same(y[i], expected)) continue;
    if (++wrong <= 3)
      CHECK_MESSAGE(y[i].bits == expected.bits, x[4 * i].bits << " " << x[4 * i + 1].bits << " " << x[4 * i + 2].bits);
  }
  return wrong;
}

}  // namespace triples
