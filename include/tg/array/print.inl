// Text of arrays.
#pragma once

#include <tg/array/print.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::detail {

/// One element, as short as it can be told apart from its neighbours.
template <class T> std::string element_text(const T& x) {
  if constexpr (std::is_same_v<T, bool>) {
    return x ? "true" : "false";
  } else if constexpr (is_narrow<T> || is_float<T>) {
    fixed_array<char, 40> text;
    const auto number = [&] {
      if constexpr (is_float<T>) return x;
      else return static_cast<float>(x);
    }();
    if (std::isnan(number)) return "nan";
    // Halves and bytes are printed with the digits that they have.
    const auto end = is_narrow<T> ? std::to_chars(text.begin(), text.end(), number, std::chars_format::general, 5)
                                  : std::to_chars(text.begin(), text.end(), number);
    std::string out(text.begin(), end.ptr);
    return out.find_first_of(".en") == out.npos ? out + "." : out;
  } else {
    return std::to_string(x);
  }
}

/// Some indices of a dimension, in order; -1 stands for those that are left out.
inline std::vector<std::int64_t> shown_indices(std::int64_t extent, bool is_long) {
  constexpr std::int64_t ends = 3;
  std::vector<std::int64_t> out;
  for (std::int64_t k = 0; k < extent; ++k) {
    if (is_long && extent > 2 * ends && k == ends) {
      out.push_back(-1);
      k = extent - ends;
    }
    out.push_back(k);
  }
  return out;
}

/// Writes the elements of an array from a dimension inwards.
class array_printer {
 public:
  array_printer(const array_place& place, const std::vector<std::string>& elements, bool is_long)
      : place_(place), elements_(elements), is_long_(is_long) {
    visit(0, 0, [&](std::size_t n) { width_ = std::max(width_, elements_[n].size()); });
  }
  std::string text() const { return place_.rank == 0 ? elements_[0] : text_of(0, 0); }

 private:
  template <class F> void visit(int axis, std::size_t first, F f) const {
    if (axis == place_.rank) return f(first);
    for (const std::int64_t k : shown_indices(place_.extents[axis], is_long_))
      if (k >= 0) visit(axis + 1, first * static_cast<std::size_t>(place_.extents[axis]) + static_cast<std::size_t>(k), f);
  }
  std::string text_of(int axis, std::size_t first) const {
    if (axis == place_.rank) return std::string(width_ - elements_[first].size(), ' ') + elements_[first];
    const bool is_last = axis + 1 == place_.rank;
    const auto lines = static_cast<std::size_t>(place_.rank - axis - 1), indent = static_cast<std::size_t>(axis) + 1;
    const std::string between = is_last ? " " : std::string(lines, '\n') + std::string(indent, ' ');
    std::string out = "[";
    bool is_first = true;
    for (const std::int64_t k : shown_indices(place_.extents[axis], is_long_)) {
      if (!is_first) out += between;
      is_first = false;
      out += k < 0 ? std::string("...")
                   : text_of(axis + 1, first * static_cast<std::size_t>(place_.extents[axis]) + static_cast<std::size_t>(k));
    }
    return out + "]";
  }

  const array_place& place_;
  const std::vector<std::string>& elements_;
  bool is_long_;
  std::size_t width_ = 0;
};

TG_LIBRARY_FUNCTION std::string array_text(const array_place& place, element_code code) {
  require_allocated(place.context != nullptr);
  std::size_t count = 1;
  for (int k = 0; k < place.rank; ++k) count *= static_cast<std::size_t>(place.extents[k]);
  std::vector<std::string> elements;
  with_element_type(code, [&]<class T>(std::type_identity<T>) {
    const std::unique_ptr<T[]> own(new T[count]);
    copy_to_host(place, sizeof(T), own.get());
    for (std::size_t k = 0; k < count; ++k) elements.push_back(element_text(own[k]));
  });
  constexpr std::size_t most = 1000;
  return array_printer(place, elements, count > most).text();
}

}  // namespace tg::detail
