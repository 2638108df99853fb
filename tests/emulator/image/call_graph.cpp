#include <tg/emulator/image/call_graph.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/parse/parse.hpp>

#include "../runner.hpp"

namespace {

std::uint32_t number_of(const tg::ptx::module& m, std::string_view name) {
  return static_cast<std::uint32_t>(m.find(name) - m.functions.data());
}

std::size_t place_of(const tg::emulator::call_graph& g, std::uint32_t f) {
  return static_cast<std::size_t>(std::ranges::find(g.order(), f) - g.order().begin());
}

}  // namespace

TEST_CASE("callees come before callers, and functions that call each other are found") {
  const auto m = tg::ptx::parse(runner::module_text(R"(
    .func leaf() { ret; }
    .func odd(); .func even() { call odd; ret; } .func odd() { call even; call leaf; ret; }
    .func self() { call self; ret; }
    .func top() { call self; call even; call leaf; ret; }
    .visible .entry k() { call top; ret; })"));
  const tg::emulator::call_graph g(m);
  const auto leaf = number_of(m, "leaf"), odd = number_of(m, "odd"), even = number_of(m, "even"), self = number_of(m, "self"),
             top = number_of(m, "top"), k = number_of(m, "k");
  CHECK(g.may_come_back(odd, even));
  CHECK(g.may_come_back(even));
  CHECK(g.may_come_back(self));
  CHECK_FALSE(g.may_come_back(odd, leaf));
  CHECK_FALSE(g.may_come_back(leaf));
  CHECK_FALSE(g.may_come_back(top));
  CHECK_FALSE(g.may_come_back(k));
  CHECK_EQ(g.order().size(), m.functions.size());
  CHECK_LT(place_of(g, leaf), place_of(g, odd));
  CHECK_LT(place_of(g, even), place_of(g, top));
  CHECK_LT(place_of(g, top), place_of(g, k));
}

TEST_CASE("a call by address reaches the functions whose address is taken and that fit") {
  const auto m = tg::ptx::parse(runner::module_text(R"(
    .func a(.param .b32 x); .func b(.param .b64 x) { ret; } .func never(.param .b32 x) { ret; }
    .global .u64 table[2] = {a, b};
    .func a(.param .b32 x) {
      .reg .b64 %rd<2>; .param .b32 p;
      ld.global.u64 %rd1, [table];
      proto: .callprototype _ (.param .b32 _);
      call %rd1, (p), proto;
      ret;
    })"));
  const tg::emulator::call_graph g(m);
  const auto a = number_of(m, "a");
  CHECK(g.may_come_back(a));
  CHECK_EQ(g.callees(a), tg::dynamic_array<std::uint32_t>{a});
}

TEST_CASE("a list of targets says what a call by address reaches") {
  const auto m = tg::ptx::parse(runner::module_text(R"(
    .func a() { ret; } .func b() { ret; } .func c() { ret; }
    .visible .entry k() {
      .reg .b64 %rd<2>;
      mov.u64 %rd1, a;
      list: .calltargets a, b;
      call %rd1, list;
      ret;
    })"));
  const tg::emulator::call_graph g(m);
  CHECK_EQ(g.callees(number_of(m, "k")), tg::dynamic_array<std::uint32_t>{number_of(m, "a"), number_of(m, "b")});
}
