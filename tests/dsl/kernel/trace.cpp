#include <tg/dsl/kernel/trace.hpp>

#include "../recording.hpp"

TEST_CASE("parameters are declared in order, a matrix with its leading dimension") {
  const auto traced =
      tg::trace(tg::kernel<"order">(tg::block<64, 2>, [](auto, tg::in<float>, tg::inout2<double>, tg::scalar<short>) {}));
  const auto& f = traced.module.functions[0];
  CHECK(f.name == "order");
  REQUIRE(f.params.size() == 4);
  CHECK(f.params[0].name == "order_param_0");
  CHECK(f.params[1].type == tg::ptx::token::u64);
  CHECK(f.params[2].type == tg::ptx::token::u32);
  CHECK(f.params[3].type == tg::ptx::token::s16);
  CHECK(f.bounds.required_threads[0] == 64);
  CHECK(f.bounds.required_threads[1] == 2);
  CHECK(f.body.back().op == tg::ptx::opcode::ret);
}

TEST_CASE("recording twice gives the same") {
  const auto k = tg::kernel<"twice">(tg::block<32>, [](auto block, tg::out<float> y) { y(block.thread.x) = 1.0f; });
  CHECK(tg::trace(k).module.functions[0].body == tg::trace(k).module.functions[0].body);
}

TEST_CASE("a kernel may be recorded while another is") {
  const auto outer = recording::of([](auto block, recording::parameters p) {
    CHECK(recording::of([](auto, recording::parameters q) { (void)(q.n + 1); }).text == "add.u32");
    p.y(block.thread.x) = 0.0f;
  });
  CHECK(outer.accesses.size() == 2);
}
