#include <tg/dsl/recorder/element_address.hpp>

#include "../recording.hpp"

namespace {

using tg::detail::element_address;
using tg::ptx::operand;
using tg::ptx::token;

std::string text(void (*build)(element_address&, const operand& x, const operand& wide, const operand& stride)) {
  return recording::of([&](auto block, recording::parameters p) {
           auto& t = tg::detail::tracer::current();
           const operand wide = t.load_parameter(token::b64, token::u64), stride = t.load_parameter(token::b32, token::u32);
           element_address at(t, wide);
           build(at, block.thread.x.operand, wide, stride);
           t.emit(tg::ptx::opcode::prefetch, {token::global, token::L2}, {at.get()});
           (void)p;
         })
      .text.substr(std::string("ld.param.u64 ld.param.u32 ").size());
}

}  // namespace

TEST_CASE("each dimension is a product that widens and a sum") {
  CHECK(text([](element_address& a, const operand& x, const operand&, const operand& stride) {
          a.add(x, token::u32, 4);
          a.add(x, token::s32, stride, token::u32);
        }) == "mul.wide.u32 add.s64 mul.wide.s32 add.s64 prefetch.global.L2");
}

TEST_CASE("64 bits of an index or a stride are multiplied in 64 bits") {
  CHECK(text([](element_address& a, const operand&, const operand& wide, const operand& stride) {
          a.add(wide, token::u64, 4);
          a.add(wide, token::u64, stride, token::u32);
        }) == "mul.lo.s64 add.s64 cvt.u64.u32 mul.lo.s64 add.s64 prefetch.global.L2");
  CHECK(text([](element_address& a, const operand& x, const operand& wide, const operand&) {
          a.add(x, token::s32, wide, token::u64);
        }) == "cvt.s64.s32 mul.lo.s64 add.s64 prefetch.global.L2");
  CHECK(text([](element_address& a, const operand& x, const operand&, const operand&) {
          a.add(x, token::u32, std::int64_t{1} << 33);
        }) == "cvt.u64.u32 mul.lo.s64 add.s64 prefetch.global.L2");
}

TEST_CASE("constants go into the offset, as far as it has bits") {
  CHECK(text([](element_address& a, const operand&, const operand&, const operand& stride) {
          a.add(operand::integer(7), token::u32, 4);
          a.add(operand::integer(0), token::u32, stride, token::u32);
        }) == "prefetch.global.L2");
  CHECK(text([](element_address& a, const operand&, const operand&, const operand& stride) {
          a.add(operand::integer(1 << 30), token::u32, 4);
          a.add(operand::integer(3), token::u32, stride, token::u32);
        }) == "mul.wide.s32 add.s64 add.s64 prefetch.global.L2");
  CHECK(text([](element_address& a, const operand&, const operand&, const operand& stride) {
          a.add(operand::integer(std::int64_t{1} << 40), token::u32, stride, token::u32);
        }) == "cvt.u64.u32 mul.lo.s64 add.s64 prefetch.global.L2");
}
