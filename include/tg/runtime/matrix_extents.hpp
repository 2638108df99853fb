// The extents of the matrices that a launch is given: where the tensor maps end that it makes of them.
#pragma once

#include <cstddef>
#include <cstdint>

#include <tg/dsl/memory/element.hpp>

namespace tg::runtime {

/// How many rows and columns the matrix has whose address lies at `offset` among packed parameters.
struct matrix_extents {
  int number = 0;  // of the argument, from 1
  std::size_t offset = 0;
  std::uint64_t rows = 0, columns = 0;
};

/// Whether launches may make a tensor map of a parameter.
template <class P>
inline constexpr bool may_be_mapped = [] {
  if constexpr (requires { P::is_tensor_map; }) return false;
  else if constexpr (P::rank != 2) return false;
  else return P::access == mode::read;
}();

/// Notes the extents of argument `number` in `all[at]`, and goes on to the next, if its parameter may have a map.
template <class P, class A>
void note_extents(matrix_extents* all, std::size_t& at, std::size_t offset, std::size_t number, const A& given) {
  if constexpr (may_be_mapped<P>) all[at++] = {static_cast<int>(number), offset, given.extent(0), given.extent(1)};
}

}  // namespace tg::runtime
