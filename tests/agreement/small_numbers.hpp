// Whole numbers so small that every element type of a matrix product holds them and every sum keeps them exact.
#pragma once

#include <bit>
#include <cstddef>
#include <type_traits>
#include <vector>

#include <tg/dsl/matrix/mma_element.hpp>

namespace agreement {

template <class T> inline constexpr bool is_unsigned = std::is_same_v<T, unsigned char> || std::is_same_v<T, tg::u4>;

/// Between -4 and 3, or from 0 on; of bits 0 or 1.
template <class T> int small_number(int seed) {
  const auto mixed = static_cast<int>(static_cast<unsigned>(seed) * 2654435761u >> 29);
  return std::is_same_v<T, tg::b1> ? mixed & 1 : is_unsigned<T> ? mixed : mixed - 4;
}

template <class T> unsigned bits_of(int number) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<unsigned>(static_cast<float>(number));
  else if constexpr (std::is_same_v<T, int>) return static_cast<unsigned>(number);
  else if constexpr (requires { T(1.0).bits; }) return T(static_cast<double>(number)).bits;
  else return static_cast<unsigned>(number) & ((1u << tg::mma_element<T>::bits) - 1);
}

/// `lines` lines of `depth` elements, one after the other, packed from the low bits on.
template <class T, class At> std::vector<unsigned> packed_lines(int lines, int depth, At at) {
  constexpr int width = tg::mma_element<T>::bits;
  std::vector<unsigned> out(static_cast<std::size_t>(lines * depth * width / 32));
  for (int line = 0; line < lines; ++line)
    for (int k = 0; k < depth; ++k) {
      const int bit = (line * depth + k) * width;
      out[static_cast<std::size_t>(bit / 32)] |= bits_of<T>(at(line, k)) << bit % 32;
    }
  return out;
}

}  // namespace agreement
