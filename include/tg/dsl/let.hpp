// A name for a computed value.
#pragma once

#include <tg/dsl/value.hpp>

namespace tg {

/// Reads `x` now and gives the result a name: `auto i = tg::let(block.global_index())`. What the compiler knows about
/// an index stays in the type.
template <device_value X>
auto let(const X& x, source_location where = source_location::current()) {
  detail::tracer::current().at(where);
  return x.get();
}

}  // namespace tg
