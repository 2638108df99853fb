#include <tg/array/peak.hpp>

#include <tg/array.hpp>

#include "arrays.hpp"

namespace {

/// Whether a sum of what `f` makes of an array has a peak.
template <class F> constexpr bool has_peak(F f) {
  using A = std::remove_cvref_t<decltype(f(std::declval<const tg::array<float, 2>&>()).node())>;
  constexpr tg::ptx::operand (*read)(tg::detail::element_reader) = tg::detail::peak_of<A>::read;
  return read != nullptr;
}

}  // namespace

TEST_CASE("sums of powers are known by their type, however they are written") {
  const auto largest = [](const auto& x) { return tg::max<1>(x, tg::keep); };
  CHECK(has_peak([&](const auto& x) { return tg::exp(x - largest(x)); }));
  CHECK(has_peak([&](const auto& x) { return tg::exp(x * 2.0f - largest(x * 2.0f)); }));
  CHECK(has_peak([&](const auto& x) { return tg::exp(x - tg::where(largest(x) > 1e30f, 0.0f, largest(x))); }));
  // Another number than the largest of these elements could be far below them.
  CHECK_FALSE(has_peak([&](const auto& x) { return tg::exp(x * 2.0f - largest(x)); }));
  CHECK_FALSE(has_peak([&](const auto& x) { return tg::exp(x - tg::min<1>(x, tg::keep)); }));
  CHECK_FALSE(has_peak([&](const auto& x) { return tg::exp(x - tg::where(x > 0.0f, largest(x), 0.0f)); }));
  CHECK_FALSE(has_peak([&](const auto& x) { return tg::exp2(x - largest(x)); }));
  CHECK_FALSE(has_peak([&](const auto& x) { return tg::exp(largest(x) - x); }));
  CHECK_FALSE(has_peak([&](const auto& x) { return tg::exp(x - largest(x)) * 2.0f; }));
}
