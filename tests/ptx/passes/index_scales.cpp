#include <tg/ptx/passes/index_scales.hpp>

#include <doctest/doctest.h>

#include <bit>
#include <cstdint>
#include <random>

#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/passes/contract.hpp>
#include <tg/ptx/passes/remove_dead.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

/// x(i * factor), of elements of `size` bytes.
struct scaled_index {
  std::int64_t factor = 4, size = 4;
  bool is_shift = true, is_address = true, is_read_again = false;
  token type = token::u32;
};

sketch read(const scaled_index& w) {
  sketch s;
  const operand x = s.parameter(token::u64), i = s.parameter(w.type);
  const operand index = w.is_shift ? s.op(opcode::shl, token::b32, {i, sketch::imm(std::countr_zero(std::uint64_t(w.factor)))})
                                   : s.op(opcode::mul, token::lo, w.type, {i, sketch::imm(w.factor)});
  const operand bytes = s.op(opcode::mul, token::wide, w.type, {index, sketch::imm(w.size)});
  const operand sum = s.op(opcode::add, token::s64, {x, bytes});
  if (w.is_address) s.use(s.load(token::global, token::u32, sketch::at(sum, 8)));
  else s.use(sum, token::u64);
  if (w.is_read_again) s.use(index);
  s.b.emit(opcode::ret, {}, {});
  return s;
}

sketch contracted(const scaled_index& w) {
  sketch s = read(w);
  contract(s.f());
  remove_dead(s.f());
  drop_empty(s.f());
  return s;
}

bool changes(const scaled_index& w) { return contracted(w).text() != read(w).text(); }

std::uint32_t result(const function& f, std::uint64_t x, std::uint64_t i) {
  machine m{f, 0, {x, i}};
  m.run();
  return m.stores.at(0).second;
}

}  // namespace

TEST_CASE("a factor of an index and the size of an element become one factor") {
  for (const bool is_shift : {true, false})
    CHECK(contracted({.is_shift = is_shift}).text() ==
          "ld.param.u64 r0, [p0]\nld.param.u32 r1, [p1]\nmul.wide.u32 r2, r1, 16\nadd.s64 r3, r0, r2\n"
          "ld.global.u32 r4, [r3+8]\nst.global.u32 [v0], r4\nret\n");
  CHECK(contracted({.factor = 12, .is_shift = false}).text().find("mul.wide.u32 r2, r1, 48") != std::string::npos);
}

TEST_CASE("two views scale one index") {
  sketch s;
  const operand x = s.parameter(token::u64), i = s.parameter(token::u32);
  const operand index = s.op(opcode::shl, token::b32, {i, sketch::imm(3)});
  for (const std::int64_t size : {1, 8})
    s.use(s.load(token::global, token::u32,
                 sketch::at(s.op(opcode::add, token::s64,
                                 {x, s.op(opcode::mul, token::wide, token::u32, {index, sketch::imm(size)})}))));
  contract(s.f());
  remove_dead(s.f());
  CHECK(s.count(opcode::shl) == 0);
  CHECK(s.text().find("mul.wide.u32 r2, r1, 8\n") != std::string::npos);
  CHECK(s.text().find(", r1, 64\n") != std::string::npos);
}

TEST_CASE("traps: products that are no address, indices that others read, factors that are too large") {
  CHECK(changes({}));
  CHECK(changes({.type = token::s32}));
  CHECK_FALSE(changes({.is_address = false}));
  CHECK_FALSE(changes({.is_read_again = true}));
  CHECK(changes({.factor = 1 << 20, .size = 1024}));
  CHECK_FALSE(changes({.factor = 1 << 20, .size = 2048}));
  CHECK_FALSE(changes({.factor = -4, .is_shift = false, .type = token::s32}));
}

TEST_CASE("random indices that do not wrap keep their elements") {
  std::mt19937_64 random(7);
  for (int n = 0; n < 2000; ++n) {
    const bool is_signed_index = n % 2 == 0, is_shift = n % 3 == 0;
    const std::int64_t factor = is_shift ? std::int64_t{1} << random() % 16 : static_cast<std::int64_t>(1 + random() % 40000);
    const scaled_index w{factor, std::int64_t{1} << random() % 5,          is_shift, true,
                         false,  is_signed_index ? token::s32 : token::u32};
    const auto most = static_cast<std::uint64_t>((is_signed_index ? 0x7fffffffll : 0xffffffffll) / factor);
    std::uint64_t i = random() % (most + 1);
    if (is_signed_index && random() % 2 == 0) i = (0 - i) & 0xffffffffu;
    const std::uint64_t x = random() >> 8;
    CHECK(result(contracted(w).f(), x, i) == result(read(w).f(), x, i));
  }
}
