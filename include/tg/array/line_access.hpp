// Accesses along the lanes of a warp, judged by the compiler once for all types of the same size.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/memory/view.hpp>

namespace tg::detail {

/// The index of a thread's first element along the lanes, with what the compiler found such accesses to cost.
struct line_access {
  index_operand index;
  int width = 1;
  const char* reason = "";  // of an access that is allowed to touch more sectors than its bytes need
  // For elements of 1, 2, 4 and 8 bytes; null where so many elements are no access.
  fixed_array<const access_facts<analysis::global_cost>*, 4> facts{};
  fixed_array<const view_facts*, 4> views{};
};

template <int Bytes> struct unsigned_of_bytes;
template <> struct unsigned_of_bytes<1> { using type = std::uint8_t; };
template <> struct unsigned_of_bytes<2> { using type = std::uint16_t; };
template <> struct unsigned_of_bytes<4> { using type = std::uint32_t; };
template <> struct unsigned_of_bytes<8> { using type = std::uint64_t; };

/// A line of elements of so many bytes, read `Width` at a time.
template <int Bytes, int Width>
using line_view = view<typename unsigned_of_bytes<Bytes>::type, mode::read_write, 1, aligned<Bytes * Width>>;

template <int Width, class I, excuse_like Excuse = checked> line_access access_at(const I& index, Excuse excuse = {}) {
  line_access out{to_index(index), Width, excuse.reason, {}, {}};
  const auto find = [&]<int Bytes>(std::integral_constant<int, Bytes>) {
    if constexpr (Bytes * Width <= analysis::widest_access_bytes)
      return &global_facts<line_view<Bytes, Width>, Excuse, Width, I>;
    else return static_cast<const access_facts<analysis::global_cost>*>(nullptr);
  };
  out.facts = {find(std::integral_constant<int, 1>{}), find(std::integral_constant<int, 2>{}),
               find(std::integral_constant<int, 4>{}), find(std::integral_constant<int, 8>{})};
  out.views = {&line_view<1, Width>::facts, &line_view<2, Width>::facts, &line_view<4, Width>::facts,
               &line_view<8, Width>::facts};
  return out;
}

}  // namespace tg::detail
