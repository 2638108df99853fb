// Weights in blocks.
#pragma once

#include <cstring>
#include <string_view>

#include <kernels/dequantize.hpp>
#include <kernels/reference/dequantize.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// n blocks, whose f16 numbers begin at byte `First`: `Count` of them.
template <class Format, unsigned First, unsigned Count> constexpr auto try_dequantize(std::string_view format) {
  return [format](auto& t, const shape& s) {
    auto x = t.template integers<std::uint16_t>(std::size_t{s.n} * Format::bytes / 2);
    const auto scales = t.floats(std::size_t{s.n} * Count, -0.1f, 0.1f);
    for (std::size_t b = 0; b < s.n; ++b)
      for (std::size_t k = 0; k < Count; ++k) {
        const tg::f16 number(scales[b * Count + k]);
        std::memcpy(&x[b * Format::bytes / 2 + First / 2 + k], &number, 2);
      }
    const auto* const bytes = reinterpret_cast<const std::uint8_t*>(x.data());
    expectation after;
    for (std::size_t i = 0; i < std::size_t{s.n} * Format::values; ++i) {
      const auto w = tg::kernels::reference::weight_of(format, bytes + i / Format::values * Format::bytes, i % Format::values);
      after.value.push_back(w.value);
      after.bound.push_back(2 * 0x1p-24 * w.size);  // two roundings
    }
    const unsigned n = s.n * Format::values;
    t.launch(tg::kernels::dequantize_grid(n), t.in(x), t.template out<float>(std::move(after)), n);
  };
}
constexpr facts unpacks(shape large) { return {.family = "quantised", .large = large}; }

}  // namespace detail

inline constexpr row dequantize_q4_0{tg::kernels::dequantize<tg::kernels::q4_0, float>, detail::unpacks({1, 1u << 12}),
                                     lines(64), detail::try_dequantize<tg::kernels::q4_0, 0, 1>("q4_0")};
inline constexpr row dequantize_q5_1{tg::kernels::dequantize<tg::kernels::q5_1, float>, detail::unpacks({1, 1u << 12}),
                                     lines(64), detail::try_dequantize<tg::kernels::q5_1, 0, 2>("q5_1")};
inline constexpr row dequantize_q4_k{tg::kernels::dequantize<tg::kernels::q4_k, float>, detail::unpacks({1, 1u << 9}), lines(8),
                                     detail::try_dequantize<tg::kernels::q4_k, 0, 2>("q4_k")};
inline constexpr row dequantize_q6_k{tg::kernels::dequantize<tg::kernels::q6_k, float>, detail::unpacks({1, 1u << 9}), lines(8),
                                     detail::try_dequantize<tg::kernels::q6_k, 208, 1>("q6_k")};

template <class Ask> void each_quantised(Ask ask) {
  ask(dequantize_q4_0);
  ask(dequantize_q5_1);
  ask(dequantize_q4_k);
  ask(dequantize_q6_k);
}

}  // namespace registry
