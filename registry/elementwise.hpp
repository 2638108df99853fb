// Element by element: what is read once and written once.
#pragma once

#include <kernels/reference/saxpy.hpp>
#include <kernels/saxpy.hpp>
#include <kernels/saxpy4.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// y = a * x + y: one product and one sum are rounded, or their whole once.
inline constexpr auto try_saxpy = [](auto& t, const shape& s, unsigned per_block) {
  const auto x = t.floats(s.n), y = t.floats(s.n);
  const float a = 1.5f;
  const auto wanted = within(tg::kernels::reference::saxpy(a, x, y),
                             [&](std::size_t i) { return 0x1p-24 * (2 * std::abs(a * x[i]) + std::abs(y[i])); });
  t.launch(tg::grid((s.n + per_block - 1) / per_block), t.in(x), t.in_out(y, wanted), a, s.n);
};

}  // namespace detail

inline constexpr row saxpy{tg::kernels::saxpy,
                           {.family = "element-wise", .other = {"saxpy.cu", "saxpy"}, .large = {1, 1u << 20}},
                           lines(256),
                           [](auto& t, const shape& s) { detail::try_saxpy(t, s, 256); }};
inline constexpr row saxpy4{tg::kernels::saxpy4,
                            {.family = "element-wise", .other = {"saxpy4.cu", "saxpy4"}, .large = {1, 1u << 20}},
                            lines(1024),
                            [](auto& t, const shape& s) { detail::try_saxpy(t, s, 1024); }};

template <class Ask> void each_elementwise(Ask ask) {
  ask(saxpy);
  ask(saxpy4);
}

}  // namespace registry
