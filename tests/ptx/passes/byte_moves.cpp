#include <tg/ptx/passes/byte_moves.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>

#include <tg/dsl.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/ptx/passes/contract.hpp>
#include <tg/runtime/device.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::literals;
using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;

struct tree {
  sketch s;
  operand x = s.parameter(token::b32), y = s.parameter(token::b32), z = s.parameter(token::b32);

  operand up(const operand& a, int by) { return s.op(opcode::shl, token::b32, {a, operand::integer(by)}); }
  operand down(const operand& a, int by, token type = token::u32) { return s.op(opcode::shr, type, {a, operand::integer(by)}); }
  operand mask(const operand& a, std::int64_t bits) { return s.op(opcode::and_, token::b32, {a, operand::integer(bits)}); }
  operand both(const operand& a, const operand& b, opcode op = opcode::or_) {
    return s.op(op, op == opcode::add ? token::u32 : token::b32, {a, b});
  }
};

/// What is left of a tree behind its three parameters.
template <class Write> std::string packed(const Write& write) {
  tree t;
  t.s.use(write(t));
  contract(t.s.f());
  drop_empty(t.s.f());
  const std::string text = t.s.text();
  return text.substr(text.find("[p2]") + 5);
}

operand swapped(tree& t) {
  const operand ends = t.both(t.down(t.x, 24), t.up(t.x, 24));
  return t.both(t.both(t.mask(t.down(t.x, 8), 0xff00), t.mask(t.up(t.x, 8), 0xff0000)), ends);
}

std::uint32_t result(const function& f, std::uint64_t x, std::uint64_t y, std::uint64_t z) {
  machine m{f, 0, {x, y, z}};
  m.run();
  return m.stores.at(0).second;
}

/// Whether two functions give the same for random registers.
bool agree(const function& a, const function& b) {
  std::mt19937_64 random(3);
  for (int n = 0; n < 8; ++n) {
    const std::uint64_t x = random() & 0xffffffff, y = random() & 0xffffffff, z = random() & 0xffffffff;
    if (result(a, x, y, z) != result(b, x, y, z)) return false;
  }
  return true;
}

/// A tree of random moves of bytes, some of them of parts of bytes.
class random_tree {
 public:
  explicit random_tree(unsigned seed) : random_(seed) {
    t_.s.use(make(4));
    t_.s.b.emit(opcode::ret, {}, {});
  }
  function& f() { return t_.s.f(); }
  sketch& words() { return t_.s; }

 private:
  std::uint32_t pick(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  operand make(int depth) {
    if (depth == 0) return pick(3) == 0 ? t_.y : pick(40) == 0 ? t_.z : t_.x;
    const auto amount = [&] { return pick(20) == 0 ? static_cast<int>(pick(33)) : static_cast<int>(8 * (1 + pick(3))); };
    switch (pick(11)) {
      case 0:
      case 1: return t_.up(make(depth - 1), amount());
      case 2:
      case 3: return t_.down(make(depth - 1), amount(), pick(8) == 0 ? token::s32 : token::u32);
      case 4:
      case 5:
      case 6: {
        std::int64_t bits = 0;
        for (int k = 0; k < 4; ++k) bits |= static_cast<std::int64_t>(pick(2) * 255) << 8 * k;
        if (pick(20) == 0) bits ^= 1ll << pick(32);
        return t_.mask(make(depth - 1), sign_extend(bits, 32));
      }
      case 7:
        return t_.s.b.compute(token::b32, opcode::prmt, {token::b32},
                              {make(depth - 1), make(depth - 1), operand::integer(random_() & 0x7777)});
      case 8: return t_.s.b.compute(token::b32, opcode::cvt, {token::u32, token::u8}, {make(depth - 1)});
      default: {
        const operand a = make(depth - 1), b = make(depth - 1);
        if (pick(3) != 0)  // no byte of both
          return t_.both(t_.mask(a, 0xffff), t_.mask(b, -65536),
                         pick(2) == 0   ? opcode::or_
                         : pick(2) == 0 ? opcode::xor_
                                        : opcode::add);
        return t_.both(a, b, pick(2) == 0 ? opcode::or_ : opcode::add);
      }
    }
  }

  std::mt19937_64 random_;
  tree t_;
};

}  // namespace

TEST_CASE("byte swaps, rotations and packings are one instruction") {
  CHECK(packed(swapped) == "prmt.b32 r3, r0, 0, 291\nst.global.u32 [v0], r3\n");
  CHECK(packed([](tree& t) { return t.both(t.up(t.x, 16), t.mask(t.y, 0xffff)); }) ==
        "prmt.b32 r3, r1, r0, 21520\nst.global.u32 [v0], r3\n");
  CHECK(packed([](tree& t) { return t.both(t.mask(t.down(t.x, 16), 255), t.up(t.y, 8), opcode::add); }) ==
        "prmt.b32 r3, r0, r1, 25922\nst.global.u32 [v0], r3\n");
  CHECK(packed([](tree& t) { return t.both(t.mask(t.down(t.x, 16), 255), t.mask(t.up(t.x, 8), 0xff00)); }) ==
        "prmt.b32 r3, r0, 0, 17410\nst.global.u32 [v0], r3\n");
}

