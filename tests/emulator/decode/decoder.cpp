#include <tg/emulator/decode/decoder.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("an instruction is spelt without its operands") {
  using tg::ptx::opcode, tg::ptx::token;
  CHECK_EQ(tg::emulator::spelling({opcode::ld, {token::global, token::nc, token::v4, token::f32}, {}}), "ld.global.nc.v4.f32");
}

TEST_CASE("constants of the same value share a slot") {
  const auto slots = [](const char* body) {
    tg::emulator::memory m(std::size_t{1} << 20);
    return tg::emulator::program::load(runner::kernel_text(body), m)->image().slot_count;
  };
  CHECK_EQ(slots("add.u32 %r1, %r2, 77; add.u32 %r2, %r3, 77;"), slots("add.u32 %r1, %r2, 77; add.u32 %r2, %r3, %r4;"));
  CHECK_LT(slots("add.u32 %r1, %r2, 77; add.u32 %r2, %r3, 77;"), slots("add.u32 %r1, %r2, 77; add.u32 %r2, %r3, 78;"));
}

TEST_CASE("registers the machine does not have are refused") {
  const std::string text = runner::failure_of(runner::kernel_text("mov.u32 %r1, %pm0;"), {{1}, {32}});
  CHECK(runner::has(text, "TG400"));
  CHECK(runner::has(text, "'mov.u32'"));
}

TEST_CASE("literals of the other float width are converted") {
  CHECK_EQ(runner::evaluate("add.f32 %f19, %f10, 0d4000000000000000;", {{runner::bits(1.0f)}}, "%f19")[0], runner::bits(3.0f));
}
