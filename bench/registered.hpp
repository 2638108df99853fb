// The launch of a row of the registry as work for any PTX text: ours, and that of another compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <bench/executed.hpp>
#include <registry/row.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/runtime/grid.hpp>

namespace bench {

/// Takes the launch of a row without making it.
class text_trial : public registry::operand_maker {
 public:
  /// `block`: the threads of a block along each axis.
  explicit text_trial(const tg::fixed_array<int, 3>& block) : operand_maker(1), block_(block) {}

  template <class... A> void launch(const tg::placement& grid, const A&... arguments) {
    const auto blocks = [&](std::size_t axis) {
      const std::int64_t own = grid.is_blocks ? 1 : block_[axis];
      return static_cast<unsigned>((grid.extents[axis] + own - 1) / own);
    };
    work_.grid = {blocks(0), blocks(1), blocks(2)};
    (add(arguments), ...);
  }
  const work& made() const { return work_; }

 private:
  template <class T> void add(const registry::operand<T>& own) { work_.arguments.push_back(buffer(own.before)); }
  template <class T> void add(const registry::matrix_operand<T>& own) {
    work_.arguments.push_back(buffer(own.before));
    // A matrix without gaps is one whose kernel knows how far its rows are apart.
    if (own.leading != own.columns) work_.arguments.push_back(row_stride<T>(own.leading));
  }
  template <class T> void add(const T& own) { work_.arguments.push_back(number(own)); }

  // Its dynamic shared memory is enough for tiles whose size an argument decides, and for the stages of a product.
  work work_{{}, {}, std::size_t{160} * 1024};
  tg::fixed_array<int, 3> block_;
};

/// The launch of a row for its shape `large`.
template <class Row> work work_of(const Row& row) {
  constexpr auto block = std::remove_cvref_t<decltype(row.kernel)>::block;
  text_trial trial({block.x, block.y, block.z});
  row.launch(trial, row.known.large);
  return trial.made();
}

}  // namespace bench
