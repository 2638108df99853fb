// wmma.load and wmma.store: a warp's accesses to the lines (rows or columns) of a matrix.
#pragma once

#include <tg/emulator/decode/decode_step.hpp>
#include <tg/emulator/matrix/line_address.hpp>

namespace tg::emulator::detail {

/// One matrix in memory and in registers. A and B lie in registers in the order of memory, so that each register is one
/// access; C and D do not depend on the order, so that their elements are accessed one by one, except halves in one
/// row.
class line_accesses {
 public:
  line_accesses(decoder& d, const ptx::instruction& i) : d_(d), instruction_(i) {
    using ptx::token;
    const matrix_shape s = ptx::to_matrix_shape(i.tokens());
    is_operand_ = !i.has(token::store) && !i.has(token::c);
    by_row_ = i.has(token::row);
    const std::size_t rows = i.has(token::b) ? s.k : s.m, columns = i.has(token::a) ? s.k : s.n;
    lines_ = by_row_ ? rows : columns;
    line_elems_ = by_row_ ? columns : rows;
    columns_ = columns;
    bits_ = static_cast<std::uint32_t>(ptx::width_bits(types_of(i).back()));
    if (types_of(i).back() == token::tf32) bits_ = 32;
  }

  void load() {
    const ptx::operand& o = instruction_[0];
    dynamic_array<slot_ref> to = results_of(d_, o, register_bytes());
    addresses(1, 2);
    if (is_split()) {
      for (std::size_t r = 0; r < to.size(); ++r) {
        const slot_ref low = d_.spare(4), high = d_.spare(4);
        access(2 * r, low, false);
        access(2 * r + 1, high, false);
        d_.lanes(lane_op::pack, lane_type::u16, to[r], {low, high});
      }
      return;
    }
    for (std::size_t r = 0; r < at_.size(); ++r) access(r, to[r], false);
    // Wider fragments hold the matrix more than once.
    for (std::size_t r = at_.size(); r < to.size(); ++r) d_.lanes(lane_op::copy, lane_type::u32, to[r], {to[r % at_.size()]});
  }

  void store() {
    const dynamic_array<slot_ref> from =
        sources_of(d_, instruction_[1], register_bytes() == 8 ? lane_type::u64 : lane_type::u32);
    addresses(0, 2);
    if (!is_split()) {
      for (std::size_t r = 0; r < from.size(); ++r) access(r, from[r], true);
      return;
    }
    for (std::size_t r = 0; r < from.size(); ++r) {
      const slot_ref high = d_.spare(4);
      d_.lanes(lane_op::shr, lane_type::u32, high, {from[r], d_.number(16, 4)});
      access(2 * r, from[r], true);
      access(2 * r + 1, high, true);
    }
  }

 private:
  unsigned register_bytes() const { return bits_ == 64 ? 8 : 4; }
  /// Two halves of a register lie in two lines.
  bool is_split() const { return !is_operand_ && bits_ == 16 && !by_row_; }

  /// Appends the step that computes the address of every access.
  void addresses(std::size_t address_operand, std::size_t stride_operand) {
    const auto made = std::make_shared<line_address_step>();
    made->base = base_of(d_, instruction_[address_operand], access_);
    access_.space = space_of(instruction_);
    made->stride = instruction_.operand_count > stride_operand ? d_.source(instruction_[stride_operand], lane_type::u32)
                                                               : d_.number(static_cast<std::int64_t>(line_elems_), 4);
    made->element_bits = bits_;
    const std::size_t packed = is_operand_ || bits_ == 16 ? std::max<std::size_t>(32 / bits_, 1) : 1;
    const std::size_t elements = lines_ * line_elems_ / 32, step = is_split() ? 1 : packed;
    const fragment_layout layout = is_operand_ ? layout_by_memory(lines_, line_elems_, by_row_, packed)
                                               : layout_of_c(ptx::to_matrix_shape(instruction_.tokens()));
    for (std::size_t e = 0; e < elements; e += step) {
      place_in_lines& p = made->places.emplace_back();
      for (std::size_t lane = 0; lane < 32; ++lane) {
        const std::size_t row = layout[e * 32 + lane] / columns_, column = layout[e * 32 + lane] % columns_;
        p.line[lane] = static_cast<std::uint16_t>(by_row_ ? row : column);
        p.element[lane] = static_cast<std::uint16_t>(by_row_ ? column : row);
      }
      at_.push_back(made->results.emplace_back(d_.spare(8)));
    }
    append_step(d_, made);
    const std::uint32_t bytes = step * bits_ / 8;
    access_.element_bytes = static_cast<std::uint8_t>(bytes);
    access_.type = bytes == 8 ? lane_type::u64 : bytes == 2 ? lane_type::u16 : lane_type::u32;
    access_.written_type = bytes == 8 ? ptx::token::b64 : bytes == 2 ? ptx::token::b16 : ptx::token::b32;
  }

  void access(std::size_t number, slot_ref value, bool is_write) {
    access_.is_write = is_write;
    append_access(d_, access_, {&value, 1}, at_[number]);
  }

  decoder& d_;
  const ptx::instruction& instruction_;
  bool is_operand_ = false;  // A or B
  bool by_row_ = false;
  std::size_t lines_ = 0, line_elems_ = 0, columns_ = 0;
  std::uint32_t bits_ = 0;
  memory_access access_;
  dynamic_array<slot_ref> at_;
};

}  // namespace tg::emulator::detail
