// Rings of tiles in shared memory that operands of products are copied to while earlier ones are used.
#pragma once

#include <tg/dsl/async/copy_tile.hpp>
#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/dsl/wgmma/fence_async_proxy.hpp>
#include <tg/tile/shared_part.hpp>

namespace tg::detail {

/// Begins to copy a rectangle, or rows that are picked, from `across` columns behind its first one on.
template <class Block, class To, class Part, class Across>
void copy_part(const Block& block, const To& to, const Part& part, const Across& across, source_location where) {
  const auto left = [&] {
    if constexpr (is_constant<Across>) return part.column;
    else return part.column + across;
  }();
  if constexpr (requires { Part::is_picked; })
    tg::copy_rows(block, to, part.from.view, part.pick, left, part.from.rows, part.from.columns, where);
  else tg::copy_tile(block, to, part.from.view, part.row, left, part.from.rows, part.from.columns, where);
}

/// A stage that this thread has waited for.
template <class Slot> struct landed_slot {
  using landed_stage = void;
  Slot index;
  /// The pipeline reads a stage only until it is filled again.
  void require_kept(source_location /*where*/) const {}
};
template <class Slot> landed_slot(Slot) -> landed_slot<Slot>;

/// Each stage is a tile whose rows are those of the operand. For ldmatrix and for reads of floats.
template <class T, int Stages, int Rows, int Columns> class plain_ring {
 public:
  explicit plain_ring(source_location where) : stages_(where) {}

  template <class Block, class Slot, class Part>
  void fetch(const Block& block, const Slot& slot, const Part& part, source_location where) const {
    copy_part(block, stages_.fill(slot), part, constant<0>{}, where);
  }
  template <class Groups, class Slot> auto read(const Groups& landed, const Slot& slot) const {
    return shared_part{stages_.read(landed, slot)};
  }
  template <class Slot> auto read(const landed_slot<Slot>& landed) const { return shared_part{stages_.read(landed)}; }

  /// The tiles of all stages, to be filled by other words.
  using all_stages = stages_t<T, Stages, shape_t<Rows, Columns>, decltype(operand_layout<T, Rows, Columns>())>;
  const all_stages& stages() const { return stages_; }

 private:
  all_stages stages_;
};

/// Each stage is a number of panels, rows of 128 bytes at most, one behind the other. For wgmma.
template <class T, int Stages, int Rows, int Columns> class panel_ring {
 public:
  static constexpr int panel_columns =
      Columns < 128 / static_cast<int>(sizeof(T)) ? Columns : 128 / static_cast<int>(sizeof(T));
  static constexpr int panels = Columns / panel_columns;

  explicit panel_ring(source_location where) : stages_(where) {}

  template <class Block, class Slot, class Part>
  void fetch(const Block& block, const Slot& slot, const Part& part, source_location where) const {
    for (int p = 0; p < panels; ++p)
      copy_part(block, stages_.fill(slot * constant<panels>{} + tg::uniform(p)), part,
                tg::uniform<panel_columns>(p * panel_columns), where);
  }
  template <class Groups, class Slot> auto read(const Groups& landed, const Slot& slot) const {
    return panels_from(stages_.read(landed, slot * constant<panels>{}));
  }
  template <class Slot> auto read(const landed_slot<Slot>& landed) const {
    return panels_from(stages_.read(landed_slot{landed.index * constant<panels>{}}));
  }

  /// The panels of all stages, to be filled by other words.
  using panel_stages =
      stages_t<T, Stages * panels, shape_t<Rows, panel_columns>, decltype(panel_layout<T, Rows, panel_columns>())>;
  const panel_stages& stages() const { return stages_; }

 private:
  template <class Stage> static auto panels_from(const Stage& first) { return shared_part{panels_of<Stage, panels>{first}}; }

  panel_stages stages_;
};

/// The ring for rectangles of `Part` in a block of `Shape`.
template <class Shape, int Stages, class Part>
using operand_ring = std::conditional_t<std::is_same_v<default_unit<Shape>, warpgroup_cores> &&
                                            !std::is_same_v<typename Part::element_type, float>,
                                        panel_ring<typename Part::element_type, Stages, Part::rows, Part::columns>,
                                        plain_ring<typename Part::element_type, Stages, Part::rows, Part::columns>>;

/// What is copied to a ring is seen by the instructions that read it, behind the next barrier.
template <class Shape> void show_to_products(source_location where) {
  if constexpr (std::is_same_v<default_unit<Shape>, warpgroup_cores>) fence_async_proxy(where);
}

}  // namespace tg::detail
