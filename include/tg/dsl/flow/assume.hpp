// What holds whenever a line is reached, because whoever launches the kernel sees to it.
#pragma once

#include <tg/dsl/flow/if_.hpp>

namespace tg {

/// The condition holds here: `tg::assume(n <= 256u);`. `tg::analyze` relies on it from this line to the end of the body
/// it stands in, for all threads that come by. So do the verdicts of divisions that follow it, on the least that their divisor
/// is: `tg::assume(w >= 32u);` in front of `y(i / w, i % w)`. Verdicts that types carry do not change (`tg::multiple_of` and
/// `tg::assume_uniform` speak to those). A GPU computes nothing for it. The emulator asks it of every thread while any
/// of its checkers is on.
/// Errors: TG104; at run time TG464 on the emulator where it does not hold.
/// PTX: none; a comment that the emulator reads.
template <class C> void assume(const C& condition, source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::assume, {}, {detail::condition_of(condition)});
}

}  // namespace tg
