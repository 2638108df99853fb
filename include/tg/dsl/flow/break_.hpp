// Leaving a loop, and going on with its next iteration.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

namespace tg {

/// The lanes that come here leave the innermost `for_` or `while_` around: `tg::if_(x(j) == 0.0f, [&] { tg::break_(); });`.
/// It is the last statement of its body. Errors: TG182 outside of a loop, and for statements behind it.
/// PTX: a branch around the rest of the body, and a predicate in the condition of the loop.
inline void break_(source_location where = source_location::current()) {
  detail::tracer::current(where).leave(detail::jump::break_, where);
}

/// The lanes that come here go on with the next iteration of the innermost `for_` or `while_` around.
/// Errors, PTX: as `break_`.
inline void continue_(source_location where = source_location::current()) {
  detail::tracer::current(where).leave(detail::jump::continue_, where);
}

}  // namespace tg
