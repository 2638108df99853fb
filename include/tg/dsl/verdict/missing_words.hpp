// Words that are asked for and not there: those whose header is not included, and those that CUDA names otherwise. A call of
// one of them fails with TG139, which names the header or tg's own word.
#pragma once

#include <tg/base/fixed_string.hpp>
#include <tg/dsl/verdict/missing_types.hpp>

namespace tg {

/// Found by argument-dependent lookup for every type of `tg`. Never defined.
template <class T> void device_thing(const T&);

/// A function of this namespace is found as `tg::word` only while no included header declares the word in `tg` itself: such a
/// declaration hides what a using-directive brings.
namespace missing {

template <class...> struct last_argument { using type = int; };
template <class X> struct last_argument<X> { using type = X; };
template <class X, class Y, class... More> struct last_argument<X, Y, More...> : last_argument<Y, More...> {};

/// Hides `tg::device_thing` from the lookup below, so that only arguments whose type belongs to `tg` find it.
void device_thing() = delete;

/// Whether a call stands in a kernel: something in it is of `tg`. Programs that write `using namespace tg` go on calling printf
/// of the C library and functions of their own with one of these names.
template <class A>
concept of_tg = requires(const A& a) { device_thing(a); };
template <class... A>
concept in_kernel = sizeof...(A) == 0 || (of_tg<A> || ...);

/// What a missing word returns, so that nothing but its absence is reported.
template <class... A> using missing_result = typename last_argument<A...>::type;

template <class...> inline constexpr bool is_word_there = false;

#define TG_MISSING(word, text)                                     \
  template <auto..., class... A> requires missing::in_kernel<A...> \
  missing::missing_result<A...> word(const A&...) {                \
    static_assert(missing::is_word_there<A...>, "TG139: " text);   \
    __builtin_unreachable();                                       \
  }
// Words that may be given lambdas alone.
#define TG_MISSING_BODY(word, text)                      \
  template <auto..., class... A> int word(const A&...) { \
    static_assert(is_word_there<A...>, "TG139: " text);  \
    __builtin_unreachable();                             \
  }
#define TG_MISSING_WITH(parameter, Result, word, text)                 \
  template <parameter, auto..., class... A> Result word(const A&...) { \
    static_assert(is_word_there<A...>, "TG139: " text);                \
    __builtin_unreachable();                                           \
  }

TG_MISSING(async_copy, "include tg/dsl/async/async_copy.hpp, or tg/tg.hpp")
TG_MISSING(async_copy_or_zero, "include tg/dsl/async/async_copy.hpp, or tg/tg.hpp")
TG_MISSING(async_copy_first, "include tg/dsl/async/async_copy_first.hpp, or tg/tg.hpp")
TG_MISSING(for_groups, "include tg/dsl/async/async_groups.hpp, or tg/tg.hpp")
TG_MISSING(copy_tile, "include tg/dsl/async/copy_tile.hpp, or tg/tg.hpp")
TG_MISSING_BODY(fill_groups, "include tg/dsl/async/fill_groups.hpp, or tg/tg.hpp")
TG_MISSING(stages, "include tg/dsl/async/stages.hpp, or tg/tg.hpp")
TG_MISSING(bulk_copy, "include tg/dsl/bulk/bulk_copy.hpp, or tg/tg.hpp")
TG_MISSING(bulk_prefetch, "include tg/dsl/bulk/bulk_copy.hpp, or tg/tg.hpp")
TG_MISSING(bulk_send, "include tg/dsl/bulk/bulk_copy.hpp, or tg/tg.hpp")
TG_MISSING(from_another_block, "include tg/dsl/bulk/bulk_copy.hpp, or tg/tg.hpp")
TG_MISSING(bulk_ring, "include tg/dsl/bulk/bulk_ring.hpp, or tg/tg.hpp")
TG_MISSING(bulk_store, "include tg/dsl/bulk/bulk_store.hpp, or tg/tg.hpp")
TG_MISSING(bulk_reduce, "include tg/dsl/bulk/bulk_store.hpp, or tg/tg.hpp")
TG_MISSING(mbarriers, "include tg/dsl/bulk/mbarriers.hpp, or tg/tg.hpp")
TG_MISSING(tensor_copy, "include tg/dsl/bulk/tensor_copy.hpp, or tg/tg.hpp")
TG_MISSING(tensor_store, "include tg/dsl/bulk/tensor_copy.hpp, or tg/tg.hpp")
TG_MISSING(tensor_reduce, "include tg/dsl/bulk/tensor_copy.hpp, or tg/tg.hpp")
TG_MISSING(tensor_prefetch, "include tg/dsl/bulk/tensor_copy.hpp, or tg/tg.hpp")
TG_MISSING(block_sum, "include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp")
TG_MISSING(block_max, "include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp")
TG_MISSING(block_min, "include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp")
TG_MISSING(block_combine, "include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp")
TG_MISSING(block_combine_to_first, "include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp")
TG_MISSING(block_sum_to_first, "include tg/dsl/block/block_reduce.hpp, or tg/tg.hpp")
TG_MISSING(block_scan, "include tg/dsl/block/block_scan.hpp, or tg/tg.hpp")
TG_MISSING(block_scan_sum, "include tg/dsl/block/block_scan.hpp, or tg/tg.hpp")
TG_MISSING(block_any, "include tg/dsl/block/block_vote.hpp, or tg/tg.hpp")
TG_MISSING(block_all, "include tg/dsl/block/block_vote.hpp, or tg/tg.hpp")
TG_MISSING(block_count, "include tg/dsl/block/block_vote.hpp, or tg/tg.hpp")
TG_MISSING(block_warp, "include tg/dsl/block/block_warp.hpp, or tg/tg.hpp")
TG_MISSING(for_each_index, "include tg/dsl/block/for_each_index.hpp, or tg/tg.hpp")
TG_MISSING(for_tiles, "include tg/dsl/block/for_tiles.hpp, or tg/tg.hpp")
TG_MISSING(launch_dependents, "include tg/dsl/cluster/dependent_launch.hpp, or tg/tg.hpp")
TG_MISSING(wait_for_prior_grids, "include tg/dsl/cluster/dependent_launch.hpp, or tg/tg.hpp")
TG_MISSING(roles, "include tg/dsl/cluster/roles.hpp, or tg/tg.hpp")
TG_MISSING(grid_sum, "include tg/dsl/block/grid_reduce.hpp, or tg/tg.hpp")
TG_MISSING(grid_max, "include tg/dsl/block/grid_reduce.hpp, or tg/tg.hpp")
TG_MISSING(grid_min, "include tg/dsl/block/grid_reduce.hpp, or tg/tg.hpp")
TG_MISSING(grid_combine, "include tg/dsl/block/grid_reduce.hpp, or tg/tg.hpp")
TG_MISSING(cost, "include tg/dsl/cost/cost.hpp")
TG_MISSING(assert_, "include tg/dsl/debug/assert_.hpp, or tg/tg.hpp")
TG_MISSING(clock, "include tg/dsl/debug/clock.hpp, or tg/tg.hpp")
TG_MISSING(printf, "include tg/dsl/debug/printf.hpp, or tg/tg.hpp")
TG_MISSING(assume, "include tg/dsl/flow/assume.hpp, or tg/tg.hpp")
TG_MISSING(break_, "include tg/dsl/flow/break_.hpp, or tg/tg.hpp")
TG_MISSING(continue_, "include tg/dsl/flow/break_.hpp, or tg/tg.hpp")
TG_MISSING(for_, "include tg/dsl/flow/for_.hpp, or tg/tg.hpp")
TG_MISSING(return_, "include tg/dsl/flow/return_.hpp, or tg/tg.hpp")
TG_MISSING(switch_, "include tg/dsl/flow/switch_.hpp, or tg/tg.hpp")
TG_MISSING_BODY(unroll, "include tg/dsl/flow/unroll.hpp, or tg/tg.hpp")
TG_MISSING(unroll_by, "include tg/dsl/flow/unroll_by.hpp, or tg/tg.hpp")
TG_MISSING_BODY(while_, "include tg/dsl/flow/while_.hpp, or tg/tg.hpp")
TG_MISSING(lower, "include tg/dsl/kernel/lower.hpp")
TG_MISSING(to_ptx, "include tg/dsl/kernel/to_ptx.hpp, or tg/tg.hpp")
TG_MISSING(trace, "include tg/dsl/kernel/trace.hpp")
TG_MISSING(atan, "include tg/dsl/math/atan.hpp, or tg/tg.hpp")
TG_MISSING(atan2, "include tg/dsl/math/atan.hpp, or tg/tg.hpp")
TG_MISSING(cbrt, "include tg/dsl/math/cbrt.hpp, or tg/tg.hpp")
TG_MISSING(erf, "include tg/dsl/math/erf.hpp, or tg/tg.hpp")
TG_MISSING(erfc, "include tg/dsl/math/erf.hpp, or tg/tg.hpp")
TG_MISSING(exp, "include tg/dsl/math/exp.hpp, or tg/tg.hpp")
TG_MISSING(exp2, "include tg/dsl/math/exp.hpp, or tg/tg.hpp")
TG_MISSING(expm1, "include tg/dsl/math/expm1.hpp, or tg/tg.hpp")
TG_MISSING(fmod, "include tg/dsl/math/fmod.hpp, or tg/tg.hpp")
TG_MISSING(log, "include tg/dsl/math/log.hpp, or tg/tg.hpp")
TG_MISSING(log2, "include tg/dsl/math/log.hpp, or tg/tg.hpp")
TG_MISSING(log10, "include tg/dsl/math/log.hpp, or tg/tg.hpp")
TG_MISSING(log1p, "include tg/dsl/math/log1p.hpp, or tg/tg.hpp")
TG_MISSING(lop3, "include tg/dsl/math/lop3.hpp, or tg/tg.hpp")
TG_MISSING(pow, "include tg/dsl/math/pow.hpp, or tg/tg.hpp")
TG_MISSING(rcp, "include tg/dsl/math/reciprocal.hpp, or tg/tg.hpp")
TG_MISSING(rsqrt, "include tg/dsl/math/reciprocal.hpp, or tg/tg.hpp")
TG_MISSING(tanh, "include tg/dsl/math/tanh.hpp, or tg/tg.hpp")
TG_MISSING(sin, "include tg/dsl/math/trigonometry.hpp, or tg/tg.hpp")
TG_MISSING(cos, "include tg/dsl/math/trigonometry.hpp, or tg/tg.hpp")
TG_MISSING(load_fragment, "include tg/dsl/matrix/load_fragment.hpp, or tg/tg.hpp")
TG_MISSING(load_fragment_transposed, "include tg/dsl/matrix/load_fragment.hpp, or tg/tg.hpp")
TG_MISSING(load_matrix, "include tg/dsl/matrix/load_matrix.hpp, or tg/tg.hpp")
TG_MISSING(load_matrix_transposed, "include tg/dsl/matrix/load_matrix.hpp, or tg/tg.hpp")
TG_MISSING(mma, "include tg/dsl/matrix/mma.hpp, or tg/tg.hpp")
TG_MISSING(mma_and, "include tg/dsl/matrix/mma_bits.hpp, or tg/tg.hpp")
TG_MISSING(mma_xor, "include tg/dsl/matrix/mma_bits.hpp, or tg/tg.hpp")
TG_MISSING(mma_saturating, "include tg/dsl/matrix/mma_saturating.hpp, or tg/tg.hpp")
TG_MISSING(mma_sparse, "include tg/dsl/matrix/mma_sparse.hpp, or tg/tg.hpp")
TG_MISSING(store_matrix, "include tg/dsl/matrix/store_matrix.hpp, or tg/tg.hpp")
TG_MISSING(store_matrix_transposed, "include tg/dsl/matrix/store_matrix.hpp, or tg/tg.hpp")
TG_MISSING(to_operand, "include tg/dsl/matrix/to_operand.hpp, or tg/tg.hpp")
TG_MISSING(transpose_matrix, "include tg/dsl/matrix/transpose_matrix.hpp, or tg/tg.hpp")
TG_MISSING(atomic_add, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_min, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_max, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_and, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_or, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_xor, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_exchange, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_compare_exchange, "include tg/dsl/memory/atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_increment, "include tg/dsl/memory/scoped_atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_decrement, "include tg/dsl/memory/scoped_atomic.hpp, or tg/tg.hpp")
TG_MISSING(atomic_load, "include tg/dsl/memory/atomic_access.hpp, or tg/tg.hpp")
TG_MISSING(atomic_store, "include tg/dsl/memory/atomic_access.hpp, or tg/tg.hpp")
TG_MISSING(load, "include tg/dsl/memory/cache_hint.hpp, or tg/tg.hpp")
TG_MISSING(store, "include tg/dsl/memory/cache_hint.hpp, or tg/tg.hpp")
TG_MISSING(fence, "include tg/dsl/memory/fence.hpp, or tg/tg.hpp")
TG_MISSING(shared, "include tg/dsl/memory/shared.hpp, or tg/tg.hpp")
TG_MISSING(store_first, "include tg/dsl/memory/store_first.hpp, or tg/tg.hpp")
TG_MISSING(subview, "include tg/dsl/memory/subview.hpp, or tg/tg.hpp")
TG_MISSING(row, "include tg/dsl/memory/subview.hpp, or tg/tg.hpp")
TG_MISSING(slice, "include tg/dsl/memory/subview.hpp, or tg/tg.hpp")
TG_MISSING(strided, "include tg/dsl/memory/subview.hpp, or tg/tg.hpp")
TG_MISSING(vec_at, "include tg/dsl/memory/vec_at.hpp, or tg/tg.hpp")
TG_MISSING(analyze, "include tg/dsl/proof/analyze.hpp")
TG_MISSING(make_struct, "include tg/dsl/structs/struct_value.hpp")
TG_MISSING(assume_uniform, "include tg/dsl/value/assume_uniform.hpp, or tg/tg.hpp")
TG_MISSING(assume_warp_uniform, "include tg/dsl/value/assume_uniform.hpp, or tg/tg.hpp")
TG_MISSING(bit_mask, "include tg/dsl/value/bit_field.hpp, or tg/tg.hpp")
TG_MISSING(extract_bits, "include tg/dsl/value/bit_field.hpp, or tg/tg.hpp")
TG_MISSING(insert_bits, "include tg/dsl/value/bit_field.hpp, or tg/tg.hpp")
TG_MISSING(highest_bit, "include tg/dsl/value/bit_field.hpp, or tg/tg.hpp")
TG_MISSING(popcount, "include tg/dsl/value/bits.hpp, or tg/tg.hpp")
TG_MISSING(leading_zeros, "include tg/dsl/value/bits.hpp, or tg/tg.hpp")
TG_MISSING(trailing_zeros, "include tg/dsl/value/bits.hpp, or tg/tg.hpp")
TG_MISSING(reverse_bits, "include tg/dsl/value/bits.hpp, or tg/tg.hpp")
TG_MISSING(byte, "include tg/dsl/value/byte.hpp, or tg/tg.hpp")
TG_MISSING(byte_permute, "include tg/dsl/value/byte_permute.hpp, or tg/tg.hpp")
TG_MISSING(choose, "include tg/dsl/value/choose.hpp, or tg/tg.hpp")
TG_MISSING(constant_table, "include tg/dsl/value/constant_table.hpp, or tg/tg.hpp")
TG_MISSING(dp4a, "include tg/dsl/value/dot.hpp, or tg/tg.hpp")
TG_MISSING(dp2a_low, "include tg/dsl/value/dot.hpp, or tg/tg.hpp")
TG_MISSING(dp2a_high, "include tg/dsl/value/dot.hpp, or tg/tg.hpp")
TG_MISSING(let, "include tg/dsl/value/let.hpp, or tg/tg.hpp")
TG_MISSING(uniform, "include tg/dsl/value/uniform.hpp, or tg/tg.hpp")
TG_MISSING(pack, "include tg/dsl/vector/packed.hpp, or tg/tg.hpp")
TG_MISSING(low, "include tg/dsl/vector/packed.hpp, or tg/tg.hpp")
TG_MISSING(high, "include tg/dsl/vector/packed.hpp, or tg/tg.hpp")
TG_MISSING(packed_min, "include tg/dsl/vector/packed_extrema.hpp, or tg/tg.hpp")
TG_MISSING(packed_max, "include tg/dsl/vector/packed_extrema.hpp, or tg/tg.hpp")
TG_MISSING(elect, "include tg/dsl/warp/elect.hpp, or tg/tg.hpp")
TG_MISSING(active_lanes, "include tg/dsl/warp/elect.hpp, or tg/tg.hpp")
TG_MISSING(match_any, "include tg/dsl/warp/match.hpp, or tg/tg.hpp")
TG_MISSING(match_all, "include tg/dsl/warp/match.hpp, or tg/tg.hpp")
TG_MISSING(redux_sum, "include tg/dsl/warp/redux.hpp, or tg/tg.hpp")
TG_MISSING(redux_min, "include tg/dsl/warp/redux.hpp, or tg/tg.hpp")
TG_MISSING(redux_max, "include tg/dsl/warp/redux.hpp, or tg/tg.hpp")
TG_MISSING(redux_and, "include tg/dsl/warp/redux.hpp, or tg/tg.hpp")
TG_MISSING(redux_or, "include tg/dsl/warp/redux.hpp, or tg/tg.hpp")
TG_MISSING(redux_xor, "include tg/dsl/warp/redux.hpp, or tg/tg.hpp")
TG_MISSING(fence_async_proxy, "include tg/dsl/wgmma/fence_async_proxy.hpp, or tg/tg.hpp")
TG_MISSING(fence_async_proxy_of_buffers, "include tg/dsl/wgmma/fence_async_proxy.hpp, or tg/tg.hpp")
TG_MISSING(k_major, "include tg/dsl/wgmma/shared_operand.hpp, or tg/tg.hpp")
TG_MISSING(mn_major, "include tg/dsl/wgmma/shared_operand.hpp, or tg/tg.hpp")
TG_MISSING(wgmma, "include tg/dsl/wgmma/wgmma.hpp, or tg/tg.hpp")

TG_MISSING_WITH(class T, T, stages, "include tg/dsl/async/stages.hpp, or tg/tg.hpp")
TG_MISSING_WITH(class T, T, load_fragment, "include tg/dsl/matrix/load_fragment.hpp, or tg/tg.hpp")
TG_MISSING_WITH(class T, T, to_operand, "include tg/dsl/matrix/to_operand.hpp, or tg/tg.hpp")
TG_MISSING_WITH(class T, T, shared, "include tg/dsl/memory/shared.hpp, or tg/tg.hpp")
TG_MISSING_WITH(class T, T, make_struct, "include tg/dsl/structs/struct_value.hpp")
TG_MISSING_WITH(class T, T, pack, "include tg/dsl/vector/packed.hpp, or tg/tg.hpp")

TG_MISSING_WITH(fixed_string, int, printf, "include tg/dsl/debug/printf.hpp, or tg/tg.hpp")
TG_MISSING_WITH(fixed_string, int, constant_table, "include tg/dsl/value/constant_table.hpp, or tg/tg.hpp")

TG_MISSING(where, "write tg::select(c, a, b)")
TG_MISSING(sum, "write block.warp().sum(x), tg::block_sum(block, x) or tg::grid_sum")

}  // namespace missing

using namespace missing;

/// What CUDA names otherwise. Arguments of `tg` find these without `tg::` in front, as `expf(x(i))` and `atomicAdd(y(i), 1)`.
inline namespace cuda_words {

TG_MISSING(syncthreads, "write block.sync()")
TG_MISSING(syncwarp, "write block.warp().sync()")
TG_MISSING(threadfence, "write tg::fence<tg::order::acq_rel>()")
TG_MISSING(atomicAdd, "write tg::atomic_add(v(i), x)")
TG_MISSING(atomicSub, "write tg::atomic_add(v(i), -x)")
TG_MISSING(atomicMin, "write tg::atomic_min(v(i), x)")
TG_MISSING(atomicMax, "write tg::atomic_max(v(i), x)")
TG_MISSING(atomicAnd, "write tg::atomic_and(v(i), x)")
TG_MISSING(atomicOr, "write tg::atomic_or(v(i), x)")
TG_MISSING(atomicXor, "write tg::atomic_xor(v(i), x)")
TG_MISSING(atomicExch, "write tg::atomic_exchange(v(i), x)")
TG_MISSING(atomicCAS, "write tg::atomic_compare_exchange(v(i), expected, x)")
TG_MISSING(atomicInc, "write tg::atomic_increment(v(i), limit)")
TG_MISSING(atomicDec, "write tg::atomic_decrement(v(i), limit)")
TG_MISSING(shfl_sync, "write block.warp().shuffle(x, lane)")
TG_MISSING(shfl_up_sync, "write block.warp().shuffle_up(x, n)")
TG_MISSING(shfl_down_sync, "write block.warp().shuffle_down(x, n)")
TG_MISSING(shfl_xor_sync, "write block.warp().shuffle_xor(x, mask)")
TG_MISSING(ballot_sync, "write block.warp().ballot(c)")
TG_MISSING(any_sync, "write block.warp().any(c)")
TG_MISSING(all_sync, "write block.warp().all(c)")
TG_MISSING(expf, "write tg::exp(x)")
TG_MISSING(exp2f, "write tg::exp2(x)")
TG_MISSING(logf, "write tg::log(x)")
TG_MISSING(log2f, "write tg::log2(x)")
TG_MISSING(sinf, "write tg::sin(x)")
TG_MISSING(cosf, "write tg::cos(x)")
TG_MISSING(tanhf, "write tg::tanh(x)")
TG_MISSING(sqrtf, "write tg::sqrt(x)")
TG_MISSING(rsqrtf, "write tg::rsqrt(x)")
TG_MISSING(powf, "write tg::pow(x, y)")
TG_MISSING(erff, "write tg::erf(x)")
TG_MISSING(fabs, "write tg::abs(x)")
TG_MISSING(fabsf, "write tg::abs(x)")
TG_MISSING(fmin, "write tg::min(a, b)")
TG_MISSING(fminf, "write tg::min(a, b)")
TG_MISSING(fmax, "write tg::max(a, b)")
TG_MISSING(fmaxf, "write tg::max(a, b)")
TG_MISSING(fmaf, "write tg::fma(a, b, c)")
TG_MISSING(floorf, "write tg::floor(x)")
TG_MISSING(ceilf, "write tg::ceil(x)")
TG_MISSING(truncf, "write tg::trunc(x)")
TG_MISSING(rintf, "write tg::round_even(x)")
TG_MISSING(roundf, "write tg::round(x)")
TG_MISSING(fmodf, "write tg::fmod(x, y)")
TG_MISSING(popc, "write tg::popcount(x)")
TG_MISSING(clz, "write tg::leading_zeros(x)")
TG_MISSING(brev, "write tg::reverse_bits(x)")
TG_MISSING(ldg, "write x(i) of a tg::in, which reads through the read-only cache")
}  // namespace cuda_words

#undef TG_MISSING_WITH
#undef TG_MISSING_BODY
#undef TG_MISSING

}  // namespace tg
