#include <tg/runtime/current_context.hpp>

#include "hand_written.hpp"

using tg::driver::context_handle;
using tg::driver::result;

TEST_CASE("what was current is current again, and nothing is switched where it is the same") {
  static context_handle current;
  static int switches;
  static result answer;
  auto api = hand_written::gpu_table();
  api.cuCtxGetCurrent = [](context_handle* out) {
    *out = current;
    return answer;
  };
  api.cuCtxSetCurrent = [](context_handle c) {
    ++switches;
    current = c;
    return result::success;
  };
  int first = 0, second = 0;
  const auto ours = reinterpret_cast<context_handle>(&first), theirs = reinterpret_cast<context_handle>(&second);
  answer = result::success;
  current = theirs;
  switches = 0;
  {
    const tg::runtime::current_context own(api, ours);
    CHECK(own.result() == result::success);
    CHECK(current == ours);
    const tg::runtime::current_context inner(api, ours);
    CHECK(switches == 1);
  }
  CHECK(current == theirs);
  CHECK(switches == 2);
  current = nullptr;
  { const tg::runtime::current_context own(api, ours); }
  CHECK(current == ours);
  answer = result::not_initialized;
  const tg::runtime::current_context failed(api, theirs);
  CHECK(failed.result() == result::not_initialized);
  CHECK(current == ours);
}