TEST_CASE("traps: what is no move of bytes, what others read, what saves nothing") {
  const auto stays = [](const auto& write) { return packed(write).find("prmt") == std::string::npos; };
  CHECK_FALSE(stays(swapped));
  CHECK(stays([](tree& t) { return t.both(t.mask(t.down(t.x, 7), 0xff00), t.mask(t.up(t.x, 8), 0xff0000)); }));
  CHECK(stays([](tree& t) { return t.both(t.down(t.x, 24, token::s32), t.mask(t.up(t.x, 9), 0xff0000)); }));
  CHECK(stays([](tree& t) { return t.both(t.mask(t.down(t.x, 8), 0xff0f), t.mask(t.up(t.x, 8), 0xff0f00)); }));
  CHECK(stays([](tree& t) { return t.both(t.mask(t.x, 0xff00), t.mask(t.y, 0xff0000)); }));      // one lop3
  CHECK(stays([](tree& t) { return t.both(t.up(t.x, 16), t.y); }));                              // bytes of both
  CHECK(stays([](tree& t) { return t.both(t.up(t.x, 16), t.down(t.y, 8)); }));                   // the same, shifted
  CHECK(stays([](tree& t) { return t.both(t.mask(t.up(t.x, 8), 0xff00), t.mask(t.y, 255)); }));  // two registers and a 0
  CHECK(stays([](tree& t) {
    return t.both(t.both(t.mask(t.x, 255), t.mask(t.up(t.y, 8), 0xff00)), t.up(t.z, 16));  // three registers
  }));
  CHECK(stays([](tree& t) {
    const operand part = t.mask(t.down(t.x, 8), 0xff00);
    t.s.use(part);
    return t.both(part, t.up(t.x, 24));
  }));
  CHECK(stays([](tree& t) {  // what the loop does not change is made in front of it
    const operand part = t.mask(t.down(t.x, 8), 0xff00);
    t.s.loop();
    const operand all = t.both(part, t.up(t.x, 24));
    t.s.use(all);
    t.s.endloop(t.s.set(token::lt, token::u32, all, t.y));
    return t.x;
  }));
  CHECK(stays([](tree& t) {  // a variable may have changed where the last instruction stands
    const operand v = t.s.variable(token::b32);
    t.s.move(v, t.x);
    const operand a = t.mask(t.down(v, 8), 0xff00), b = t.mask(t.up(v, 8), 0xff0000);
    t.s.move(v, t.y);
    return t.both(a, b);
  }));
}

TEST_CASE("random trees keep their values, and a wrong selector is found") {
  int made = 0, found = 0, broken = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    random_tree plain(seed), t(seed);
    contract(t.f());
    drop_empty(t.f());
    CAPTURE(plain.words().text());
    CAPTURE(t.words().text());
    const bool is_same = agree(plain.f(), t.f());
    CHECK(is_same);
    for (std::size_t n = 0; n < t.f().body.size(); ++n) {
      if (t.f().body[n].op != opcode::prmt || n + 3 != t.f().body.size() || plain.words().count(opcode::prmt) != 0) continue;
      ++made;
      for (int k = 0; k < 4; ++k) {
        function wrong = t.f();
        if (wrong.body[n][2].is(operand_kind::integer) && (wrong.body[n][3].value >> 4 * k & 15) > 3) continue;  // 0
        wrong.body[n][3].value ^= 1ll << 4 * k;  // the byte beside it
        ++broken;
        found += !agree(plain.f(), wrong);
      }
    }
  }
  CHECK(made > 50);
  CHECK(found > broken * 3 / 4);  // in the others both bytes are 0
}

TEST_CASE("bytes of a word turn round in one instruction of a kernel") {
  const auto kernel = tg::kernel<"swap_bytes">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
    const auto i = block.thread.x;
    const auto w = tg::let(x(i));
    y(i) = (w >> 24u) | ((w >> 8u) & 0xff00u) | ((w << 8u) & 0xff0000u) | (w << 24u);
  });
  const auto lowered = tg::lower(kernel);
  int permutes = 0, shifts = 0;
  for (const auto& i : lowered.module.functions[0].body) {
    permutes += i.op == opcode::prmt;
    shifts += i.op == opcode::shr || i.op == opcode::or_;
  }
  CHECK(permutes == 1);
  CHECK(shifts == 0);
  tg::device gpu("emulator");
  tg::dynamic_array<unsigned> numbers(32);
  for (unsigned k = 0; k < 32; ++k) numbers[k] = k * 0x01234567u;
  const auto x = gpu.upload(numbers);
  auto y = gpu.zeros<unsigned>(32);
  gpu.launch(kernel, tg::grid(1), x, y);
  const auto out = y.to_host();
  for (unsigned k = 0; k < 32; ++k) CHECK(out[k] == __builtin_bswap32(numbers[k]));
}
