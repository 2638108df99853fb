// mma.sync: the product of two matrices that a warp holds in its registers.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/matrix/fragment.hpp>
#include <tg/dsl/matrix/matrix_access.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: rows, columns and depth of the product.
template <int M, int N, int K> struct product_shape {};

template <bool Ok, class Facts = void> struct matrix_product {
  static_assert(Ok, "TG141: mma.sync has no product of this shape and these types, or the operands do not fit each other");
};

}  // namespace diagnosis

namespace detail {

constexpr ptx::token mma_shape_token(int m, int k) {
  using ptx::token;
  if (m == 8) return k == 4 ? token::m8n8k4 : k == 16 ? token::m8n8k16 : k == 32 ? token::m8n8k32 : token::m8n8k128;
  switch (k) {
    case 4: return token::m16n8k4;
    case 8: return token::m16n8k8;
    case 16: return token::m16n8k16;
    case 32: return token::m16n8k32;
    case 64: return token::m16n8k64;
    case 128: return token::m16n8k128;
    default: return token::m16n8k256;
  }
}

template <class A, class B, class C>
inline constexpr bool fit_together =
    A::side == mma_side::a && B::side == mma_side::b && A::depth == B::depth && C::m == A::lines && C::n == B::lines &&
    is_mma_shape<C::m, C::n, A::depth, typename A::element_type>;
template <class A, class B, class C>
inline constexpr bool is_product =
    fit_together<A, B, C> && are_mma_types<typename A::element_type, typename B::element_type, typename C::sum_type>;

template <bool Ok, class A, class B, class C>
using product_check = diagnosis::matrix_product<Ok, diagnosis::types<diagnosis::product_shape<C::m, C::n, A::depth>, A, B, C>>;

template <class C> ptx::operand sums_operand(tracer& t, C& sums) {
  fixed_array<ptx::operand, C::registers> own;
  for (int r = 0; r < C::registers; ++r) own[static_cast<std::size_t>(r)] = sums(r).target();
  return t.new_vector(own.data(), own.size());
}

/// One instruction: `limit` is satfinite or none, `joining` what is done with two bits before they are counted, or none.
template <class A, class B, class C>
void multiply(C& sums, const A& a, const B& b, ptx::token limit, ptx::token joining, source_location where) {
  using ptx::token;
  auto& t = tracer::current(where);
  t.at(where);
  require_whole_warps(t, "a matrix product", where);
  constexpr token type = mma_sum_name<typename C::sum_type>;
  const ptx::operand c = sums_operand(t, sums);
  t.emit(ptx::opcode::mma,
         {token::sync, token::aligned, mma_shape_token(C::m, A::depth), token::row, token::col, limit, type,
          mma_element<typename A::element_type>::name, mma_element<typename B::element_type>::name, type, joining,
          joining == token::none ? token::none : token::popc},
         {c, t.new_vector(a.parts.parts.data(), A::registers), t.new_vector(b.parts.parts.data(), B::registers), c});
}

}  // namespace detail

/// `sums` += `a` x `b`, all three in the registers of the warp. The shapes and types of the fragments choose the
/// instruction: 16 x 8 products whose lines are 16 or 32 bytes, 8 x 8 of integers, and 8 x 8 x 4 and 16 x 8 x 4 to 16 of
/// doubles. Products of f16, bf16 and 8-bit floats are summed in float or f16, of integers in int (it wraps; that of
/// mma_saturating.hpp does not). Single bits are counted by mma_bits.hpp, sparse operands multiplied by mma_sparse.hpp.
/// Requires: called by all lanes of full warps. Errors: TG117, TG141.
/// PTX: mma.sync.aligned.mMnNkK.row.col: sm_80; of 8-bit floats sm_89; m16n8k4 to k16 of doubles sm_90.
/// Source: PTX ISA 9.0, "Matrix Multiply-Accumulate Operation using mma instruction".
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N,
          class T>
void mma(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a, const fragment<SideB, LinesB, DepthB, TB>& b,
         source_location where = source_location::current()) {
  using A = fragment<SideA, LinesA, DepthA, TA>;
  using B = fragment<SideB, LinesB, DepthB, TB>;
  using C = accumulator<M, N, T>;
  using found = detail::product_check<detail::is_product<A, B, C>, A, B, C>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) detail::multiply(sums, a, b, ptx::token::none, ptx::token::none, where);
}

}  // namespace tg
