// Tiles in shared memory whose size an argument of the launch decides.
#pragma once

#include <tg/dsl/shared.hpp>

namespace tg {

/// Contract of a row length that is only known when the kernel is launched: `size % Divisor == Remainder`. Rows of an odd
/// number of words, as `tg::remainder<32, 1>` says, make columns free of bank conflicts.
template <long long Divisor, long long Remainder>
struct remainder {
  static_assert(Divisor > 0 && Remainder >= 0 && Remainder < Divisor, "TG126: a remainder is below its divisor");
  static constexpr long long divisor = Divisor;
  static constexpr long long value = Remainder;
};

namespace detail {

template <class Contract> struct pitch_contract;
template <long long N> struct pitch_contract<multiple_of<N>> {
  static constexpr long long divisor = promised<multiple_of<N>>, remainder = 0;
  using form = index::single<index::uniform<divisor>>;
};
template <long long D, long long R> struct pitch_contract<remainder<D, R>> {
  static constexpr long long divisor = D, remainder = R;
  using form = index::plus<index::number<R>, index::single<index::uniform<D>>>;
};

}  // namespace detail

/// A tile of T in shared memory, one per block, of a size that the launch decides: `tile(i)`, `tile(row, column)`,
/// `tile.vec<4>(row, column)`. `Pitch` is what the launch promises of the row length of rank 2. Pass it by reference.
/// Errors: TG116, TG134, TG201, TG203, TG204. PTX: ld.shared, st.shared with 32-bit addresses.
template <scalar_type T, int Rank, class Pitch>
class sized_tile {
  using contract = detail::pitch_contract<Pitch>;
  using element_t = tg::element<T, mode::read_write>;
  template <int N> using vector_t = tg::vector_element<T, N, mode::read_write>;

 public:
  using element_type = T;
  static constexpr int rank = Rank;
  static constexpr int element_bytes = sizeof(T);
  static constexpr bool has_layout = false;  // no pitch or swizzle can be advised
  static constexpr bool permutes = false;
  using pitches = std::conditional_t<rank == 1, detail::pitch_list<>, detail::pitch_list<typename contract::form>>;
  template <class... I> using form_of = detail::linear_form<sized_tile, I...>;

  sized_tile(ptx::operand rows, ptx::operand columns, source_location where) : pitch_(columns) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    if constexpr (rank == 1) base_ = t.new_sized_tile(sizeof(T), {{columns}});
    else base_ = t.new_sized_tile(sizeof(T), {{rows}, {columns, contract::divisor, contract::remainder}});
  }
  sized_tile(sized_tile&&) = default;
  // Errors: TG134, TG127.
  sized_tile(const sized_tile& other) : pitch_(other.pitch_), base_(other.base_) {
    (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, sized_tile>);
  }
  /// Another name of the memory of `other`, for words that keep one.
  sized_tile(const sized_tile& other, detail::same_memory) : pitch_(other.pitch_), base_(other.base_) {}
  void operator=(const sized_tile&) { (void)sizeof(diagnosis::fixed_handle<sizeof(T) == 0, sized_tile>); }

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    using found = judged<1, Excuse, I>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return element_t(find<1, Excuse>(where, excuse.reason, i));
    else return element_t({});
  }
  template <index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const R& row, const C& column, Excuse excuse = {}, source_location where = source_location::current()) const {
    using found = judged<1, Excuse, R, C>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return element_t(find<1, Excuse>(where, excuse.reason, row, column));
    else return element_t({});
  }

  /// N consecutive elements in one instruction. Errors: TG111, TG203.
  template <int N, index_like I, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    using found = judged<N, Excuse, I>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return vector_t<N>(find<N, Excuse>(where, excuse.reason, i));
    else return vector_t<N>({});
  }
  template <int N, index_like R, index_like C, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const R& row, const C& column, Excuse excuse = {}, source_location where = source_location::current()) const {
    using found = judged<N, Excuse, R, C>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return vector_t<N>(find<N, Excuse>(where, excuse.reason, row, column));
    else return vector_t<N>({});
  }

 private:
  template <int N, class Excuse, class... I>
  using judged = typename detail::shared_judgement<sized_tile, N, Excuse, I...>::type;

  template <int N, class Excuse, class... I>
  detail::place find(source_location where, const char* reason, const I&... indices) const {
    auto& t = detail::tracer::current(where);
    t.at(where);
    const auto linear = detail::to_linear<sized_tile>(&pitch_, indices...);
    access entry = detail::judge_shared<sized_tile, Excuse, N * element_bytes>(linear, where);
    entry.reason = reason;
    const ptx::operand offset = t.compute(ptx::token::b32, ptx::opcode::mul, {ptx::token::lo, ptx::token::u32},
                                          {linear.operand, ptx::operand::integer(element_bytes)});
    const ptx::operand address = t.compute(ptx::token::b32, ptx::opcode::add, {ptx::token::u32}, {base_, offset});
    return {ptx::operand::address(address), ptx::token::shared, ptx::token::none, entry};
  }

  ptx::operand pitch_;
  ptx::operand base_;
};

/// `auto tile = tg::shared<float>(n);` A tile of `n` elements, where n is made of scalar parameters, C++ numbers and
/// constants with + - * / %, shifts, min and max. The launch asks for the memory.
/// Errors: TG164 for a size that the launch does not know; at launch TG567 for one that does not fit.
template <scalar_type T, operand_like N>
sized_tile<T, 1, multiple_of<1>> shared(const N& elements, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const ptx::operand n = detail::to_value<unsigned>(elements).operand;
  return {n, n, where};
}

/// `auto tile = tg::shared<float, tg::multiple_of<4>>(rows, columns);` The same for rows and columns. The contract of the
/// row length, `tg::multiple_of` or `tg::remainder`, is what the verdicts rely on; the launch checks it.
/// Errors: also TG526 at launch.
template <scalar_type T, class Pitch = multiple_of<1>, operand_like R, operand_like C>
sized_tile<T, 2, Pitch> shared(const R& rows, const C& columns, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const ptx::operand r = detail::to_value<unsigned>(rows).operand;
  return {r, detail::to_value<unsigned>(columns).operand, where};
}

}  // namespace tg
