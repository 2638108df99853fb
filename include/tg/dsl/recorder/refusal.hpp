// Errors that are thrown while a kernel is recorded. Their texts are put together in the library, so that a kernel does not
// compile them.
#pragma once

#include <tg/base/code.hpp>
#include <tg/base/config.hpp>
#include <tg/base/source_location.hpp>

namespace tg::detail {

/// An integer of any type up to 64 bits.
struct any_integer {
  template <class N>
  TG_ALWAYS_INLINE constexpr any_integer(N n) : bits(static_cast<unsigned long long>(n)), is_signed(N(-1) < N(0)) {}

  unsigned long long bits;
  bool is_signed;
};

/// Throws an error of plain texts.
[[noreturn]] void refuse(code c, const char* fact, const char* fix, source_location where);

/// TG119: `what` is "vector", "register" or "tile".
[[noreturn]] void refuse_position(const char* what, long long index, int extent, const char* fix);

/// TG122: `number` is not between `low` and `high`.
[[noreturn]] void refuse_number(any_integer number, any_integer low, any_integer high);

/// Returns: the number as an unsigned. Errors: TG122 where it does not fit, TG126 unless it is a multiple of `multiple` and,
/// where the limit is not 0, below it.
unsigned require_uniform(any_integer number, long long multiple, long long limit, source_location where);

/// TG128: the body of `word` records nothing.
[[noreturn]] void refuse_empty_body(const char* word, source_location where);

/// TG184: the condition of tg::while_ is a value that was computed before the loop.
[[noreturn]] void refuse_endless_loop(source_location where);

/// TG135: the bounds or the step of a range of C++ numbers.
[[noreturn]] void refuse_range(const char* what, source_location where);

}  // namespace tg::detail
