#include <tg/dsl/flow/assume.hpp>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

#include "../proof/planted.hpp"
#include "../recording.hpp"
#include "../word.hpp"

using planted::check_proved;
using planted::check_refuted;
using planted::check_unknown;
using tg::question;
using namespace tg::literals;

TEST_CASE("an index that is assumed small stays in its tile; assumed too large it is refuted") {
  constexpr int at = __LINE__;
  check_refuted(question::extents, at + 4, 0, [](auto b, auto x, auto, auto, auto, auto n, auto) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tg::assume(n < 40u);
    tile(n, b.thread.x) = x(b.thread.x);
  });
  check_proved([](auto b, auto x, auto, auto, auto, auto n, auto) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tg::assume(n < 4u);
    tile(n, b.thread.x) = x(b.thread.x);
  });
}

TEST_CASE("what is assumed separates threads") {
  const auto shifted = [](auto b, auto x, auto y, bool is_told, auto n) {
    auto tile = tg::shared<float>(tg::shape<256>);
    if (is_told) tg::assume(n >= 64u && n < 192u);
    tile(b.thread.x) = x(b.thread.x);
    y(b.thread.x) = tile(b.thread.x + n);
  };
  check_refuted(question::shared_race, 0, 0, [&](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::if_(n < 192u, [&] { shifted(b, x, y, false, n); });
  });
  const auto told =
      planted::analyze<tg::block_t<64>>([&](auto b, auto x, auto y, auto, auto, auto n, auto) { shifted(b, x, y, true, n); });
  INFO(told.text());
  CHECK(told.is_proved(question::shared_race));
  CHECK(told.is_proved(question::extents));
}

TEST_CASE("an assumption holds to the end of its body, not behind it") {
  const auto a = planted::analyze<tg::block_t<64>>([](auto b, auto x, auto, auto, auto, auto n, auto k) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tg::if_(k < 3u, [&] {
      tg::assume(n < 4u);
      tile(n, b.thread.x) = x(b.thread.x);
    });
    b.sync();
    tile(n, b.thread.x) = x(b.thread.x);
  });
  INFO(a.text());
  REQUIRE(a.refuted().size() == 1);
  CHECK(a.refuted()[0].where.line == __LINE__ - 4);
}

TEST_CASE("nobody stays away from a barrier for what is assumed") {
  const auto a = planted::analyze<tg::block_t<64>>([](auto b, auto x, auto y, auto u, auto...) {
    auto tile = tg::shared<float>(tg::shape<64>);
    tg::assume(u(b.thread.x) < 100u);
    tg::assume(b.thread.x < 32u);
    tile(b.thread.x) = x(b.thread.x);
    b.sync();
    y(b.thread.x) = tile(63_c - b.thread.x);
  });
  INFO(a.text());
  CHECK(a.barriers_met());
  CHECK(a.refuted().empty());
}

namespace {

const int line_of_assumption = __LINE__ + 5;
auto doubled() {
  return tg::lower(tg::kernel<"doubled">(tg::block<32>, [](auto block, tg::in<int> x, tg::out<int> y, tg::scalar<int> most) {
    const auto own = tg::let(x(block.thread.x));
    tg::if_(own >= 0, [&] {
      tg::assume(own <= most);
      y(block.thread.x) = own * 2;
    });
  }));
}

}  // namespace

TEST_CASE("the emulator finds what does not hold, in threads that come by, and names the line") {
  const auto kernel = doubled();
  std::vector<int> x(32, 4), y(32);
  x[5] = -100, x[9] = 5;
  word::launch(kernel.ptx, 1, x, y, 5);
  CHECK(y[9] == 10);
  CHECK(y[5] == 0);
  if (gpu_machine::is_asked()) return;
  try {
    word::launch(kernel.ptx, 1, x, y, 4);
    FAIL("the assumption holds");
  } catch (const tg::error& e) {
    CHECK(e.number() == 464);
    CHECK(e.where().line == line_of_assumption);
    CHECK(std::string(e.what()).find("thread (9, 0, 0)") != std::string::npos);
  }
}

TEST_CASE("an assumption is a comment to ptxas, costs nothing and is read back") {
  const auto kernel = doubled();
  INFO(kernel.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  const std::size_t at = kernel.ptx.find("assume");
  REQUIRE(at != std::string::npos);
  CHECK(kernel.ptx.rfind("//tg:", at) > kernel.ptx.rfind('\n', at));
  CHECK(recording::of([](auto, recording::parameters p) { tg::assume(p.n < 5u); }).text == "setp.lt.u32 assume");
}

TEST_CASE("nobody stays away from an exchange of a warp for what is assumed, in a loop as long as data say") {
  const auto looping = [](auto ask) {
    return planted::analyze<tg::block_t<32>>([=](auto b, auto, auto y, auto u, auto...) {
      tg::var<unsigned> rest(tg::assume_uniform(u(0_c).get()));
      tg::while_([&] { return tg::assume_warp_uniform(rest) > 0u; },
                 [&] {
                   ask(b, u);
                   y(b.thread.x) = tg::cast<float>(b.warp().sum(rest.get()));
                   rest -= 1u;
                 });
    });
  };
  const auto own = [](const auto& b, const auto& u) { return tg::let(u(b.thread.x + 32_c) < 100u); };
  const auto assumed = looping([&](const auto& b, const auto& u) { tg::assume(own(b, u)); });
  INFO(assumed.text());
  CHECK(assumed.barriers_met());
  CHECK(looping([](auto...) {}).barriers_met());
}

TEST_CASE("launches that an assumption excludes are no examples") {
  const auto a = planted::analyze<tg::block_t<64>>([](auto b, auto x, auto y, auto u, auto, auto n, auto) {
    tg::if_(u(0_c) > 3u, [&] {
      tg::assume(b.thread.x < n);
      b.sync();
      y(b.thread.x) = x(b.thread.x);
    });
  });
  INFO(a.text());
  CHECK(a.refuted().empty());
}
