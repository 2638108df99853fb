// What time it is on the device.
#pragma once

#include <tg/dsl/value/value.hpp>

namespace tg {

namespace detail {

template <class T> value<T> read_clock(ptx::special which, source_location where) {
  auto& t = tracer::current(where);
  t.at(where);
  return {t.copy(register_type<T>, memory_type<T>, ptx::operand::special(which))};
}

}  // namespace detail

/// Cycles of the multiprocessor, modulo 2^32. Differences mean something within one thread only. PTX: %clock.
inline value<unsigned> clock(source_location where = source_location::current()) {
  return detail::read_clock<unsigned>(ptx::special::clock, where);
}
/// Cycles of the multiprocessor, in 64 bits. Differences mean something within one thread only. PTX: %clock64.
inline value<unsigned long long> clock64(source_location where = source_location::current()) {
  return detail::read_clock<unsigned long long>(ptx::special::clock64, where);
}
/// Units: nanoseconds, the same clock for the whole device; it may tick as seldom as once in a microsecond. PTX:
/// %globaltimer.
inline value<unsigned long long> global_time_ns(source_location where = source_location::current()) {
  return detail::read_clock<unsigned long long>(ptx::special::globaltimer, where);
}

}  // namespace tg
