// mma.sp: products whose left operand keeps half of each row, with metadata that say which half.
#pragma once

#include <array>

#include <tg/dsl/matrix/mma.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/layout/metadata_layout.hpp>

namespace tg {

namespace detail {

/// Elements of which half is kept; two positions in it, of a quarter each, say which.
template <class T> inline constexpr int chunk_elements = mma_element<T>::bits == 32 ? 2 : mma_element<T>::bits == 4 ? 8 : 4;

/// Whether mma.sp has the depth for the type. Source: PTX ISA 9.0, "mma.sp", table of shapes.
template <int K, class T>
inline constexpr bool is_sparse_depth = [] {
  if (std::same_as<T, double> || std::same_as<T, b1>) return false;
  return is_mma_shape<16, 8, K / 2, T> && (!is_mma_float8<T> || K == 64);
}();

}  // namespace detail

/// The metadata of a left operand of 16 rows and depth K, of which half is kept: a word of each lane, of which only
/// those lanes count that `layout` names. With `Selector` several operands share one word.
/// Requires: a depth that `tg::mma_sparse` has for T.
template <int K, mma_operand_type T, int Selector> struct sparse_metadata<K, T, Selector> {
  static_assert(detail::is_sparse_depth<K, T>, "sparse_metadata<K, T> requires a depth that mma.sp has for the type");
  using element_type = T;
  static constexpr int depth = K;
  static constexpr int chunk = detail::chunk_elements<T>;
  static constexpr int chunks = K / chunk;
  static constexpr int selector = Selector;
  static_assert(Selector >= 0 && Selector < 16 / chunks,
                "sparse_metadata<K, T, Selector> requires a word that has room for so many");
  static constexpr metadata_layout layout = make_metadata_layout(chunks, mma_element<T>::bits, Selector);

  /// `x` is the word of the lane, an unsigned. Errors: TG101.
  template <device_value X> explicit sparse_metadata(const X& x) : word{detail::argument<unsigned>(x)} {}

  /// The four bits that say that the quarters `first` and `second` of a chunk are kept; of two tf32, `first` counts
  /// halves and `second` is left out.
  /// Requires: first < second.
  static constexpr unsigned kept(int first, int second = 0) {
    if constexpr (chunk == 2) return first == 0 ? 0b0100u : 0b1110u;
    else return static_cast<unsigned>(first | second << 2);
  }
  /// Adds to each lane's word what it says of the operand, where `bits(row, chunk)` is what `kept` gives for it.
  template <class Bits> static constexpr void add_to(std::array<unsigned, 32>& words, Bits bits) {
    for (int lane = 0; lane < 32; ++lane)
      for (int e = 0; layout.is_held(lane) && e < layout.elements; ++e) {
        const fragment_place at = layout.at(lane, e);
        words[static_cast<std::size_t>(lane)] |= bits(at.line, at.step) << 4 * e;
      }
  }

  value<unsigned> word;
};

namespace detail {

template <class A, class B, class C, class E> constexpr bool is_sparse_product() {
  using T = typename A::element_type;
  using sum = typename C::sum_type;
  if (A::side != mma_side::a || B::side != mma_side::b) return false;
  if (A::lines != 16 || B::lines != 8 || C::m != 16 || C::n != 8) return false;
  if (2 * A::depth != B::depth || E::depth != B::depth || !std::same_as<typename E::element_type, T>) return false;
  return are_mma_types<T, typename B::element_type, sum> && (!is_mma_float8<T> || std::same_as<sum, float>);
}

}  // namespace detail

/// `sums` += `a` x `b` where `a` holds the kept half of a matrix of 16 rows and depth K, in the order of its columns:
/// `tg::mma_sparse(sums, tg::a_fragment<16, K / 2, T>, tg::b_fragment<K, 8, T>, tg::sparse_metadata<K, T>{word})`.
/// K is 16 or 32 of f16 and bf16, 8 or 16 of tf32, 64 of 8-bit floats, 32 or 64 of bytes, 64 or 128 of s4 and u4. Two
/// of each four elements are kept, one of each two of tf32, two pairs of neighbours in each eight of s4 and u4.
/// Requires: called by all lanes of full warps. Errors: TG117, TG141.
/// PTX: mma.sp::ordered_metadata.sync.aligned.m16n8kK.row.col, sm_80 and PTX 8.5; of 8-bit floats sm_89.
/// Source: PTX ISA 9.0, "Multiply-and-Accumulate Instruction: mma.sp".
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N,
          class T, int K, class TE, int Selector>
void mma_sparse(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a,
                const fragment<SideB, LinesB, DepthB, TB>& b, const sparse_metadata<K, TE, Selector>& metadata,
                source_location where = source_location::current()) {
  using A = fragment<SideA, LinesA, DepthA, TA>;
  using B = fragment<SideB, LinesB, DepthB, TB>;
  using C = accumulator<M, N, T>;
  using E = sparse_metadata<K, TE, Selector>;
  using found = diagnosis::matrix_product<detail::is_sparse_product<A, B, C, E>(),
                                          diagnosis::types<diagnosis::product_shape<M, N, K>, A, B, C>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    using ptx::token;
    auto& t = detail::tracer::current(where);
    t.at(where);
    detail::require_whole_warps(t, "a matrix product", where);
    constexpr token type = detail::mma_sum_name<T>;
    const ptx::operand c = detail::sums_operand(t, sums);
    t.emit(ptx::opcode::mma,
           {token::sp_ordered_metadata, token::sync, token::aligned, detail::mma_shape_token(M, K), token::row, token::col,
            type, mma_element<TA>::name, mma_element<TB>::name, type},
           {c, t.new_vector(a.parts.parts.data(), A::registers), t.new_vector(b.parts.parts.data(), B::registers), c,
            metadata.word.operand, ptx::operand::integer(Selector)});
  }
}

}  // namespace tg
