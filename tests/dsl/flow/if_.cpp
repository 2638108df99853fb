#include <tg/dsl/flow/if_.hpp>

#include <tg/dsl/flow/lazy.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

TEST_CASE("the branches lie between markers") {
  CHECK(recording::of([](auto, recording::parameters p) { tg::if_(p.n < 3, [&] { (void)(p.a + p.a); }); }).text ==
        "setp.lt.u32 <if> add.f32 <endif>");
  CHECK(recording::of([](auto, recording::parameters p) {
          tg::if_(p.n < 3, [&] { (void)(p.a + p.a); }).else_([&] { (void)(p.a * p.a); });
        }).text == "setp.lt.u32 <if> add.f32 <else> mul.f32 <endif>");
}

TEST_CASE("conditions nest") {
  CHECK(recording::of([](auto, recording::parameters p) {
          const auto sum = [&] { (void)(p.a + p.a); };
          tg::if_(p.n < 3, [&] { tg::if_(p.s < 0, sum).else_(sum); }).else_(sum);
        }).text == "setp.lt.u32 <if> setp.lt.s32 <if> add.f32 <else> add.f32 <endif> <else> add.f32 <endif>");
}

TEST_CASE("else_if_ takes the first condition that holds; its reads are made where it counts") {
  const auto f = [](auto v) {
    tg::var<unsigned> s = 0u;
    tg::if_(v < 10u, [&] { s = 1u; })
        .else_if_(v % 2u == 0u, [&] { s = 2u; })
        .else_if_(
            [&] {
              s = 50u;
              return v % 3u == 0u;
            },
            [&] { s += 3u; })
        .else_([&] { s += 4u; });
    tg::if_(v == 11u, [&] { s += 100u; }).else_if_(v < 12u, [&] { s += 200u; });
    return s.get();
  };
  std::vector<std::uint32_t> x(64);
  for (std::uint32_t k = 0; k < 64; ++k) x[k] = k;
  const auto y = accuracy::apply<std::uint32_t>(f, x);
  for (const std::uint32_t v : x) {
    const std::uint32_t s = v < 10 ? 1 : v % 2 == 0 ? 2 : v % 3 == 0 ? 53 : 54;
    CAPTURE(v);
    CHECK(y[v] == s + (v == 11 ? 100 : v < 12 ? 200 : 0));
  }
}
