// mma.sync: the product of two matrices that a warp holds in its registers.
#pragma once

#include <tg/dsl/fragment.hpp>
#include <tg/dsl/matrix_access.hpp>

namespace tg {

namespace diagnosis {

template <int M, int N, int K> struct product_shape {};

template <bool Ok, class Facts = void> struct matrix_product {
  static_assert(Ok, "TG141: mma.sync has no product of this shape and these types, or the operands do not fit each other");
};

}  // namespace diagnosis

namespace detail {

constexpr ptx::token mma_shape_token(int m, int k) {
  using ptx::token;
  if (m == 8) return k == 4 ? token::m8n8k4 : k == 16 ? token::m8n8k16 : token::m8n8k32;
  switch (k) {
    case 4: return token::m16n8k4;
    case 8: return token::m16n8k8;
    case 16: return token::m16n8k16;
    case 32: return token::m16n8k32;
    default: return token::m16n8k64;
  }
}

template <class A, class B, class C>
inline constexpr bool is_product = A::side == mma_side::a && B::side == mma_side::b && A::depth == B::depth &&
                                   C::m == A::lines && C::n == B::lines &&
                                   are_mma_types<typename A::element_type, typename B::element_type, typename C::sum_type> &&
                                   is_mma_shape<C::m, C::n, A::depth, typename A::element_type>;

}  // namespace detail

/// `sums` += `a` x `b`, all three in the registers of the warp. The shapes and types of the fragments choose the
/// instruction: 16 x 8 products whose lines are 16 or 32 bytes, 8 x 8 of integers, and 8 x 8 x 4 and 16 x 8 x 4 to 16 of
/// doubles. Products of f16, bf16 and 8-bit floats are summed in float or f16, of integers in int (it wraps).
/// Requires: called by all lanes of full warps. Errors: TG117, TG141.
/// PTX: mma.sync.aligned.mMnNkK.row.col: sm_80; of 8-bit floats sm_89; m16n8k4 to k16 of doubles sm_90.
/// Source: PTX ISA 9.0, "Matrix Multiply-Accumulate Operation using mma instruction".
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N, class T>
void mma(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a, const fragment<SideB, LinesB, DepthB, TB>& b,
         source_location where = source_location::current()) {
  using A = fragment<SideA, LinesA, DepthA, TA>;
  using B = fragment<SideB, LinesB, DepthB, TB>;
  using C = accumulator<M, N, T>;
  using found = diagnosis::matrix_product<detail::is_product<A, B, C>,
                                          diagnosis::types<diagnosis::product_shape<M, N, DepthA>, A, B, C>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    detail::require_whole_warps(t, "a matrix product", where);
    std::array<ptx::operand, C::registers> own;
    for (int r = 0; r < C::registers; ++r) own[static_cast<std::size_t>(r)] = sums(r).target();
    const ptx::operand c = t.new_vector(own.data(), own.size());
    t.emit(ptx::opcode::mma,
           {ptx::token::sync, ptx::token::aligned, detail::mma_shape_token(M, DepthA), ptx::token::row, ptx::token::col,
            detail::mma_sum_name<T>, mma_element<TA>::name, mma_element<TB>::name, detail::mma_sum_name<T>},
           {c, t.new_vector(a.parts.parts.data(), A::registers), t.new_vector(b.parts.parts.data(), B::registers), c});
  }
}

}  // namespace tg
