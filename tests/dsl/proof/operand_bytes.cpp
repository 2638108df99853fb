#include <tg/dsl/proof/operand_bytes.hpp>
#include <tg/ptx/ir/token_name.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include <tg/dsl/proof/computation.hpp>
#include <tg/emulator/matrix/shared_tile.hpp>
#include <tg/ptx/ir/builder.hpp>

#include "../../random_seed.hpp"

namespace pf = tg::proof;

namespace {

using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

// One product whose right operand is described by these numbers, in bytes; the left one lies at the start of the tile.
struct product {
  std::int64_t start = 0, leading = 16, stride = 0;
  int swizzle_mode = 0;
  int n = 8;
  bool is_by_line = false;
  std::int64_t further = 0;  // bytes that are added to the whole descriptor

  std::uint64_t descriptor() const {
    return static_cast<std::uint64_t>((start + further) >> 4) | static_cast<std::uint64_t>(leading >> 4) << 16 | high();
  }
  std::uint64_t high() const {
    return static_cast<std::uint64_t>(stride >> 4) << 32 | static_cast<std::uint64_t>(swizzle_mode) << 62;
  }
};

// What is read of the right operand; `spoil` may change the module before.
template <class Spoil> std::optional<pf::operand_bytes> right_of(const product& p, Spoil spoil) {
  tg::ptx::module m;
  m.variables.push_back({.space = token::shared, .align = 1024, .count = 1 << 17});
  m.functions.emplace_back();
  for (const token type : {token::b32, token::b32, token::b32, token::b32, token::b32, token::b32, token::b64, token::b64,
                           token::b64, token::b64, token::f32, token::b64})
    (void)m.functions[0].new_register(type);
  tg::ptx::builder build(m, 0);
  const auto word = [](std::uint32_t id) { return operand::reg(id); };
  build.emit(opcode::mov, {token::u32}, {word(0), operand::named(tg::ptx::operand_kind::variable, 0)});
  build.emit(opcode::shr, {token::u32}, {word(1), word(0), operand::integer(4)});
  build.emit(opcode::and_, {token::b32}, {word(2), word(1), operand::integer(0x3fff)});
  build.emit(opcode::or_, {token::b32}, {word(3), word(2), operand::integer((p.leading >> 4) << 16)});
  build.emit(opcode::add, {token::u32}, {word(4), word(3), operand::integer(p.start >> 4)});
  build.emit(opcode::or_, {token::b32}, {word(5), word(2), operand::integer(1 << 16)});
  build.emit(opcode::cvt, {token::u64, token::u32}, {word(6), word(4)});
  build.emit(opcode::or_, {token::b64}, {word(7), word(6), operand::integer(static_cast<std::int64_t>(p.high()))});
  build.emit(opcode::cvt, {token::u64, token::u32}, {word(8), word(5)});
  build.emit(opcode::or_, {token::b64}, {word(9), word(8), operand::integer(std::int64_t{8} << 32)});
  build.emit(opcode::add, {token::u64}, {word(11), word(7), operand::integer(p.further >> 4)});
  const token shape = tg::ptx::to_token("m64n" + std::to_string(p.n) + "k16");
  build.emit(opcode::wgmma, {token::mma_async, token::sync, token::aligned, shape, token::f32, token::f16, token::f16},
             {word(10), word(9), word(11), operand::integer(1), operand::integer(1), operand::integer(1), operand::integer(0),
              operand::integer(p.is_by_line ? 1 : 0)});
  spoil(m);
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::values v(m.functions[0], {128, 1, 1}, none);
  pf::path way;
  way.must = way.may = v.predicates().everyone();
  v.come_by(way);
  pf::computation compute(m.functions[0], v);
  const auto last = static_cast<std::uint32_t>(m.functions[0].body.size()) - 1;
  for (std::uint32_t n = 0; n < last; ++n) compute(m.functions[0].body[n]);
  auto found = pf::shared_operands(m.functions[0], v).of(last);
  if (!found) return std::nullopt;
  REQUIRE(found->size() == 2);
  auto out = std::move((*found)[1]);
  REQUIRE(v.object_of(out.start));
  REQUIRE(out.start.is_number());
  return out;
}
std::optional<pf::operand_bytes> right_of(const product& p) {
  return right_of(p, [](auto&) {});
}

std::set<std::int64_t> in_units(const pf::operand_bytes& o) {
  std::set<std::int64_t> out;
  for (const pf::number run : o.runs)
    for (pf::number b = 0; b < o.bytes; b += 16) out.insert(o.start.base + run + b);
  return out;
}

// The places of 16 bytes that the emulator reads.
std::set<std::int64_t> read_by_emulator(const product& p) {
  const tg::emulator::shared_tile tile(p.descriptor());
  std::set<std::int64_t> out;
  if (p.is_by_line) {
    for (std::size_t k = 0; k < 16; ++k)
      for (int unit = 0; unit < p.n / 8; ++unit)
        out.insert(static_cast<std::int64_t>(tile.along_lines(static_cast<std::size_t>(unit), k)));
  } else {
    for (int line = 0; line < p.n; ++line)
      for (std::size_t part = 0; part < 2; ++part)
        out.insert(static_cast<std::int64_t>(tile.along_k(static_cast<std::size_t>(line), part)));
  }
  return out;
}

}  // namespace

