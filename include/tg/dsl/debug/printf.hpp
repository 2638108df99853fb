// Text that a kernel writes.
#pragma once

#include <string_view>

#include <tg/base/fixed_array.hpp>
#include <tg/base/fixed_string.hpp>
#include <tg/dsl/debug/system_call.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/cast.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct printf_format {
  static_assert(Ok, "TG161: the format does not fit the arguments: %d takes an int, %u %o unsigned, %x either, all with ll in "
                    "front 64 bits, %f %e %g %a floats, %c an integer; %s, %p, %n and * are not there");
};
}  // namespace diagnosis

namespace detail {

/// The letters of a format's conversions in order, and which say ll.
struct printf_conversions {
  fixed_array<char, 32> letter{};
  fixed_array<bool, 32> is_wide{};
  std::size_t count = 0;
  bool is_known = true;
};

constexpr printf_conversions conversions_of(std::string_view format) {
  constexpr std::string_view flags = "-+ #0123456789.", letters = "diuoxXcfFeEgGaA";
  printf_conversions out;
  for (std::size_t at = 0; at < format.size(); ++at) {
    if (format[at] != '%') continue;
    if (at + 1 < format.size() && format[at + 1] == '%') {
      ++at;
      continue;
    }
    ++at;
    while (at < format.size() && flags.find(format[at]) != flags.npos) ++at;
    const std::size_t size = at;
    while (at < format.size() && format[at] == 'l') ++at;
    if (at >= format.size() || letters.find(format[at]) == letters.npos || at - size == 1 || at - size > 2 ||
        out.count == out.letter.size()) {
      out.is_known = false;
      return out;
    }
    out.is_wide[out.count] = at - size == 2;
    out.letter[out.count++] = format[at];
  }
  return out;
}

template <class T> constexpr bool fits_conversion(char letter, bool is_wide) {
  constexpr std::string_view letters = std::is_same_v<T, float> || std::is_same_v<T, double> ? "fFeEgGaA"
                                       : std::is_same_v<T, bool>                             ? "diu"
                                       : !is_integer<T>                                      ? ""
                                       : std::is_signed_v<T>                                 ? "dixXc"
                                                                                             : "uoxXc";
  return letters.find(letter) != letters.npos && is_wide == (is_integer<T> && sizeof(T) == 8);
}

template <class... T> constexpr bool fits_format(const printf_conversions& found) {
  if (!found.is_known || found.count != sizeof...(T)) return false;
  [[maybe_unused]] std::size_t next = 0;
  [[maybe_unused]] const auto fits = [&]<class Own>(std::type_identity<Own>) {
    const std::size_t k = next++;
    return fits_conversion<Own>(found.letter[k], found.is_wide[k]);
  };
  return (fits(std::type_identity<T>{}) && ...);
}

template <class X> printed_value to_printed(const X& x) {
  using T = typename argument_type<X>::type;
  const value<T> own{argument<T>(x)};
  if constexpr (is_float<T>) return {cast<double>(own).operand, ptx::token::f64};
  else if constexpr (std::is_same_v<T, bool>) return {cast<unsigned>(own).operand, ptx::token::u32};
  else return {own.operand, sizeof(T) == 8 ? ptx::token::u64 : ptx::token::u32};
}

}  // namespace detail

/// Writes text, of each thread that comes here: `tg::printf<"x[%u] = %f\n">(i, x(i))`. The C++ compiler compares the
/// format with the arguments. It appears when the host waits for the device. Errors: TG161. PTX: a call of vprintf.
/// Cost: a call, local memory for the values.
template <fixed_string Format, operand_like... X> void printf(const X&... x) {
  constexpr bool fits =
      detail::fits_format<typename detail::argument_type<X>::type...>(detail::conversions_of({Format.text, Format.size()}));
  using found = diagnosis::printf_format<fits, diagnosis::types<typename detail::argument_type<X>::type...>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    const fixed_array<detail::printed_value, sizeof...(X)> values{detail::to_printed(x)...};
    detail::record_printf({Format.text, Format.size()}, values.data(), values.size());
  }
}

/// Refuses what CUDA's printf takes: a format among the arguments. Errors: TG161.
template <std::size_t N, class... X> requires(device_value<X> || ...)
void printf(const char (&)[N], const X&...) {
  static_assert(N == 0, "TG161: the format of tg::printf is a template argument: tg::printf<\"%f\\n\">(x)");
}

}  // namespace tg
