// Weights in blocks, and products with them.
#pragma once

#include <cmath>
#include <cstring>
#include <span>
#include <string_view>

#include <kernels/block_swiglu.hpp>
#include <kernels/block_swiglu_q8_1.hpp>
#include <kernels/dequantize.hpp>
#include <kernels/quantize.hpp>
#include <kernels/reference/dequantize.hpp>
#include <kernels/reference/quantize.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// How a format is named, and where its blocks have their f16 numbers: from byte `first` on, `count` of them.
struct block_facts {
  std::string_view name;
  unsigned first, count;
};
inline constexpr block_facts q4_0_facts{"q4_0", 0, 1}, q5_1_facts{"q5_1", 0, 2}, q4_k_facts{"q4_k", 0, 2},
    q6_k_facts{"q6_k", 208, 1};

/// Random blocks, as 16-bit numbers.
template <class Format, class Trial>
std::vector<std::uint16_t> any_blocks(Trial& t, const block_facts& of, std::size_t blocks) {
  auto x = t.template integers<std::uint16_t>(blocks * Format::bytes / 2);
  const auto scales = t.floats(blocks * of.count, -0.1f, 0.1f);
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t k = 0; k < of.count; ++k) {
      const tg::f16 number(scales[b * of.count + k]);
      std::memcpy(&x[b * Format::bytes / 2 + of.first / 2 + k], &number, 2);
    }
  return x;
}
/// Weight i of these blocks.
template <class Format>
tg::kernels::reference::weight weight_at(const std::vector<std::uint16_t>& x, const block_facts& of, std::size_t i) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(x.data());
  return tg::kernels::reference::weight_of(of.name, bytes + i / Format::values * Format::bytes,
                                           static_cast<unsigned>(i % Format::values));
}

