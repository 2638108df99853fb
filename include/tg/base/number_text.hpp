// Numbers with a point as text, the same whatever locale the program has set. printf and strtod write and read a comma where
// the locale says so.
#pragma once

#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

namespace tg {

namespace detail {

inline std::string to_text(double x, std::chars_format form, int digits) {
  std::string out(400, '\0');  // more than the 309 digits of the largest double and 64 behind the point
  const auto [end, problem] = std::to_chars(out.data(), out.data() + out.size(), x, form, digits);
  out.resize(problem == std::errc{} ? static_cast<std::size_t>(end - out.data()) : 0);
  return out;
}

}  // namespace detail

/// `%.*f` of C: `digits` behind the point. Requires: at most 64 digits.
inline std::string fixed_text(double x, int digits) { return detail::to_text(x, std::chars_format::fixed, digits); }

/// `%.*g` of C: `digits` significant ones, with an exponent where the number is very large or small.
inline std::string general_text(double x, int digits) { return detail::to_text(x, std::chars_format::general, digits); }

/// The number that a text begins with, as strtod reads it in the C locale: 0 for none, infinity or 0 for what is too large
/// or too small for a double.
inline double to_double(std::string_view text) {
  double out = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (problem != std::errc::result_out_of_range) return problem == std::errc{} ? out : 0;
  // Too large where the first digit that is not 0 stands before the point once the exponent has moved it.
  const std::string_view number = text.substr(0, static_cast<std::size_t>(end - text.data()));
  const bool is_negative = number.starts_with('-');
  const auto mark = number.find_first_of("eE");
  const std::string_view digits = number.substr(0, mark);
  const auto first = static_cast<long long>(digits.find_first_of("123456789"));
  const auto point = static_cast<long long>(std::min(digits.find('.'), digits.size()));
  long long exponent = 0;
  if (mark != number.npos) {
    std::string_view power = number.substr(mark + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    const auto read = std::from_chars(power.data(), power.data() + power.size(), exponent);
    if (read.ec == std::errc::result_out_of_range)
      exponent = power.starts_with('-') ? std::numeric_limits<int>::min() : std::numeric_limits<int>::max();
  }
  const double size = exponent + (point - first) > 0 ? std::numeric_limits<double>::infinity() : 0.0;
  return is_negative ? -size : size;
}

}  // namespace tg
