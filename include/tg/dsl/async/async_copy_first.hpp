// cp.async of part of a vector: the end of a row that is no multiple of the vector's width.
#pragma once

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/math/math.hpp>

namespace tg {

namespace detail {

// Bytes of the first `count` elements, of a whole vector at most.
template <class To, class Count> auto bytes_of_first(const Count& count) {
  using T = device_type_of<Count>;
  constexpr constant<copied<To>::count> whole{};
  constexpr constant<static_cast<int>(sizeof(typename copied<To>::type))> size{};
  if constexpr (std::is_signed_v<T>) return tg::clamp(count.get(), constant<0>{}, whole) * size;
  else return tg::min(count.get(), whole) * size;
}

}  // namespace detail

/// Begins to copy the first `count` elements of a vector, all of them where `count` is as large; zeros are written for
/// the others, and nothing else is read: `tg::async_copy_first(tile.vec<4>(row, col), x.vec<4>(i), n - i)`. A negative
/// count is 0.
/// Requires: `count` is an int or unsigned; both sides are aligned as whole vectors are.
/// Errors: TG109, TG142, and those of the two accesses.
/// PTX: cp.async with the size of the source; sm_80.
template <class To, class From, device_value Count>
void async_copy_first(const To& to, const From& from, const Count& count, source_location where = source_location::current()) {
  using T = device_type_of<Count>;
  using counted = diagnosis::integer_index<is_integer<T> && sizeof(T) == 4, T>;
  using found = typename decltype(detail::check_copy<To, From>())::type;
  if constexpr (diagnosis::is_ok<sizeof(found), found> && diagnosis::is_ok<sizeof(counted), counted>)
    detail::copy_async(to, from, detail::bytes_of_first<To>(count).operand, where);
}

}  // namespace tg
