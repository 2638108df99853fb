// What the type of a kernel's parameter says of a parameter of the PTX function.
#pragma once

#include <cstdint>

namespace tg::proof {

/// One parameter of the function: a view has one for each of its dimensions, a scalar one.
struct parameter_fact {
  enum class kind { buffer, row_stride, scalar };
  kind what = kind::scalar;
  std::int64_t multiple_of = 1;
  std::int64_t most = 0;            // of a scalar, as its contract says; 0: nothing is promised
  std::int64_t least_elements = 0;  // of a buffer, as its contract says; 0: nothing is promised
  std::int64_t element_bytes = 1;   // of a buffer and of its row stride
  std::int64_t box_bytes = 0;       // of a tensor map; 0: it is none
  std::int64_t example = 0;         // of a stride of planes: what it is in examples, so that they do not overlap; 0: any number
  int argument = 0;                 // number of the kernel's parameter
};

/// Rows of a matrix are this many elements apart while a kernel is proved: more than any row has.
inline constexpr std::int64_t row_elements = std::int64_t{1} << 34;

/// Planes of a view, and boxes of planes, are this many elements apart in examples: more than their rows and planes have in
/// any. A launch refuses those that overlap.
constexpr std::int64_t plane_elements(int rank, int dimension) {
  const int rows = rank == 3 ? 20 : 16, planes = dimension == rank - 3 ? 0 : 6;
  return row_elements << (rows + planes);
}

}  // namespace tg::proof
