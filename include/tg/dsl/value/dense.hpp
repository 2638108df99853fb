// Elements of 8 and 16 bits side by side in a 32-bit register, the first one lowest.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/value/operators.hpp>

namespace tg::detail {

// The bytes that make an element of `bytes` bytes from a word, and 0 or its sign from there on. PTX: the selector of
// prmt.
constexpr int byte_selector(int number, int bytes, bool is_signed) {
  int selector = 0;
  for (int k = 0; k < 4; ++k) {
    const int last = (number + 1) * bytes - 1;
    selector |= (k < bytes ? number * bytes + k : is_signed ? 8 | last : 4) << 4 * k;
  }
  return selector;
}

inline ptx::operand permute(ptx::operand a, ptx::operand b, int selector) {
  return tracer::current().compute(ptx::token::b32, ptx::opcode::prmt, {ptx::token::b32},
                                   {a, b, ptx::operand::integer(selector)});
}

/// Element `number` of `word`, as a T is held.
template <class T> ptx::operand from_word(ptx::operand word, int number) {
  auto& t = tracer::current();
  if constexpr (is_half<T>) {
    const fixed_array halves = {t.new_register(ptx::token::b16), t.new_register(ptx::token::b16)};
    t.assign(ptx::token::b32, t.new_vector(halves.data(), 2), word);
    return halves[static_cast<std::size_t>(number)];
  } else {
    const ptx::operand own = permute(word, ptx::operand::integer(0), byte_selector(number, sizeof(T), std::is_signed_v<T>));
    if constexpr (!std::is_same_v<T, bool>) return own;
    else return t.is_not_zero(own);
  }
}

/// The word of `count` elements, 1 to 4 / sizeof(T).
template <class T> ptx::operand to_word(const ptx::operand* elements, int count) {
  auto& t = tracer::current();
  if constexpr (std::is_same_v<T, bool>) {
    fixed_array<ptx::operand, 4> bytes;
    for (int k = 0; k < count; ++k)
      bytes[static_cast<std::size_t>(k)] = t.compute(ptx::token::b32, ptx::operation::select(ptx::token::b32),
                                                     {ptx::operand::integer(1), ptx::operand::integer(0), elements[k]});
    return to_word<unsigned char>(bytes.data(), count);
  } else if constexpr (is_half<T>) {
    if (count == 1) return t.compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u16), {elements[0]});
    return t.copy(ptx::token::b32, ptx::token::b32, t.new_vector(elements, 2));
  } else {
    constexpr int low_bytes = 0x7740, low_halves = 0x5410;  // byte 7 is 0, or a sign that nobody reads
    if (count == 1) return elements[0];
    if (count == 2) return permute(elements[0], elements[1], sizeof(T) == 1 ? low_bytes : low_halves);
    return permute(to_word<T>(elements, 2), to_word<T>(elements + 2, 2), low_halves);
  }
}

}  // namespace tg::detail
