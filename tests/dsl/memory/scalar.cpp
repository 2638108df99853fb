#include <tg/dsl/memory/scalar.hpp>

#include <type_traits>

#include "../recording.hpp"

using namespace tg::literals;

using namespace tg::index;
static_assert(std::is_same_v<tg::scalar<unsigned>::form, single<uniform<1, false>>>);
static_assert(std::is_same_v<tg::scalar<int>::form, single<uniform<1, true>>>, "it may be negative");
static_assert(std::is_same_v<tg::scalar<unsigned, tg::multiple_of<12>>::form, single<uniform<12, false>>>);
static_assert(std::is_same_v<tg::scalar<float>::form, data> && std::is_same_v<tg::scalar<bool>::form, data>);
static_assert(tg::device_value<tg::scalar<int>> && tg::scalar<int>::rank == 0);

TEST_CASE("a contract makes vectors legal") {
  const auto traced =
      tg::trace(tg::kernel<"rows">(tg::block<32>, [](auto block, tg::in<float> x, tg::scalar<unsigned, tg::multiple_of<4>> n) {
        (void)x.vec<4>(block.index.x * n + block.thread.x * 4_c);
      }));
  CHECK(traced.accesses[0].verdict == tg::verdict::proved);
  CHECK(traced.accesses[0].global.sectors == 17);
}

TEST_CASE("a parameter is loaded once, as its type") {
  const auto traced =
      tg::trace(tg::kernel<"types">(tg::block<32>, [](auto, tg::scalar<signed char>, tg::scalar<double>, tg::scalar<bool>) {}));
  std::string text;
  for (const auto& i : traced.module.functions[0].body)
    if (i.op == tg::ptx::opcode::ld) text += recording::text_of(i) + " ";
  CHECK(text == "ld.param.s8 ld.param.f64 ld.param.u8 ");
}