/// n blocks become floats.
template <class Format> constexpr auto try_dequantize(block_facts of) {
  return [of](auto& t, const shape& s) {
    const auto x = any_blocks<Format>(t, of, s.n);
    expectation after;
    for (std::size_t i = 0; i < std::size_t{s.n} * Format::values; ++i) {
      const auto w = weight_at<Format>(x, of, i);
      after.value.push_back(w.value);
      after.bound.push_back(2 * 0x1p-24 * w.size);  // two roundings
    }
    const unsigned n = s.n * Format::values;
    t.launch(tg::kernels::dequantize_grid(n), t.in(x), t.template out<float>(std::move(after)), n);
  };
}
/// n blocks of 32 floats become quantised.
template <class Format> constexpr auto try_quantize(std::string_view name) {
  return [name](auto& t, const shape& s) {
    const unsigned n = s.n * 32;
    const auto x = t.floats(n);
    std::vector<std::uint16_t> wanted;
    for (unsigned first = 0; first < n; first += 32) {
      const auto block = tg::kernels::reference::quantize(name, std::span(x).subspan(first, 32));
      for (std::size_t k = 0; k < block.size(); k += 2)
        wanted.push_back(static_cast<std::uint16_t>(block[k] | block[k + 1] << 8));
    }
    t.launch(tg::kernels::quantize_grid(n), t.in(x), t.template out<std::uint16_t>(exactly(wanted)), n);
  };
}
/// m rows of blocks times vectors of floats.
template <class Format, unsigned Vectors, unsigned Warps>
expectation products_with_floats(const std::vector<std::uint16_t>& w, const std::vector<float>& x, block_facts of,
                                 unsigned rows, unsigned columns) {
  // Two roundings of a weight; additions of a lane, of lanes and of warps.
  const double roundings = 2 + 8 * std::ceil(std::ceil(columns / 256.0) / Warps) + 5 + Warps;
  expectation after;
  for (std::size_t b = 0; b < Vectors; ++b)
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0, size = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const auto own = weight_at<Format>(w, of, r * columns + j);
        sum += own.value * x[b * columns + j];
        size += own.size * std::abs(x[b * columns + j]);
      }
      after.value.push_back(sum);
      after.bound.push_back(roundings * 1.001 * 0x1p-24 * size);
    }
  return after;
}
/// m rows of n blocks times vectors.
template <class Format, unsigned Vectors, unsigned Warps> constexpr auto try_block_matvec(block_facts of) {
  return [of](auto& t, const shape& s) {
    const unsigned columns = s.n * Format::values, numbers = s.n * Format::bytes / 2;
    const auto w = any_blocks<Format>(t, of, std::size_t{s.m} * s.n);
    const auto x = t.floats(std::size_t{Vectors} * columns);
    t.launch(tg::kernels::block_matvec_grid<Warps>(s.m), t.in(w, s.m, numbers, tg::kernels::block_unit<Format>),
             t.in(x, Vectors, columns, 4),
             t.template out<float>(products_with_floats<Format, Vectors, Warps>(w, x, of, s.m, columns), Vectors, s.m), s.m,
             columns);
  };
}
/// Activations in Q8_1, whose scales are powers of two, so that sums of groups are exact: `x` is what the bytes say.
struct q8_1_line {
  std::vector<std::int8_t> q;
  std::vector<tg::f16x2> ds;
  std::vector<double> x;
};
template <class Trial> q8_1_line any_q8_1(Trial& t, std::size_t count) {
  q8_1_line out{t.template integers<std::int8_t>(count, -63, 63), {}, {}};
  for (std::size_t g = 0; g < count / 32; ++g) {
    const double d = std::ldexp(1.0, -static_cast<int>(t.engine()() % 8));
    double sum = 0;
    for (std::size_t j = 32 * g; j < 32 * g + 32; ++j) {
      out.x.push_back(d * out.q[j]);
      sum += out.x.back();
    }
    out.ds.push_back({tg::f16(d), tg::f16(sum)});
  }
  return out;
}
/// m rows of n blocks times vectors in Q8_1. `zero`: the byte that means 0, where it is not a term of its own.
template <class Format, unsigned Vectors, unsigned Warps>
expectation products_with_q8_1(const std::vector<std::uint16_t>& w, const q8_1_line& all, block_facts of, double zero,
                               unsigned rows, unsigned columns) {
  // Four roundings of a product; four additions for each turn of a lane, one of two sums, those of lanes and of warps.
  const double roundings = 4 + 4 * std::ceil(std::ceil(columns / 1024.0) / Warps) + 1 + 5 + Warps;
  expectation after;
  for (std::size_t b = 0; b < Vectors; ++b)
    for (std::size_t r = 0; r < rows; ++r) {
      double sum = 0, size = 0;
      for (std::size_t j = 0; j < columns; ++j) {
        const auto own = weight_at<Format>(w, of, r * columns + j);
        const double by = all.x[b * columns + j];
        sum += own.value * by;
        size += (own.size + 2 * zero * 0.1001) * std::abs(by);  // scales are at most 0.1
      }
      after.value.push_back(sum);
      after.bound.push_back(roundings * 1.001 * 0x1p-24 * size);
    }
  return after;
}
template <class Format, unsigned Vectors, unsigned Warps>
constexpr auto try_block_matvec_q8_1(block_facts of, double zero = 0) {
  return [of, zero](auto& t, const shape& s) {
    const unsigned columns = s.n * Format::values, numbers = s.n * Format::bytes / 2;
    const auto w = any_blocks<Format>(t, of, std::size_t{s.m} * s.n);
    const auto all = any_q8_1(t, std::size_t{Vectors} * columns);
    t.launch(tg::kernels::block_matvec_grid<Warps>(s.m), t.in(w, s.m, numbers, tg::kernels::block_unit<Format>),
             t.in(all.q, Vectors, columns, 32), t.in(all.ds, Vectors, columns / 32),
             t.template out<float>(products_with_q8_1<Format, Vectors, Warps>(w, all, of, zero, s.m, columns), Vectors, s.m),
             s.m, columns);
  };
}
/// silu(g) * u.
inline expectation gated(const expectation& g, const expectation& u) {
  expectation after;
  for (std::size_t i = 0; i < g.value.size(); ++i) {
    const double silu = g.value[i] / (1 + std::exp(-g.value[i]));
    // The slope of silu is below 1.1; silu itself is within 4 ulp, which are 8 roundings, and a product is one.
    const double off = 1.1 * g.bound[i] + 8 * 0x1p-24 * (std::abs(silu) + 1.1 * g.bound[i]) + 0x1p-126;
    after.value.push_back(silu * u.value[i]);
    after.bound.push_back(1.001 * (off * (std::abs(u.value[i]) + u.bound[i]) + std::abs(silu) * u.bound[i] +
                                   0x1p-24 * std::abs(silu * u.value[i]) + 0x1p-126));
  }
  return after;
}
template <class Format, unsigned Vectors, unsigned Warps>
constexpr auto try_block_swiglu_q8_1(block_facts of, double zero = 0) {
  return [of, zero](auto& t, const shape& s) {
    const unsigned columns = s.n * Format::values, numbers = s.n * Format::bytes / 2;
    const auto gate = any_blocks<Format>(t, of, std::size_t{s.m} * s.n), up = any_blocks<Format>(t, of, std::size_t{s.m} * s.n);
    const auto all = any_q8_1(t, std::size_t{Vectors} * columns);
    const auto g = products_with_q8_1<Format, Vectors, Warps>(gate, all, of, zero, s.m, columns);
    const auto u = products_with_q8_1<Format, Vectors, Warps>(up, all, of, zero, s.m, columns);
    t.launch(tg::kernels::block_matvec_grid<Warps>(s.m), t.in(gate, s.m, numbers, tg::kernels::block_unit<Format>),
             t.in(up, s.m, numbers, tg::kernels::block_unit<Format>), t.in(all.q, Vectors, columns, 32),
             t.in(all.ds, Vectors, columns / 32), t.template out<float>(gated(g, u), Vectors, s.m), s.m, columns);
  };
}
template <class Format, unsigned Vectors, unsigned Warps> constexpr auto try_block_swiglu(block_facts of) {
  return [of](auto& t, const shape& s) {
    const unsigned columns = s.n * Format::values, numbers = s.n * Format::bytes / 2;
    const auto gate = any_blocks<Format>(t, of, std::size_t{s.m} * s.n), up = any_blocks<Format>(t, of, std::size_t{s.m} * s.n);
    const auto x = t.floats(std::size_t{Vectors} * columns);
    const auto g = products_with_floats<Format, Vectors, Warps>(gate, x, of, s.m, columns);
    const auto u = products_with_floats<Format, Vectors, Warps>(up, x, of, s.m, columns);
    t.launch(tg::kernels::block_matvec_grid<Warps>(s.m), t.in(gate, s.m, numbers, tg::kernels::block_unit<Format>),
             t.in(up, s.m, numbers, tg::kernels::block_unit<Format>), t.in(x, Vectors, columns, 4),
             t.template out<float>(gated(g, u), Vectors, s.m), s.m, columns);
  };
}
constexpr facts unpacks(shape large, twin other = {}) { return {.family = "quantised", .other = other, .large = large}; }

}  // namespace detail

