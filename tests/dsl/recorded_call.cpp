#include <tg/dsl/recorded_call.hpp>

#include "recording.hpp"

TEST_CASE("a call stores its arguments, then calls") {
  const auto r = recording::of([](auto, auto p) {
    tg::detail::recorded_call call;
    call("free", {}, {{tg::cast<unsigned long long>(p.n).operand, tg::ptx::token::b64}});
  });
  CHECK(r.text == "cvt.u64.u32 st.param.b64 call");
  REQUIRE(r.module.functions.size() == 2);
  CHECK(r.module.functions[1].is_external);
  CHECK(r.module.functions[0].locals.size() == 1);
}
