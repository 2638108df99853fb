// Tensor maps that a kernel has as parameters and that no argument of the launch stands for: the launch makes each of them of
// a view that it is given.
//
// What to make stands behind `//tg:` in the text, so that whoever launches the kernel from its text alone can do it.
#pragma once

#include <cstdint>
#include <string>

#include <tg/ptx/ir/shared_tile.hpp>

namespace tg::ptx {

/// A map of a matrix whose rows are `pitch_bytes` apart. The numbers of types and swizzles are those of cuda.h.
struct view_map {
  std::uint32_t parameter = 0;  // of the kernel, 128 bytes
  int type = 0;                 // CUtensorMapDataType
  int element_bytes = 0;
  int swizzle = 0;             // CUtensorMapSwizzle
  std::uint32_t box_rows = 0;  // elements
  std::uint32_t box_columns = 0;
  launch_number address;
  launch_number pitch_bytes;
  launch_number rows;     // empty: as many as the argument has
  launch_number columns;  // as `rows`

  std::int64_t box_bytes() const { return std::int64_t{box_rows} * box_columns * element_bytes; }

  friend bool operator==(const view_map&, const view_map&) = default;
};

/// The directive of a map: `.view_map 6 9 2 3 128 64 (argument 0) (argument 1) (argument 7) ();`, bf16 in boxes of 128 x 64
/// with the swizzle of 128 bytes; what is parameter 7 says how many rows there are, the argument itself how many columns.
inline std::string to_string(const view_map& m) {
  std::string out = ".view_map " + std::to_string(m.parameter) + ' ' + std::to_string(m.type) + ' ' +
                    std::to_string(m.element_bytes) + ' ' + std::to_string(m.swizzle) + ' ' + std::to_string(m.box_rows) + ' ' +
                    std::to_string(m.box_columns);
  for (const launch_number* n : {&m.address, &m.pitch_bytes, &m.rows, &m.columns}) out += " (" + to_string(*n) + ')';
  return out + ';';
}

}  // namespace tg::ptx
