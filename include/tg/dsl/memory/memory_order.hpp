// What an access to memory orders around it, and for whom.
#pragma once

#include <tg/dsl/verdict/diagnosis.hpp>
#include <tg/ptx/ir/token.hpp>

namespace tg {

/// Who sees the order. Source: PTX ISA 9.0, "Memory Consistency Model", scopes.
enum class scope { block, cluster, gpu, system };

/// What is ordered: nothing, what follows a read, what precedes a write, both, and all in one order for everybody.
enum class order { relaxed, acquire, release, acq_rel, sequential };

namespace diagnosis {
/// In a compile error: the memory order that was given.
template <order> struct given_order {};
template <bool Ok, class Facts = void> struct ordering {
  static_assert(Ok, "TG158: this operation has no such ordering: reads acquire, writes release, atomics do both, fences "
                    "take acq_rel and sequential");
};
}  // namespace diagnosis

namespace detail {

constexpr ptx::token token_of(scope s) {
  return s == scope::block     ? ptx::token::cta
         : s == scope::cluster ? ptx::token::cluster
         : s == scope::gpu     ? ptx::token::gpu
                               : ptx::token::sys;
}

constexpr ptx::token token_of(order o) {
  return o == order::relaxed   ? ptx::token::relaxed
         : o == order::acquire ? ptx::token::acquire
         : o == order::release ? ptx::token::release
         : o == order::acq_rel ? ptx::token::acq_rel
                               : ptx::token::sc;
}

}  // namespace detail

}  // namespace tg
