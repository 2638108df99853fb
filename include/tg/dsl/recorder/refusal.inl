// The texts of errors that recording a kernel ends with.
#pragma once

#include <tg/dsl/recorder/refusal.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg::detail {

inline std::string to_text(any_integer n) {
  return n.is_signed ? std::to_string(static_cast<long long>(n.bits)) : std::to_string(n.bits);
}

TG_LIBRARY_FUNCTION void refuse(code c, const char* fact, const char* fix, source_location where) {
  throw error(c, fact, fix, where);
}

TG_LIBRARY_FUNCTION void refuse_position(const char* what, long long index, int extent, const char* fix) {
  throw error(code{119},
              std::string(what) + " index " + std::to_string(index) + " is outside [0, " + std::to_string(extent) + ")", fix,
              tracer::current().where());
}

TG_LIBRARY_FUNCTION void refuse_number(any_integer number, any_integer low, any_integer high) {
  throw error(code{122}, "the C++ number " + to_text(number) + " does not fit the device type it meets",
              "use a number between " + to_text(low) + " and " + to_text(high), tracer::current().where());
}

TG_LIBRARY_FUNCTION unsigned require_uniform(any_integer number, long long multiple, long long limit, source_location where) {
  const auto own = static_cast<unsigned>(number.bits);
  if (own != number.bits) refuse_number(number, 0u, ~0u);
  if (own % multiple != 0)
    throw error(code{126}, std::to_string(own) + " is no multiple of " + std::to_string(multiple),
                "give tg::uniform a number that all its arguments are multiples of", where);
  if (limit != 0 && own >= limit)
    throw error(code{126}, std::to_string(own) + " is not below " + std::to_string(limit),
                "give tg::uniform a limit above all its arguments", where);
  return own;
}

TG_LIBRARY_FUNCTION void refuse_empty_body(const char* word, source_location where) {
  throw error(
      code{128}, "the body of " + std::string(word) + " records nothing",
      "a return leaves the body, not the kernel: write what is guarded as the body, tg::if_(i < n, [&] {...}); plain C++ "
      "statements run once, while the kernel is recorded: count with a tg::var; if it is empty on purpose, leave the "
      "whole statement out with if constexpr",
      where);
}

TG_LIBRARY_FUNCTION void refuse_endless_loop(source_location where) {
  throw error(code{184}, "the condition of tg::while_ is the same in each iteration: it was computed before the loop",
              "compute it in the lambda from a tg::var that the body changes: tg::while_([&] { return k < n; }, [&] { ++k; })",
              where);
}

TG_LIBRARY_FUNCTION void refuse_range(const char* what, source_location where) {
  throw error(code{135}, what, "give the range a step that is not 0, and bounds that its type holds", where);
}

}  // namespace tg::detail