TEST_CASE("what a product reads is what the emulator reads, and where it is more it says so") {
  std::mt19937_64 random(random_seed());
  const auto up_to = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  constexpr int widths[] = {16, 128, 64, 32};
  int exact = 0, wider = 0;
  for (int round = 0; round < 4000; ++round) {
    product p;
    p.swizzle_mode = up_to(4);
    p.is_by_line = up_to(2) == 0;
    p.n = 8 * (1 + up_to(32));
    const int width = widths[p.swizzle_mode], core = 8 * width;
    p.stride = core * (1 + up_to(4));
    p.leading = core * (1 + up_to(4));
    p.start = core * up_to(8);
    if (!p.is_by_line && width > 32) p.start += 32 * up_to(width / 32);
    if (up_to(2) == 0) std::swap(p.start, p.further);
    else if (up_to(2) == 0) p.further = core * up_to(8);
    CAPTURE(p.descriptor());
    CAPTURE(p.n);
    CAPTURE(p.is_by_line);
    const auto found = right_of(p);
    REQUIRE(found);
    CHECK(found->alignment == (width == 16 ? 16 : core));
    const auto ours = in_units(*found), theirs = read_by_emulator(p);
    CHECK(std::includes(ours.begin(), ours.end(), theirs.begin(), theirs.end()));
    if (!found->has_more) CHECK(ours == theirs);
    else CHECK(ours.size() > theirs.size());
    ++(found->has_more ? wider : exact);
  }
  CHECK(exact > 1000);
  CHECK(wider > 500);
}

TEST_CASE("a descriptor that is made in another way is not followed") {
  const product p{.stride = 1024, .swizzle_mode = 1, .n = 64};
  CHECK(right_of(p));
  const auto with = [&](std::size_t instruction, std::size_t at, std::int64_t value) {
    return right_of(p, [&](tg::ptx::module& m) { m.functions[0].body[instruction].operand_array[at].value = value; });
  };
  CHECK_FALSE(with(1, 2, 3));                      // another unit
  CHECK_FALSE(with(2, 2, 0xfff));                  // fewer bits of the address
  CHECK_FALSE(with(3, 2, 0x10001));                // the start is changed
  CHECK_FALSE(with(7, 2, std::int64_t{1} << 49));  // a base offset
  CHECK_FALSE(right_of(p, [](tg::ptx::module& m) { m.functions[0].body[10].operand_array[2] = operand::reg(6); }));
  CHECK_FALSE(right_of({.start = 128, .stride = 1024, .swizzle_mode = 1, .n = 64}));  // begins in the middle of an atom
  CHECK_FALSE(right_of(p, [](tg::ptx::module& m) { m.functions[0].body[4].guard = 0; }));
}
