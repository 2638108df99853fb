#include <tg/emulator/decode/decode_patterns.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include "../runner.hpp"

namespace {

using tg::emulator::operation;
using tg::emulator::pattern_rule;

tg::dynamic_array<operation> decoded(const std::string& body) {
  tg::emulator::memory memory(std::size_t{1} << 24);
  return tg::emulator::program::load(runner::kernel_text(body), memory)->image().code;
}

bool has_rule(const std::string& body, pattern_rule rule) {
  return std::ranges::any_of(decoded(body), [&](const operation& o) { return o.rule == rule; });
}

std::size_t skips(const std::string& body) {
  return static_cast<std::size_t>(std::ranges::count_if(decoded(body), [](const operation& o) { return o.is_skip; }));
}

}  // namespace

TEST_CASE("integer arithmetic has rules, what bends lines has none") {
  CHECK(has_rule("add.u32 %r1, %r2, %r3;", pattern_rule::linear));
  CHECK(has_rule("mad.lo.s32 %r1, %r2, %r3, %r4;", pattern_rule::product));
  CHECK(has_rule("mul.wide.s32 %rd4, %r2, %r3;", pattern_rule::wide_signed));
  CHECK(has_rule("mul.wide.u32 %rd4, %r2, %r3;", pattern_rule::wide_unsigned));
  CHECK(has_rule("cvt.s64.s32 %rd4, %r2;", pattern_rule::widen_signed));
  CHECK(has_rule("setp.gt.u32 %p1, %r2, %r3;", pattern_rule::less_unsigned));
  CHECK(has_rule("setp.eq.s32 %p1, %r2, %r3;", pattern_rule::equal));
  CHECK(has_rule("setp.ne.b64 %p1, %rd2, %rd3;", pattern_rule::not_equal));
  for (const char* const body : {"and.b32 %r1, %r2, %r3;", "shr.u32 %r1, %r2, %r3;", "add.f32 %f1, %f2, %f3;",
                                 "add.u16 %h1, %h2, %h3;", "mul.hi.u32 %r1, %r2, %r3;", "min.u32 %r1, %r2, %r3;"})
    CHECK_MESSAGE(
        std::ranges::all_of(decoded(body),
                            [](const operation& o) { return o.rule == pattern_rule::none || o.rule == pattern_rule::linear; }),
        body);
}

TEST_CASE("only branches forward over simple operations are skips") {
  CHECK(skips("@%p1 bra over; add.u32 %r1, %r1, 1; st.shared.u32 [%r1], %r1; over: mov.u32 %r2, 0;") == 1);
  CHECK(skips("@%p1 bra over; bar.sync 0; over: mov.u32 %r2, 0;") == 0);
  CHECK(skips("@%p1 bra over; bra over; over: mov.u32 %r2, 0;") == 0);
  CHECK(skips("again: add.u32 %r1, %r1, 1; @%p1 bra again;") == 0);
  CHECK(skips("bra over; add.u32 %r1, %r1, 1; over: mov.u32 %r2, 0;") == 0);
}
