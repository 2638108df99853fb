// How streams are made and waited for.
#pragma once

#include <tg/runtime/stream.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION driver::stream_handle runtime::make_stream(context& c, const stream_options& how) {
  if (how.priority != 0) {
    const auto [least, greatest] = c.priorities();
    if (how.priority > least || how.priority < greatest)
      throw error(stream_priority,
                  "a stream of priority " + std::to_string(how.priority) + "; '" + c.name() + "' has " +
                      std::to_string(greatest) + " (most urgent) to " + std::to_string(least),
                  "use one of the range");
  }
  driver::stream_handle out = nullptr;
  const auto flags = how.is_non_blocking ? driver::stream_flag::non_blocking : driver::stream_flag::default_;
  c.call(c.api().cuStreamCreateWithPriority, &out, flags, how.priority);
  if (how.is_non_blocking) c.begin_non_blocking(out);
  return out;
}

TG_LIBRARY_FUNCTION stream basic_stream<stream_state::submitted>::wait() && {
  runtime::owned_stream own = std::move(own_);
  own.c().synchronize(own.native());
  return stream(std::move(own));
}

TG_LIBRARY_FUNCTION void basic_stream<stream_state::recording>::wait_for(const submitted_stream& other) {
  event done(other.own_.device(), {.has_time = false});
  runtime::context& there = other.own_.c();
  there.call(there.api().cuEventRecord, done.native(), other.own_.native());
  done.recorded(false);
  stream_work::wait_for(done);
}

}  // namespace tg
