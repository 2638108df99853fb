// A kernel's parameters as text: the C++ types, written so that a compiler reads them back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include <tg/dsl/kernel/kernel.hpp>

namespace tg {

namespace runtime {

/// The name of a struct as the compiler writes it: `T = particle;` of g++ and `T = particle]` of clang++.
template <class T> std::string spelling_of_struct() {
  const std::string_view text = __PRETTY_FUNCTION__;
  const std::size_t first = text.find("T = ") + 4;
  return std::string(text.substr(first, text.find_first_of(";]", first) - first));
}

/// `float`, `std::uint32_t`, `tg::f16x2`, `particle`.
template <class T> std::string spelling_of_element() {
  if constexpr (!scalar_type<T>) return spelling_of_struct<T>();
  else if constexpr (requires { typename T::element_type; }) return spelling_of_element<typename T::element_type>() + "x2";
  else if constexpr (is_narrow<T>) return "tg::" + std::string(T::name);
  else if constexpr (std::is_same_v<T, bool>) return "bool";
  else if constexpr (is_float<T>) return sizeof(T) == 4 ? "float" : "double";
  else return std::string(std::is_signed_v<T> ? "std::int" : "std::uint") + std::to_string(8 * sizeof(T)) + "_t";
}

/// `tg::tensor_map<float, tg::mode::read, 8x32, 128-byte rows>`: what two maps have in common that are encoded alike; it is
/// compared and not read back.
template <class P> std::string spelling_of_map(const std::string& element) {
  constexpr auto facts = P::facts;
  constexpr const char* modes[] = {"read", "write", "read_write"};
  std::string out = "tg::tensor_map<" + element + ", tg::mode::" + modes[static_cast<std::size_t>(P::access)];
  const auto add = [&](const char* what, int n) { out += std::string(", ") + what + " " + std::to_string(n); };
  for (std::size_t k = 0; k < static_cast<std::size_t>(facts.rank); ++k) {
    add("box", static_cast<int>(facts.box[k]));
    add("step", static_cast<int>(facts.steps[k]));
  }
  for (std::size_t k = 0; facts.is_im2col && k < 3; ++k) {
    add("lower", facts.lower[k]);
    add("upper", facts.upper[k]);
  }
  if (facts.is_im2col) {
    add("pixels", static_cast<int>(facts.pixels));
    add("channels", static_cast<int>(facts.channels));
  }
  add("swizzle", facts.swizzle);
  add("promotion", facts.promotion);
  add("fill", facts.fills_nan ? 1 : 0);
  return out;
}

/// `tg::view<float, tg::mode::read, 1, tg::aligned<16>>`.
template <class P> std::string spelling_of_parameter() {
  std::string out = spelling_of_element<typename P::element_type>();
  const auto add_multiple = [&](long long n) { out += ", tg::multiple_of<" + std::to_string(n) + ">"; };
  if constexpr (requires { P::is_tensor_map; }) {
    out = spelling_of_map<P>(out);
  } else if constexpr (P::rank == 0) {
    out = "tg::scalar<" + out;
    if (P::most > 0) out += ", tg::at_most<" + std::to_string(P::most) + ">";
    else add_multiple(P::multiple_of);
  } else {
    constexpr const char* modes[] = {"read", "write", "read_write"};
    constexpr auto facts = P::facts;
    out = "tg::view<" + out + ", tg::mode::" + modes[static_cast<std::size_t>(P::access)] + ", " + std::to_string(P::rank) +
          ", tg::aligned<" + std::to_string(P::alignment_bytes) + ">";
    for (int k = 0; k < facts.multiple_count; ++k) add_multiple(facts.multiple[k]);
    if (facts.has_extents()) {
      out += ", tg::extents<";
      for (int k = 0; k < facts.extent_count; ++k)
        out += (k == 0 ? "" : ", ") + (facts.extent[k] == dynamic ? "tg::dynamic" : std::to_string(facts.extent[k]));
      out += ">";
    }
  }
  return out += ">";
}

namespace detail {

template <class... P> std::string spelling_of_list(parameter_list<P...>) {
  std::string out;
  ((out += (out.empty() ? "" : ", ") + spelling_of_parameter<P>()), ...);
  return out;
}

}  // namespace detail

/// The parameters of a kernel type, with commas between them; equal for kernels that are launched alike.
template <class K> std::string spelling_of_parameters() { return detail::spelling_of_list(typename K::parameters{}); }

}  // namespace runtime
}  // namespace tg
