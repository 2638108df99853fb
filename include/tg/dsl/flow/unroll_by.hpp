// Loops of which several iterations become one.
#pragma once

#include <tg/dsl/flow/for_.hpp>

namespace tg {

/// `for_` with N iterations for one test and one branch, and a loop for what N does not divide:
/// `tg::unroll_by<8>(tg::range(n), [&](auto j) { sum += x(j); });`. Without it, small innermost loops whose step is a constant
/// are unrolled by 4, or by 2 where an iteration loads more than 8 bytes; `unroll_by<1>` keeps one as it is, and keeps ptxas
/// from unrolling it. A loop stays as it is too where its step is neither a constant above 0 nor a number from in front of it,
/// where another loop is in it, and where lanes leave it by `break_` or `return_`. Requires: N is 1 to 64. Errors: as `for_`;
/// TG125.
template <int N, class Start, class Stop, class Step, class Body>
void unroll_by(const range_t<Start, Stop, Step>& range, Body&& body, source_location where = source_location::current()) {
  static_assert(N >= 1 && N <= 64, "TG125: tg::unroll_by needs a count of 1 to 64");
  range_t<Start, Stop, Step> own = range;
  own.at_once = N;
  tg::for_(own, body, where);
}

}  // namespace tg