inline constexpr row dequantize_q4_0{tg::kernels::dequantize<tg::kernels::q4_0, float>,
                                     detail::unpacks({1, 1u << 12}, {"dequantise.cu", "dequantize_q4_0"}), lines(64),
                                     detail::try_dequantize<tg::kernels::q4_0>(detail::q4_0_facts)};
inline constexpr row dequantize_q5_1{tg::kernels::dequantize<tg::kernels::q5_1, float>,
                                     detail::unpacks({1, 1u << 12}, {"dequantise.cu", "dequantize_q5_1"}), lines(64),
                                     detail::try_dequantize<tg::kernels::q5_1>(detail::q5_1_facts)};
inline constexpr row dequantize_q4_k{tg::kernels::dequantize<tg::kernels::q4_k, float>,
                                     detail::unpacks({1, 1u << 9}, {"dequantise.cu", "dequantize_q4_k"}), lines(8),
                                     detail::try_dequantize<tg::kernels::q4_k>(detail::q4_k_facts)};
inline constexpr row dequantize_q6_k{tg::kernels::dequantize<tg::kernels::q6_k, float>,
                                     detail::unpacks({1, 1u << 9}, {"dequantise.cu", "dequantize_q6_k"}), lines(8),
                                     detail::try_dequantize<tg::kernels::q6_k>(detail::q6_k_facts)};

inline constexpr row block_matvec_q4_0{tg::kernels::block_matvec<tg::kernels::q4_0>,
                                       detail::unpacks({64, 64}, {"block_matvec.cu", "block_matvec_q4_0"}), matrices(8, 8),
                                       detail::try_block_matvec<tg::kernels::q4_0, 1, 1>(detail::q4_0_facts)};
inline constexpr row block_matvec_q5_1{tg::kernels::block_matvec<tg::kernels::q5_1, 3, 2>, detail::unpacks({64, 64}),
                                       matrices(4, 16), detail::try_block_matvec<tg::kernels::q5_1, 3, 2>(detail::q5_1_facts)};
