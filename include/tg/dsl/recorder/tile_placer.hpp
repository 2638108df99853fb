// Where the tiles of a recorded kernel lie: in static shared memory while they fit there, else in dynamic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include <tg/analysis/capability_table.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// Moves tiles of fixed size to dynamic shared memory where they have more than 48 KB together, and gives those whose
/// size the launch decides their places behind them.
class tile_placer {
 public:
  explicit tile_placer(tape& t) : tape_(t), fixed_bytes_(0) {
    for (const recorded_tile& own : tape_.tiles) {
      if (ptx::is_fixed(own.size)) fixed_bytes_ += ptx::aligned_tile_bytes(own.size.element_bytes);
      else has_sized_ = true;
    }
  }

  /// Errors: TG124 for more than any GPU has.
  void operator()() {
    if (fixed_bytes_ > analysis::most_shared_bytes) refuse();
    const bool moves_fixed = fixed_bytes_ > analysis::max_static_shared_bytes;
    if (!moves_fixed && !has_sized_) return;
    places_.resize(tape_.mod().variables.size());
    std::int64_t end = 0;
    std::stable_sort(tape_.tiles.begin(), tape_.tiles.end(), [this](const recorded_tile& a, const recorded_tile& b) {
      return alignment_of(a) > alignment_of(b);  // no gaps: the size of a tile is a multiple of its alignment
    });
    for (const bool is_fixed : {true, false})
      for (const recorded_tile& own : tape_.tiles) {
        if (ptx::is_fixed(own.size) != is_fixed || (is_fixed && !moves_fixed)) continue;
        places_[own.variable] = {true, end};
        align_ = std::max(align_, alignment_of(own));
        if (is_fixed) end += ptx::aligned_tile_bytes(own.size.element_bytes);
        tape_.mod().tiles.push_back(own.size);
      }
    move_variables();
    add_beginnings();
    for (ptx::instruction& i : tape_.fn().body)
      for (ptx::operand& o : i.operands()) move(o);
  }

 private:
  struct place {
    bool is_moved = false;
    std::int64_t offset = 0;  // in the array of all
    std::uint32_t id = 0;     // the variable it is now
  };

  std::uint32_t alignment_of(const recorded_tile& t) const { return tape_.mod().variables[t.variable].align; }

  void move_variables() {
    auto& variables = tape_.mod().variables;
    dynamic_array<ptx::variable> kept;
    for (std::size_t k = 0; k < variables.size(); ++k) {
      if (places_[k].is_moved) continue;
      places_[k].id = static_cast<std::uint32_t>(kept.size());
      kept.push_back(std::move(variables[k]));
    }
    for (place& p : places_)
      if (p.is_moved) p.id = static_cast<std::uint32_t>(kept.size());
    ptx::variable& all = kept.emplace_back();
    all.space = ptx::token::shared;
    all.align = align_;
    all.count = -1;
    all.name = tape_.fn().name + "_tiles";
    all.external = true;
    variables = std::move(kept);
  }

  /// `mov a, tile` of a tile that does not begin where the first of its kind does: the distance is added.
  void add_beginnings() {
    auto& body = tape_.fn().body;
    for (const recorded_tile& own : tape_.tiles) {
      if (!own.begin.is_reg()) continue;
      for (std::size_t n = 0; n < body.size(); ++n) {
        if (!ptx::computes(body[n].op, ptx::calculation::copy) || !body[n][1].is(ptx::operand_kind::variable) ||
            body[n][1].id != own.variable)
          continue;
        const ptx::operand address = body[n][0];
        body[n][0] = ptx::operand::reg(tape_.fn().new_register(ptx::token::b32));
        ptx::instruction sum(ptx::operation::add(ptx::token::u32), {address, body[n][0], own.begin});
        sum.where = body[n].where;
        body.insert(body.begin() + static_cast<std::ptrdiff_t>(n) + 1, sum);
        break;
      }
    }
  }

  void move(ptx::operand& o) const {
    const ptx::operand_kind kind = o.is(ptx::operand_kind::address) ? o.base : o.kind;
    if (kind != ptx::operand_kind::variable) return;
    const place& p = places_[o.id];
    o.id = p.id;
    o.value += p.offset;
  }

  [[noreturn]] void refuse() const {
    std::string list;
    for (const recorded_tile& own : tape_.tiles)
      if (ptx::is_fixed(own.size))
        list += (list.empty() ? "" : ", ") + std::to_string(own.size.element_bytes) + " bytes of line " +
                std::to_string(own.size.line);
    throw error(code{124},
                "the tiles of this kernel have " + std::to_string(fixed_bytes_) + " bytes: " + list + "; a block has at most " +
                    std::to_string(analysis::most_shared_bytes) + " on any GPU",
                "use smaller tiles, or fewer of them", tape_.where);
  }

  tape& tape_;
  std::int64_t fixed_bytes_;
  bool has_sized_ = false;
  std::uint32_t align_ = ptx::tile_alignment_bytes;
  dynamic_array<place> places_;
};

}  // namespace tg::detail
