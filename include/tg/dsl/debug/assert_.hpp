// What must hold while a kernel runs.
#pragma once

#include <tg/dsl/debug/system_call.hpp>
#include <tg/dsl/flow/if_.hpp>

namespace tg {

/// Ends the kernel where the condition does not hold, with the message, this line and the thread:
/// `tg::assert_(i < n, "i < n")`. Errors: TG104; at run time TG466 on the emulator, CUDA_ERROR_ASSERT of the driver.
/// PTX: a call of __assertfail.
template <class C>
void assert_(const C& condition, std::string_view message, source_location where = source_location::current()) {
  const value<bool> holds{detail::condition_of(condition)};
  if_(!holds, [&] { detail::record_assertion(message, where); }, where);
}

}  // namespace tg