inline constexpr row block_matvec_q4_k{tg::kernels::block_matvec<tg::kernels::q4_k, 4>, detail::unpacks({64, 8}),
                                       matrices(8, 2), detail::try_block_matvec<tg::kernels::q4_k, 4, 1>(detail::q4_k_facts)};
inline constexpr row block_matvec_q6_k{tg::kernels::block_matvec<tg::kernels::q6_k, 1, 8>, detail::unpacks({64, 8}),
                                       matrices(1, 8), detail::try_block_matvec<tg::kernels::q6_k, 1, 8>(detail::q6_k_facts)};

inline constexpr row block_matvec_q8_1_q4_0{tg::kernels::block_matvec_q8_1<tg::kernels::q4_0>,
                                            detail::unpacks({64, 64}, {"block_matvec_q8_1.cu", "block_matvec_q8_1_q4_0"}),
                                            matrices(8, 32),
                                            detail::try_block_matvec_q8_1<tg::kernels::q4_0, 1, 1>(detail::q4_0_facts, 8)};
inline constexpr row block_matvec_q8_1_q5_1{tg::kernels::block_matvec_q8_1<tg::kernels::q5_1, 3, 2>, detail::unpacks({64, 64}),
                                            matrices(4, 64),
                                            detail::try_block_matvec_q8_1<tg::kernels::q5_1, 3, 2>(detail::q5_1_facts)};
inline constexpr row block_matvec_q8_1_q4_k{tg::kernels::block_matvec_q8_1<tg::kernels::q4_k, 4>, detail::unpacks({64, 8}),
                                            matrices(8, 4),
                                            detail::try_block_matvec_q8_1<tg::kernels::q4_k, 4, 1>(detail::q4_k_facts)};
inline constexpr row block_matvec_q8_1_q6_k{tg::kernels::block_matvec_q8_1<tg::kernels::q6_k, 1, 8>, detail::unpacks({64, 8}),
                                            matrices(1, 32),
                                            detail::try_block_matvec_q8_1<tg::kernels::q6_k, 1, 8>(detail::q6_k_facts)};

inline constexpr row block_swiglu_of_floats{tg::kernels::block_swiglu<tg::kernels::q5_1, 2>, detail::unpacks({64, 64}),
                                            matrices(8, 8),
                                            detail::try_block_swiglu<tg::kernels::q5_1, 2, 1>(detail::q5_1_facts)};
inline constexpr row block_swiglu_q4_0{tg::kernels::block_swiglu_q8_1<tg::kernels::q4_0>, detail::unpacks({64, 64}),
                                       matrices(8, 32),
                                       detail::try_block_swiglu_q8_1<tg::kernels::q4_0, 1, 1>(detail::q4_0_facts, 8)};
inline constexpr row block_swiglu_q4_k{tg::kernels::block_swiglu_q8_1<tg::kernels::q4_k, 2, 2>, detail::unpacks({64, 8}),
                                       matrices(4, 8),
                                       detail::try_block_swiglu_q8_1<tg::kernels::q4_k, 2, 2>(detail::q4_k_facts)};

inline constexpr row quantize_q4_0{tg::kernels::quantize<tg::kernels::q4_0>,
                                   detail::unpacks({1, 1u << 12}, {"quantise.cu", "quantize_q4_0"}), lines(64),
                                   detail::try_quantize<tg::kernels::q4_0>("q4_0")};
inline constexpr row quantize_q8_0{tg::kernels::quantize<tg::kernels::q8_0>,
                                   detail::unpacks({1, 1u << 12}, {"quantise.cu", "quantize_q8_0"}), lines(64),
                                   detail::try_quantize<tg::kernels::q8_0>("q8_0")};

template <class Ask> void each_quantised(Ask ask) {
  ask(dequantize_q4_0);
  ask(dequantize_q5_1);
  ask(dequantize_q4_k);
  ask(dequantize_q6_k);
  ask(block_matvec_q4_0);
  ask(block_matvec_q5_1);
  ask(block_matvec_q4_k);
  ask(block_matvec_q6_k);
  ask(block_matvec_q8_1_q4_0);
  ask(block_matvec_q8_1_q5_1);
  ask(block_matvec_q8_1_q4_k);
  ask(block_matvec_q8_1_q6_k);
  ask(block_swiglu_of_floats);
  ask(block_swiglu_q4_0);
  ask(block_swiglu_q4_k);
  ask(quantize_q4_0);
  ask(quantize_q8_0);
}

}  // namespace registry
