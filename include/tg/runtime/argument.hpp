// Checks the arguments of a launch against a kernel's signature and packs them as the PTX declares its parameters:
// a view is a .u64 address, then its strides in bytes from the rows outwards, a .u32 for the rows and .u64 for what is
// outside of them, those apart that its type knows; a scalar is its own type; a tensor map is 128 bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/memory/length.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/runtime/matrix_extents.hpp>
#include <tg/runtime/mdspan.hpp>

namespace tg::diagnosis {

template <bool Ok, class Facts> struct launch_count {
  static_assert(Ok, "TG130: the launch has another number of arguments than the kernel has parameters");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts> struct launch_argument {
  static_assert(
      Ok, "TG131: an argument of the launch has the wrong type; a view takes a buffer of its elements (rank 2: "
          "tg::matrix, 2 to 4: tg::mdspan) or an array of its rank, not const if written; a scalar takes its own type, an "
          "integer any integer");
  static constexpr bool ok = Ok;
};

}  // namespace tg::diagnosis

namespace tg::runtime {

/// What a launch knows of itself for its error messages.
struct launch_site {
  context& device;
  std::string_view kernel;
  source_location where;
  const placement* extent = nullptr;
  fixed_array<std::uint32_t, 3> block{};

  /// Elements along an axis that the launch covers; 0 when it is not known.
  std::uint64_t covered(std::size_t axis) const {
    if (extent == nullptr || extent->extents[axis] <= 0) return 0;
    const auto n = static_cast<std::uint64_t>(extent->extents[axis]);
    return extent->is_blocks ? n * block[axis] : n;
  }
};

namespace detail {

/// What an argument gives to a view: the rank of the views that take it, and its elements, const where it is.
template <class A> struct elements { static constexpr int rank = 0; };
template <class A> requires requires(A& a) { a.whole().native(); }
struct elements<A> {
  static constexpr int rank = 1;
  using type = typename decltype(std::declval<A&>().whole())::element_type;
};
template <class T, int Rank> struct elements<mdspan<T, Rank>> {
  static constexpr int rank = Rank;
  using type = T;
};
template <class T, int Rank> struct elements<const mdspan<T, Rank>> : elements<mdspan<T, Rank>> {};

/// Whether a parameter is a tensor map; what becomes of its arguments says runtime/tensor_map.hpp.
template <class P> inline constexpr bool is_map = requires { P::is_tensor_map; };
template <class P> struct map_packer;
template <class A> struct map_argument {
  static constexpr bool is_encoded = false;
  using type = void;
};

template <class P> constexpr bool is_read_only() {
  if constexpr (P::rank > 0) return P::access == mode::read;
  return true;
}

/// An argument with dimensions of its own, as `tg::array<float, 2>`.
template <class A>
concept has_span = requires(A& a) { a.span().native(); };

/// Whether a parameter takes an argument of this type; `A` is const for what must not be written.
template <class P, class A> constexpr bool takes() {
  using wanted = typename P::element_type;
  using bare = std::remove_const_t<A>;
  if constexpr (map_argument<bare>::is_encoded) {
    return std::is_same_v<typename map_argument<bare>::type, P>;
  } else if constexpr (P::rank == 0) {
    if constexpr (is_integer<wanted>) return is_integer<bare>;
    return std::is_same_v<bare, wanted>;
  } else if constexpr (elements<A>::rank == P::rank) {
    using given = typename elements<A>::type;
    return std::is_same_v<std::remove_const_t<given>, wanted> && (is_read_only<P>() || !std::is_const_v<given>);
  } else if constexpr (has_span<A>) {
    return takes<P, decltype(std::declval<A&>().span())>();
  }
  return false;
}

/// A row stride is multiplied by signed and unsigned indices of 32 bits.
inline constexpr std::size_t most_row_bytes = INT32_MAX;

constexpr std::size_t align_up(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// How a view passes the stride of a dimension.
template <class P> constexpr std::size_t stride_bytes(int dimension) {
  return tg::detail::stride_type(P::rank, dimension) == ptx::token::u32 ? 4 : 8;
}

template <class P> constexpr std::size_t place_numbers(std::size_t& offset) {
  constexpr std::size_t bytes = P::rank == 0 ? sizeof(typename P::element_type) : 8;
  const std::size_t at = align_up(offset, bytes);
  offset = at + bytes;
  if constexpr (P::rank > 1)
    for (int k = P::rank - 2; k >= 0; --k)
      if (!P::facts.step(k).is_known) offset = align_up(offset, stride_bytes<P>(k)) + stride_bytes<P>(k);
  return at;
}

template <class P> constexpr std::size_t place(std::size_t& offset) {
  if constexpr (is_map<P>) {
    const std::size_t at = align_up(offset, alignof(driver::tensor_map));
    offset = at + sizeof(driver::tensor_map);
    return at;
  } else {
    return place_numbers<P>(offset);
  }
}

[[noreturn]] void fail(const launch_site& site, code c, int number, const std::string& fact, std::string_view fix);

/// Elements that a view may touch, for the check that no `in` view shares them with one that is written: all from `begin` to
/// `end`, or of a matrix with gaps the first `row_bytes` of each `pitch_bytes`.
struct touched {
  driver::device_address begin = 0;
  driver::device_address end = 0;
  bool is_written = false;
  std::uint64_t row_bytes = 0;
  std::uint64_t pitch_bytes = 0;  // 0: no gaps
};

void check_view(const launch_site& site, int number, context* owner, driver::device_address address, std::size_t size,
                int alignment_bytes);

void check_length(const launch_site& site, int number, const char* what, std::uint64_t given, std::uint64_t wanted);

/// What the view's options say of its length.
template <class P, class A> void check_contract(const launch_site& site, int number, const A& argument) {
  check_length(site, number, "elements", argument.size(), static_cast<std::uint64_t>(P::facts.least_elements));
  if constexpr (P::rank == 1 && P::facts.has_extents())
    check_length(site, number, "elements", argument.size(), static_cast<std::uint64_t>(P::facts.extent[0]));
  if constexpr (!P::facts.is_covered) {
    return;
  } else if constexpr (P::rank > 1) {
    constexpr const char* names[] = {"columns", "rows", "planes"};
    for (std::size_t axis = 0; axis < 3 && axis < std::size_t{P::rank}; ++axis)
      check_length(site, number, names[axis], argument.extent(P::rank - 1 - static_cast<int>(axis)), site.covered(axis));
  } else {
    std::uint64_t wanted = site.covered(0);
    for (std::size_t axis = 1; axis < 3; ++axis)
      if (const std::uint64_t n = site.covered(axis); n != 0) wanted = wanted > UINT64_MAX / n ? UINT64_MAX : wanted * n;
    check_length(site, number, "elements", argument.size(), wanted);
  }
}

void check_multiple(const launch_site& site, int number, const char* what, long long value, long long divisor);

/// Extents that the view's type knows, and rows without gaps where it says so.
template <class P, class A> void check_extents(const launch_site& site, int number, const A& argument) {
  const auto refuse = [&](const std::string& fact) {
    fail(site, broken_contract, number, fact,
         "give it an array of these extents without gaps, or launch a kernel without the contract");
  };
  for (int k = 0; k < P::rank; ++k)
    if (const long long n = P::facts.extent[k]; n != dynamic && argument.extent(k) != static_cast<std::size_t>(n)) [[unlikely]]
      refuse("has an extent of " + std::to_string(argument.extent(k)) + " in dimension " + std::to_string(k) +
             ", the kernel relies on " + std::to_string(n));
  if (!argument.is_dense()) [[unlikely]]
    refuse("has gaps between its rows, the kernel relies on none");
}

/// Packs the strides that the view's type does not know.
template <class P, class A> void pack_strides(const launch_site& site, int number, std::byte* to, const A& argument) {
  using element = typename P::element_type;
  std::size_t offset = 8;
  for (int k = P::rank - 2; k >= 0; --k) {
    const tg::detail::dimension_step step = P::facts.step(k);
    if (step.is_known) continue;
    const bool is_rows = k == P::rank - 2;
    const std::size_t stride = argument.stride(k);
    if (step.elements > 1)
      check_multiple(site, number, is_rows ? "has a leading dimension of " : "has a stride of ", static_cast<long long>(stride),
                     step.elements);
    if (stride > (is_rows ? most_row_bytes : SIZE_MAX / 2) / sizeof(element)) [[unlikely]]
      fail(site, row_stride, number,
           "has rows that are " + std::to_string(stride) + " elements of " + std::to_string(sizeof(element)) +
               " bytes apart; a kernel computes with at most " + std::to_string(most_row_bytes) + " bytes",
           "take a view of one more dimension: the strides outside of the rows have 64 bits");
    const std::uint64_t bytes = stride * sizeof(element);
    offset = align_up(offset, stride_bytes<P>(k));
    const auto rows = static_cast<std::uint32_t>(bytes);
    std::memcpy(to + offset, is_rows ? static_cast<const void*>(&rows) : &bytes, stride_bytes<P>(k));
    offset += stride_bytes<P>(k);
  }
}

void check_aliases(const launch_site& site, const touched* views, int count);

template <class P, class A> touched pack_one(const launch_site& site, int number, std::byte* to, const A& argument) {
  using element = typename P::element_type;
  if constexpr (is_map<P>) {
    return map_packer<P>::pack(site, number, to, argument);
  } else if constexpr (P::rank == 0) {
    element value{};
    if constexpr (is_integer<element>) {
      if (!std::in_range<element>(argument)) [[unlikely]]
        fail(site, scalar_range, number,
             "is " + std::to_string(argument) + ", which does not fit " + std::to_string(8 * sizeof(element)) +
                 (std::is_signed_v<element> ? " signed bits" : " unsigned bits"),
             "check the number, or give the kernel a wider parameter");
      value = static_cast<element>(argument);
      if constexpr (P::multiple_of > 1) check_multiple(site, number, "is ", static_cast<long long>(value), P::multiple_of);
      if constexpr (P::most > 0)
        if (std::cmp_greater(value, P::most)) [[unlikely]]
          fail(site, broken_contract, number,
               "is " + std::to_string(value) + ", the kernel has room for " + std::to_string(P::most),
               "take a kernel for more, or launch it for parts");
    } else {
      value = argument;
    }
    std::memcpy(to, &value, sizeof value);
    return {};
  } else {
    context* owner;
    if constexpr (requires { argument.context().get(); }) owner = argument.context().get();
    else owner = argument.context();
    const driver::device_address address = argument.native();
    check_view(site, number, owner, address, argument.size(), P::alignment_bytes);
    check_contract<P>(site, number, argument);
    std::memcpy(to, &address, sizeof address);
    std::size_t count = argument.size();
    if constexpr (P::rank > 1) {
      if constexpr (P::facts.has_extents()) check_extents<P>(site, number, argument);
      pack_strides<P>(site, number, to, argument);
      if (!argument.is_dense()) {
        if (P::rank > 2 || argument.count() == 0) return {};  // planes with gaps are not compared
        const std::uint64_t row = argument.extent(1) * sizeof(element), pitch = argument.stride(0) * sizeof(element);
        return {address, address + (argument.extent(0) - 1) * pitch + row, !is_read_only<P>(), row, pitch};
      }
      count = argument.count();
    }
    return {address, address + count * sizeof(element), !is_read_only<P>()};
  }
}

}  // namespace detail

namespace detail {
/// The argument as the view takes it: of an array with dimensions, the elements by their indices.
template <class P, class A> decltype(auto) as_taken(const A& argument) {
  if constexpr (P::rank > 1 && has_span<const A>) return argument.span();
  else return (argument);
}
}  // namespace detail

/// The parameter buffer of a kernel with parameters `P`.
template <class List> struct packed_arguments;

template <class... P> struct packed_arguments<parameter_list<P...>> {
  static constexpr std::size_t bytes = [] {
    [[maybe_unused]] std::size_t offset = 0;
    (detail::place<P>(offset), ...);
    return offset;
  }();
  static constexpr auto offsets = [] {
    std::array<std::size_t, sizeof...(P) + 1> out{};
    [[maybe_unused]] std::size_t offset = 0, i = 0;
    ((out[i++] = detail::place<P>(offset)), ...);
    return out;
  }();

  /// Whether the kernel can be launched with arguments of these types.
  template <class... A> static constexpr bool takes() {
    if constexpr (sizeof...(A) == sizeof...(P)) return (true && ... && detail::takes<P, A>());
    return false;
  }

  /// Does not compile, and says which argument is wrong. Errors: TG130, TG131.
  template <class... A> static void refuse() {
    using diagnosis::types;
    if constexpr (sizeof...(A) != sizeof...(P)) {
      (void)sizeof(
          diagnosis::launch_count<false, types<diagnosis::expected_count<sizeof...(P)>, diagnosis::given_count<sizeof...(A)>>>);
    } else {
      []<std::size_t... N>(std::index_sequence<N...>) {
        ((void)sizeof(diagnosis::launch_argument<detail::takes<P, A>(),
                                                 types<diagnosis::argument<static_cast<int>(N + 1)>,
                                                       diagnosis::expected<diagnosis::as_written<P>>, diagnosis::given<A>>>),
         ...);
      }(std::index_sequence_for<P...>());
    }
  }

  /// Errors: TG523 to TG527, TG531, TG566, TG572, TG575 to TG577.
  template <class... A>
  explicit packed_arguments(const launch_site& site, const A&... arguments)
      : packed_arguments(taken, site, detail::as_taken<P>(arguments)...) {}

  alignas(16) std::array<std::byte, bytes + 1> buffer{};
  std::array<matrix_extents, (std::size_t{may_be_mapped<P>} + ... + 0)> extents;

 private:
  struct taken_t {};
  static constexpr taken_t taken{};
  template <class... A> packed_arguments(taken_t, const launch_site& site, const A&... arguments) {
    int i = 0;
    detail::touched views[sizeof...(P) + 1];
    ((views[i] = detail::pack_one<P>(site, i + 1, buffer.data() + offsets[static_cast<std::size_t>(i)], arguments), ++i), ...);
    detail::check_aliases(site, views, i);
    [[maybe_unused]] std::size_t at = 0, argument = 0;
    ((note_extents<P>(extents.data(), at, offsets[argument], argument + 1, arguments), ++argument), ...);
  }
};

// The error is in the kernel: a launch of it adds none.
template <> struct packed_arguments<unknown_parameters> : packed_arguments<parameter_list<>> {
  template <class... A> static constexpr bool takes() { return true; }
  template <class... A>
  explicit packed_arguments(const launch_site& site, const A&...) : packed_arguments<parameter_list<>>(site) {}
};

}  // namespace tg::runtime
