// The statements inside a branch or a loop.
#pragma once

#include <type_traits>

#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/dsl/verdict/diagnosis.hpp>

namespace tg::detail {

/// Runs `body(arguments...)`, which records what it does, and says whether it recorded anything. Errors: TG129 when the
/// body returns something.
template <bool IsLoop = false, class Body, class... A> bool run_body(tracer& t, Body& body, const A&... arguments) {
  using result = decltype(body(arguments...));
  using found = diagnosis::body_result<std::is_void_v<result>, result>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    const std::uint32_t before = t.recorded_count();
    t.open_body(IsLoop);
    body(arguments...);
    const bool has_recorded = t.recorded_count() != before;
    t.close_body();
    return has_recorded;
  } else {
    return true;
  }
}

/// The body of `word`, as the error calls it. Errors: TG128 when it records nothing, TG129.
template <bool IsLoop = false, class Body, class... A>
void record_body(tracer& t, const char* word, source_location where, Body& body, const A&... arguments) {
  if (!run_body<IsLoop>(t, body, arguments...)) refuse_empty_body(word, where);
}

}  // namespace tg::detail
