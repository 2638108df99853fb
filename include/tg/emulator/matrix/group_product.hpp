// wgmma.mma_async: D = A × B + D of four warps, 16 rows each. It is done where it is issued, in the order of issue.
// Rounding and order are those of product.hpp.
#pragma once

#include <tg/emulator/matrix/product.hpp>
#include <tg/emulator/matrix/shared_tile.hpp>

namespace tg::emulator {

/// One wgmma.mma_async of a warpgroup.
class group_product_step final : public matrix_step {
 public:
  matrix_shape shape;  // of one warp: m is 16
  accumulation how = accumulation::floating;
  fragment a;             // without registers where A is in shared memory
  slot_ref descriptor_a;  // of 8 bytes
  slot_ref descriptor_b;
  matrix_element element_b;
  bool a_by_line = false, b_by_line = false;
  float sign = 1;
  slot_ref adds;  // predicate: D takes part
  accumulator_fragment d;

  bool is_for_group() const override { return true; }

  void operator()(warp_view& view) const override {
    dynamic_array<float> right(shape.k * shape.n), left(64 * shape.k), sums(16 * shape.n);
    dynamic_array<std::uint32_t> bits(16 * shape.n);
    const auto at = [&](std::uint64_t address) { return shared(view, address); };
    gather_tile(tile(view, descriptor_b), element_b, shape.n, b_by_line, 1, shape.n, right.data(), at);
    if (a.registers.empty()) gather_tile(tile(view, descriptor_a), a.element, 64, a_by_line, shape.k, 1, left.data(), at);
    if (view.outside) return;
    const bool is_floating = how == accumulation::floating;
    for (std::uint32_t k = 0; k < 4; ++k) {
      float* const rows = left.data() + 16 * k * shape.k;
      if (!a.registers.empty()) a.gather(view, k, rows);
      if (sign < 0)
        for (std::size_t i = 0; i < 16 * shape.k; ++i) rows[i] = -rows[i];
      if (*view.words(adds, k) != 0) d.gather(view, k, bits.data());
      else std::fill(bits.begin(), bits.end(), 0u);
      if (is_floating) std::memcpy(sums.data(), bits.data(), bits.size() * sizeof(float));
      else std::fill(sums.begin(), sums.end(), 0.0f);
      view.lanes->multiply_f32(sums.data(), rows, right.data(), 16, shape.n, shape.k);
      if (is_floating) std::memcpy(bits.data(), sums.data(), bits.size() * sizeof(float));
      else finish_integers(how, shape.k, sums.data(), bits.data(), bits.data(), bits.size());
      d.scatter(view, k, bits.data());
    }
  }

 private:
  static shared_tile tile(const warp_view& view, slot_ref s) { return shared_tile(*view.values<std::uint64_t>(s)); }

  static const std::byte* shared(warp_view& view, std::uint64_t address) {
    static constexpr std::byte nothing[16] = {};
    if (view.reads != nullptr) view.reads->push_back(address);
    if (address + 16 <= view.shared_bytes) return view.shared + address;
    if (!view.outside) view.outside = address;
    return nothing;
  }
};

/// setmaxnreg: the registers are not counted, but that the warps of a group agree is checked.
class register_count_step final : public matrix_step {
 public:
  register_count_step(std::uint32_t count, bool is_more) : setting_(count + (is_more ? 1 : 0)) {}

  void operator()(warp_view&) const override {}
  std::optional<std::uint32_t> sets_registers() const override { return setting_; }

 private:
  std::uint32_t setting_;
};

/// wgmma.fence, commit_group and wait_group.
class group_order_step final : public matrix_step {
 public:
  explicit group_order_step(bool commits, std::optional<std::uint32_t> left = std::nullopt) : commits_(commits), left_(left) {}

  void operator()(warp_view&) const override {}
  bool commits() const override { return commits_; }
  std::optional<std::uint32_t> waits_for_all_but() const override { return left_; }

 private:
  bool commits_;
  std::optional<std::uint32_t> left_;
};

}  // namespace tg::emulator
