#include <tg/dsl/memory/fence.hpp>

#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/memory/atomic.hpp>

#include "../recording.hpp"
#include "../word.hpp"

TEST_CASE("a fence says what it orders and for whom") {
  CHECK(recording::of([](auto, auto) { tg::fence(); }).text == "fence.acq_rel.gpu");
  CHECK(recording::of([](auto, auto) { tg::fence<tg::order::acq_rel, tg::scope::block>(); }).text == "fence.acq_rel.cta");
  CHECK(recording::of([](auto, auto) { tg::fence<tg::order::sequential, tg::scope::system>(); }).text == "fence.sc.sys");
}

TEST_CASE("a word handed over between blocks needs its fences") {
  const auto handed = [](bool fenced) {
    return tg::lower(tg::kernel<"handed">(tg::block<1>, [=](auto block, tg::inout<unsigned> data, tg::inout<unsigned> flag) {
      using tg::literals::operator""_c;
      tg::if_(block.index.x == 0, [&] {
        data(0_c) = 42u;
        if (fenced) tg::fence();
        tg::atomic_exchange(flag(0_c), 1u);
      }).else_([&] {
        tg::while_([&] { return tg::atomic_add(flag(0_c), 0u) == 0u; }, [] {});
        if (fenced) tg::fence();
        data(1_c) = data(0_c);
      });
    }));
  };
  std::vector<unsigned> data(2), flag(1);
  const auto kernel = handed(true);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  word::launch(kernel.ptx, 2, data, flag);
  CHECK(data[1] == 42);
  flag[0] = 0;
  word::check_is_objected([&] { word::launch(handed(false).ptx, 2, data, flag); });
}
