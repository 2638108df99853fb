#include <tg/dsl/memory/element.hpp>

#include <type_traits>

#include "../recording.hpp"

using namespace tg::literals;

using readable = tg::element<float, tg::mode::read>;
using writable = tg::element<float, tg::mode::write>;
static_assert(readable::is_readable && !writable::is_readable && tg::element<int, tg::mode::read_write>::is_readable);
static_assert(tg::device_value<readable> && std::is_same_v<readable::form, tg::index::data>);

TEST_CASE("a read happens where it is written") {
  CHECK(recording::of([](auto block, recording::parameters p) {
          auto before = p.y(block.thread.x);
          p.y(block.thread.x) = 0.0f;
          p.y(block.thread.x) = before;
        }).text == "mul.wide.u32 add.s64 ld.global.f32 "  // before
                   "ld.global.f32 st.global.f32 "         // = 0
                   "ld.global.f32 st.global.f32");        // = before
}

TEST_CASE("an operator that assigns reads, computes and writes") {
  CHECK(recording::of([](auto block, recording::parameters p) { p.y(block.thread.x) += p.a; }).text ==
        "mul.wide.u32 add.s64 ld.global.f32 add.f32 st.global.f32");
  const auto operation = [](auto statement) {
    const std::string text =
        recording::of([statement](auto block, recording::parameters p) { statement(p.u, block.thread.x); }).text;
    const auto from = text.find("ld.global.u32 ");
    return text.substr(from + 14, text.find(" st.global") - from - 14);
  };
  CHECK(operation([](auto u, auto i) { u(i) %= 7u; }) == "rem.u32");
  CHECK(operation([](auto u, auto i) { u(i) &= 7u; }) == "and.b32");
  CHECK(operation([](auto u, auto i) { u(i) |= 7u; }) == "or.b32");
  CHECK(operation([](auto u, auto i) { u(i) ^= 7u; }) == "xor.b32");
  CHECK(operation([](auto u, auto i) { u(i) <<= 7u; }) == "shl.b32");
  CHECK(operation([](auto u, auto i) { u(i) >>= 7u; }) == "shr.u32");
  CHECK(operation([](auto u, auto i) { ++u(i); }) == "add.u32");
  CHECK(operation([](auto u, auto i) { u(i)++; }) == "add.u32");
  CHECK(operation([](auto u, auto i) { --u(i); }) == "sub.u32");
  CHECK(operation([](auto u, auto i) { u(i)--; }) == "sub.u32");
  CHECK(recording::of([](auto block, recording::parameters p) { ++p.y(block.thread.x); }).text ==
        "mul.wide.u32 add.s64 ld.global.f32 add.f32 st.global.f32");
}

TEST_CASE("an element is copied as a value, not as a place") {
  CHECK(recording::of([](auto block, recording::parameters p) { p.y(block.thread.x) = p.y(block.index.x); }).text ==
        "mul.wide.u32 add.s64 ld.global.f32 mul.wide.u32 add.s64 ld.global.f32 st.global.f32");
}

TEST_CASE("bool is a byte in memory and a predicate in the kernel") {
  const auto traced = tg::trace(tg::kernel<"flags">(
      tg::block<32>, [](auto block, tg::in<bool> x, tg::out<bool> y) { y(block.thread.x) = !x(block.thread.x); }));
  std::string text;
  for (const auto& i : traced.module.functions[0].body) text += recording::text_of(i) + " ";
  CHECK(text.find("ld.global.nc.u8 setp.ne.u32 not.pred ") != std::string::npos);
  CHECK(text.find("selp.b32 st.global.u8 ") != std::string::npos);
}

TEST_CASE("a vector moves in one instruction") {
  const auto r = recording::of(
      [](auto block, recording::parameters p) { p.y.vec<4>(block.thread.x * 4_c) = p.x.vec<4>(block.thread.x * 4_c); });
  CHECK(r.text.find("ld.global.nc.v4.f32") != std::string::npos);
  CHECK(r.text.find("st.global.v4.f32") != std::string::npos);
  CHECK(r.accesses[0].access_bytes == 16);
}
