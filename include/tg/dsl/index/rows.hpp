// Forms with one row number times an unknown pitch: the index of an element of a matrix. The row number and the rest are based
// (based.hpp), so that both are known numbers.
//
//   row * pitch + column      row = Da * u + a[thread]      pitch = Db * v      column = D * w + o[thread]
#pragma once

#include <type_traits>

#include <tg/dsl/index/based.hpp>
#include <tg/dsl/index/near_zero.hpp>

namespace tg::index::detail {

template <class Row, class Pitch, bool AreBased> inline constexpr bool is_row_of = false;
template <class Row, class Pitch>
inline constexpr bool is_row_of<Row, Pitch, true> =
    Pitch::divisor != 0 && Pitch::divisor < number_limit && Pitch::numbers.of[0] == 0 && Row::mask == 0 && Pitch::mask == 0;
template <class Term> struct row_term { static constexpr bool is_row = false; };
template <class A, class B> requires(has_coordinates<A> && !has_coordinates<B>)
struct row_term<term<1, product<A, B>>> {
  using row = based<A>;
  using pitch = based<B>;
  static constexpr bool is_row = is_row_of<row, pitch, (row::is_based && pitch::is_based)>;
};

// Any term but the one with the row.
template <class Term, bool IsRow> struct column_term : based_term<Term> {};
template <class Term> struct column_term<Term, true> {
  static constexpr std::int64_t divisor = 0;
  static constexpr std::int64_t offset = 0;
  static constexpr bool maybe_negative = false, is_moved = true;
  template <int Count> static constexpr void add_to(thread_numbers<Count>&) {}
};
template <class Term, bool IsBased> inline constexpr bool has_no_mask = false;
template <class Term> inline constexpr bool has_no_mask<Term, true> = based_term<Term>::mask == 0;
template <class Term, bool IsRow> inline constexpr bool is_column_term = has_no_mask<Term, is_based_term<Term>>;
template <class Term> inline constexpr bool is_column_term<Term, true> = true;

// The one term with the row.
template <class... T> struct row_of;
template <class First, class... T>
struct row_of<First, T...> : std::conditional_t<row_term<First>::is_row, row_term<First>, row_of<T...>> {};
template <> struct row_of<> {};

struct no_rows { static constexpr bool is_known = false; };
template <bool HasRow, class Form> struct rows_sum : no_rows {};
template <long long O, class... T> struct rows_sum<true, sum<O, T...>> {
  using row = typename row_of<T...>::row;
  using pitch = typename row_of<T...>::pitch;
  static constexpr int count = row::count;
  static constexpr std::int64_t divisor =
      joint_divisor<column_term<T, row_term<T>::is_row>...>(analysis::divisor_of_product(row::divisor, pitch::divisor));
  static constexpr bool maybe_negative = (row::divisor != 0 && (row::maybe_negative || pitch::maybe_negative)) ||
                                         (column_term<T, row_term<T>::is_row>::maybe_negative || ...);
  static constexpr thread_numbers<count> numbers = sum_of_terms<count, column_term<T, row_term<T>::is_row>...>(O);
  static constexpr bool is_known = numbers.bits < number_limit && divisor < analysis::magnitude_limit;

  static constexpr bool is_first_one_row = row::numbers.is_one_in(0);
  /// Whether all lanes of the warp have one row.
  static constexpr bool is_one_row(int warp) {
    return row::numbers.is_moved || warp == 0 ? is_first_one_row : row::numbers.is_one_in(warp);
  }
  /// The divisor of the base of a warp; where it has one row, this is part of it.
  static constexpr std::int64_t divisor_of(int warp, bool is_one) {
    if (!is_one) return divisor;
    const std::int64_t number = analysis::magnitude(row::numbers.at(warp * analysis::warp_lanes));
    return analysis::gcd(divisor, analysis::divisor_of_product(pitch::divisor, number));
  }
};
template <class Form> struct rows : no_rows {};
template <long long O, class... T>
struct rows<sum<O, T...>>
    : rows_sum<(sizeof...(T) <= most_based_terms && O<number_limit && O> - number_limit &&
                (int{row_term<T>::is_row} + ... + 0) == 1 && (is_column_term<T, row_term<T>::is_row> && ...)),
               sum<O, T...>> {};

/// Whether `evaluate_rows` knows the form.
template <class Form> inline constexpr bool has_rows = rows<Form>::is_known;

template <class Form> constexpr analysis::lane_value evaluate_rows(int warp) {
  using own = rows<Form>;
  const bool is_one = own::is_one_row(warp);
  const std::int64_t number = own::row::numbers.at(warp * analysis::warp_lanes);
  const std::int64_t divisor = own::divisor_of(warp, is_one);
  analysis::lane_value out =
      analysis::uniform(divisor, own::maybe_negative || (is_one && number != 0 && (own::pitch::maybe_negative || number < 0)));
  own::numbers.copy_warp(warp, out.offset.data());
  if (is_one) return out;
  out.maybe_negative = out.maybe_negative || own::maybe_negative || own::pitch::maybe_negative;
  out.stride_count = 1;
  out.strides[0].divisor = own::pitch::divisor;
  own::row::numbers.copy_warp(warp, out.strides[0].coef.data());
  return out;
}

/// Whether two warps of a form with rows cost the same: rows and columns are each apart by whole periods, or by what the
/// unknown base can make up for, and the bases alike.
template <class Form> constexpr bool are_rows_apart(int a, int b, std::int64_t period) {
  using own = rows<Form>;
  const bool is_one = own::is_one_row(a);
  if (is_one != own::is_one_row(b)) return false;
  const std::int64_t free = analysis::gcd(own::divisor_of(a, is_one), period);
  return free == analysis::gcd(own::divisor_of(b, is_one), period) && own::numbers.are_apart(a, b, free) &&
         (is_one || own::row::numbers.are_apart(a, b, free / analysis::gcd(free, own::pitch::divisor)));
}

// A term whose row number is moved near zero by rows that are whole periods apart: their pitch is a multiple of D.
template <class Term, long long Period> struct moved_row { using type = Term; };
template <long long P, class... T, long long D, bool N, long long Period> requires(D > 0)
struct moved_row<term<1, product<sum<P, T...>, single<uniform<D, N>>>>, Period> {
  using type = term<1, product<sum<left_of(P, Period / analysis::gcd(Period, D)), T...>, single<uniform<D, N>>>>;
};

/// A form of which every lane is a multiple of `Period` away from `Form`: the same unknown multiple for all of them.
template <class Form, long long Period> struct rows_near_zero { using type = Form; };
template <long long O, class... T, long long Period> struct rows_near_zero<sum<O, T...>, Period> {
  using type = sum<O, typename moved_row<T, Period>::type...>;
};

}  // namespace tg::index::detail
