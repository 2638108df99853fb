// The launch of a row of the registry as work for any PTX text: ours, and that of another compiler.
#pragma once

#include <cstddef>

#include <bench/executed.hpp>
#include <registry/row.hpp>
#include <tg/runtime/grid.hpp>

namespace bench {

/// Takes the launch of a row without making it.
class text_trial : public registry::operand_maker {
 public:
  text_trial() : operand_maker(1) {}

  /// Requires: the grid is in blocks.
  template <class... A> void launch(const tg::placement& grid, const A&... arguments) {
    work_.grid = {static_cast<unsigned>(grid.extents[0]), static_cast<unsigned>(grid.extents[1]),
                  static_cast<unsigned>(grid.extents[2])};
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
  work work_{{}, {}, 131072};
};

/// The launch of a row for its shape `large`.
template <class Row> work work_of(const Row& row) {
  text_trial trial;
  row.launch(trial, row.known.large);
  return trial.made();
}

}  // namespace bench
