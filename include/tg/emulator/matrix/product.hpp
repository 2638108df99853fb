// D = A × B + C of one warp, in every type.
//
// Elements of A and B are exact in f32. Floating products are added to C in f32, in ascending order of k, and rounded
// to f16 once, at the end, where D is f16; a NaN in D is 0x7fffffff or 0x7fff. Integer sums are exact and then added to
// C, wrapping or saturating; bits are joined by and or xor and counted. f64 takes one fused step per k, in ascending
// order.
#pragma once

#include <algorithm>

#include <tg/emulator/image/floating_mode.hpp>
#include <tg/emulator/matrix/fragment.hpp>
#include <tg/emulator/matrix/sparsity.hpp>

namespace tg::emulator {

/// What becomes of the sums of products.
enum class accumulation : std::uint8_t {
  floating,
  wrapping,    // in s32
  saturating,  // in s32
  differing,   // in s32: how many bits differ
};

/// sums, as f32 with nothing added yet, → the bits of D; `c` holds the bits of C. Integers only.
inline void finish_integers(accumulation how, std::size_t k, const float* sums, const std::uint32_t* c, std::uint32_t* d,
                            std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    // Bits that differ were multiplied as +1 and -1.
    const std::int32_t sum = how == accumulation::differing
                                 ? (static_cast<std::int32_t>(k) - static_cast<std::int32_t>(sums[i])) / 2
                                 : static_cast<std::int32_t>(sums[i]);
    if (how != accumulation::saturating) {
      d[i] = c[i] + static_cast<std::uint32_t>(sum);
      continue;
    }
    const std::int64_t exact = std::int64_t{static_cast<std::int32_t>(c[i])} + sum;
    d[i] = static_cast<std::uint32_t>(std::clamp<std::int64_t>(exact, INT32_MIN, INT32_MAX));
  }
}

/// 0 and 1 become +1 and -1, so that a product says whether two bits differ.
inline void to_signs(float* bits, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) bits[i] = 1 - 2 * bits[i];
}

/// mma and wmma.mma of all types but f64; `batches` products lie behind each other.
class product_step final : public matrix_step {
 public:
  static constexpr std::size_t max_a = 4096, max_b = 2048, max_c = 256;

  matrix_shape shape;
  std::size_t batches = 1;
  accumulation how = accumulation::floating;
  fragment a, b;
  accumulator_fragment c, d;
  sparsity sparse;  // of A, where it has metadata

  void operator()(warp_view& view) const override {
    alignas(64) std::array<float, max_a> left;
    alignas(64) std::array<float, max_b> right;
    alignas(64) std::array<float, max_c> sums;
    alignas(64) std::array<std::uint32_t, max_c> bits;
    const std::size_t count = batches * shape.m * shape.n;
    a.gather(view, 0, left.data());
    if (sparse.is_used()) sparse.expand(view, shape, left.data());
    b.gather(view, 0, right.data());
    c.gather(view, 0, bits.data());
    const bool is_floating = how == accumulation::floating;
    if (how == accumulation::differing) {
      to_signs(left.data(), shape.m * shape.k);
      to_signs(right.data(), shape.k * shape.n);
    }
    if (is_floating) std::memcpy(sums.data(), bits.data(), count * sizeof(float));
    else std::fill_n(sums.data(), count, 0.0f);
    const lane_code& lanes = *view.lanes;
    for (std::size_t k = 0; k < batches; ++k)
      lanes.multiply_f32(sums.data() + k * shape.m * shape.n, left.data() + k * shape.m * shape.k,
                         right.data() + k * shape.k * shape.n, shape.m, shape.n, shape.k);
    if (is_floating) std::memcpy(bits.data(), sums.data(), count * sizeof(float));
    else finish_integers(how, shape.k, sums.data(), bits.data(), bits.data(), count);
    d.scatter(view, 0, bits.data());
  }
};

/// mma and wmma.mma of f64.
class product_f64_step final : public matrix_step {
 public:
  matrix_shape shape;
  dynamic_array<slot_ref> a, b, c, d;
  fragment_layout layout_a, layout_b, layout_c;
  std::uint32_t mode = 0;  // rounding

  void operator()(warp_view& view) const override {
    alignas(64) std::array<double, 256> left;
    alignas(64) std::array<double, 128> right;
    alignas(64) std::array<double, 128> sums;
    gather(view, a, layout_a, left.data());
    gather(view, b, layout_b, right.data());
    gather(view, c, layout_c, sums.data());
    {
      const floating_mode scope(mode);
      view.lanes->multiply_f64(sums.data(), left.data(), right.data(), shape.m, shape.n, shape.k);
    }
    const std::uint16_t* place = layout_c.data();
    for (const slot_ref& r : d) {
      auto* const to = view.values<double>(r);
      for (std::size_t i = 0; i < 32; ++i) to[i] = sums[*place++];
    }
  }

 private:
  static void gather(const warp_view& view, const dynamic_array<slot_ref>& registers, const fragment_layout& layout,
                     double* dense) {
    const std::uint16_t* place = layout.data();
    for (const slot_ref& r : registers) {
      const auto* const from = view.values<double>(r);
      for (std::size_t i = 0; i < 32; ++i) dense[*place++] = from[i];
    }
  }
};

}  // namespace tg::emulator
