#include <tg/dsl/kernel/record.hpp>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

TEST_CASE("whoever asks sees the recording before it is finished") {
  const auto k = tg::kernel<"seen">(
      tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y) { y(block.thread.x) = x(block.thread.x); });
  const auto r = tg::detail::to_recordable(k);
  std::size_t accesses = 0, instructions = 0;
  const auto traced = tg::detail::record(r, [&](tg::detail::tape& t) {
    accesses = t.accesses.size();
    instructions = t.fn().body.size();
  });
  CHECK(accesses == 2);
  CHECK(traced.accesses.size() == 2);
  CHECK(instructions == traced.module.functions[0].body.size());
  CHECK(traced.module == tg::trace(k).module);
}

TEST_CASE("reads are guarded wherever what is chosen needs them") {
  const auto branches = [](const auto& kernel) {
    const auto traced = tg::trace(kernel);
    int out = 0;
    for (const auto& i : traced.module.functions[0].body) out += i.op == tg::ptx::opcode::if_;
    return out;
  };
  // The condition comes from numbers only: nothing moves.
  CHECK(branches(tg::kernel<"numbers">(tg::block<32>, [](auto block, tg::out<unsigned> y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = tg::select(i < n && i * i < n * 3u, 1u, 0u);
        })) == 0);
  // It comes from a read, directly or through a variable that is written once.
  CHECK(
      branches(tg::kernel<"read">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        y(i) = tg::select(i < n && x(i) > 0.0f, 1u, 0u);
      })) == 1);
  CHECK(
      branches(tg::kernel<"kept">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        const tg::var<float> own = x(i);
        y(i) = tg::select(i < n && own > 0.0f, 1u, 0u);
      })) == 1);
}
