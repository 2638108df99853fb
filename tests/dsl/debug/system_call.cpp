#include <tg/dsl/debug/system_call.hpp>

#include <tg/dsl/debug/system_call.inl>

#include "../recording.hpp"
#include "../word.hpp"

TEST_CASE("a function of the driver is declared once, equal texts are one") {
  const auto kernel = tg::lower(tg::kernel<"calls">(tg::block<32>, [](auto, tg::scalar<unsigned> n) {
    const tg::detail::printed_value values[] = {{n.get().operand, tg::ptx::token::u32}};
    tg::detail::record_printf("%u\n", values, 1);
    tg::detail::record_printf("%u\n", values, 1);
    tg::detail::record_printf("end\n", nullptr, 0);
  }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  CHECK(kernel.module.functions.size() == 2);
  CHECK(kernel.module.variables.size() == 2);
}

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
