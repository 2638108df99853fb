#include <tg/emulator/block/slot_patterns.hpp>

#include <doctest/doctest.h>

#include <random>

#include <tg/emulator/lanes/vector_unit.hpp>

#include "../runner.hpp"

namespace {

/// Random programs of address arithmetic, comparisons, guards, skips, shared and global memory.
class program_maker {
 public:
  explicit program_maker(std::uint32_t seed) : random_(seed) {}

  std::string operator()() {
    text_ = "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;\n"
            "mov.u32 %r5, %ntid.y; mov.u32 %r21, %ctaid.y; mov.u32 %r22, %nctaid.x; mad.lo.u32 %r21, %r21, %r22, %r3; "
            "mad.lo.u32 %r6, %r2, %r5, %r1; mad.lo.u32 %r6, %r6, %r4, %r0; mov.u32 %r7, %laneid;\n"
            "ld.global.u32 %r8, [%rd0]; mul.wide.u32 %rd4, %r6, 4; add.u64 %rd5, %rd4, %rd0; ld.global.u32 %r9, [%rd5];\n"
            "cvt.u64.u32 %rd10, %r6; cvt.s64.s32 %rd11, %r9; mov.u64 %rd12, 5; mov.u64 %rd13, %rd4;\n";
    for (int r = 10; r < 20; ++r) text_ += "mov.u32 %r" + number(r) + ", %r" + number(pick(10)) + ";\n";
    for (int k = 0; k < 40; ++k) step();
    text_ += "mad.lo.u32 %r30, %r21, 512, %r6; mul.wide.u32 %rd20, %r30, 128; add.u64 %rd20, %rd20, %rd1;\n";
    for (int r = 10; r < 20; ++r) text_ += "st.global.u32 [%rd20+" + number(4 * r) + "], %r" + number(r) + ";\n";
    for (int r = 10; r < 14; ++r) text_ += "st.global.u64 [%rd20+" + number(8 * r) + "], %rd" + number(r) + ";\n";
    return text_;
  }

 private:
  static std::string number(std::size_t n) { return std::to_string(n); }
  std::uint32_t pick(std::uint32_t below) { return static_cast<std::uint32_t>(random_() % below); }
  std::string to() { return "%r" + number(10 + pick(10)); }
  std::string from() {
    if (pick(4) != 0) return "%r" + number(pick(20));
    constexpr const char* numbers[] = {"0", "1", "3", "4", "31", "64", "-1", "1000", "0x7fffffff", "0x80000000", "0xffffff00"};
    return numbers[pick(11)];
  }
  std::string wide_to() { return "%rd" + number(10 + pick(4)); }

  void step() {
    const std::string guard = pick(6) == 0 ? (pick(2) ? "@%p1 " : "@!%p1 ") : "";
    const std::string a = from(), b = from(), c = from(), r = to(), w = wide_to(), v = wide_to();
    constexpr const char* orders[] = {"lt", "le", "gt", "ge", "eq", "ne"};
    const std::string order = orders[pick(6)];
    switch (pick(18)) {
      case 0: text_ += guard + "add.u32 " + r + ", " + a + ", " + b; break;
      case 1: text_ += guard + "sub.s32 " + r + ", " + a + ", " + b; break;
      case 2: text_ += guard + "mul.lo.u32 " + r + ", " + a + ", " + b; break;
      case 3: text_ += guard + "mad.lo.s32 " + r + ", " + a + ", " + b + ", " + c; break;
      case 4: text_ += guard + "shl.b32 " + r + ", " + a + ", " + number(pick(34)); break;
      case 5: text_ += guard + "and.b32 " + r + ", " + a + ", " + b; break;
      case 6: text_ += guard + "mul.wide.s32 " + w + ", " + a + ", " + b; break;
      case 7: text_ += guard + "mul.wide.u32 " + w + ", " + a + ", " + b; break;
      case 8: text_ += guard + "cvt.s64.s32 " + w + ", " + r; break;
      case 9: text_ += guard + "cvt.u64.u32 " + w + ", " + r; break;
      case 10: text_ += guard + "add.s64 " + w + ", " + w + ", " + v; break;
      case 11: text_ += guard + "cvt.u32.u64 " + r + ", " + v; break;
      case 12: text_ += "setp." + order + (pick(2) ? ".s32" : ".u32") + " %p1, " + a + ", " + b; break;
      case 13: text_ += "setp." + order + ".s64 %p1, " + w + ", " + v; break;
      case 14: {
        const std::string label = "L" + number(++labels_);
        text_ += std::string(pick(2) ? "@%p1" : "@!%p1") + " bra " + label + ";\n" + "add.u32 " + r + ", " + r + ", " + a +
                 ";\n" + "st.shared.u32 [%r29], " + r + ";\nld.shared.u32 " + to() + ", [%r29];\n" + label + ":\nadd.u32 " + r +
                 ", " + r + ", 1";
        break;
      }
      case 15: {  // what another thread stored, at an even or an odd address
        text_ += "shl.b32 %r29, %r6, 2; mov.u32 %r28, tile; add.u32 %r29, %r29, %r28; bar.sync 0; st.shared.u32 [%r29], " + a +
                 "; bar.sync 0; ";
        constexpr const char* others[] = {"xor.b32 %r27, %r6, 1; ", "shl.b32 %r27, %r1, 1; ", "sub.u32 %r27, 511, %r6; ",
                                          "mov.u32 %r27, 7; "};
        text_ += others[pick(4)] + std::string("shl.b32 %r27, %r27, 2; add.u32 %r27, %r27, %r28; ") + guard + "ld.shared.u32 " +
                 r + ", [%r27]";
        break;
      }
      case 16:  // the same word for a whole block, another for the next
        text_ += "mul.wide.u32 %rd16, %r3, 4; add.u64 %rd16, %rd16, %rd0; " + guard + "ld.global.u32 " + r + ", [%rd16+" +
                 number(4 * pick(4)) + "]";
        break;
      default:
        text_ += "mul.wide.u32 %rd15, %r0, " + number(4 * pick(3)) + "; add.u64 %rd15, %rd15, %rd0; " + guard +
                 (pick(2) ? "ld.global.u32 " + r + ", [%rd15+" + number(4 * pick(4)) + "]"
                          : "ld.global.s8 " + r + ", [%rd15+" + number(pick(8)) + "]");
    }
    text_ += ";\n";
  }

  std::mt19937 random_;
  std::string text_;
  int labels_ = 0;
};

runner::words outputs(const std::string& body, const runner::launch_shape& shape, bool patterns,
                      runner::counters* counted = nullptr) {
  const std::string before = "mov.u32 %r29, tile; mov.u32 %r31, 0; setp.eq.u32 %p1, %r31, 0;\n";
  runner::bench on(runner::kernel_text(before + body, ".shared .align 8 .b8 tile[2048];"));
  std::vector<std::uint32_t> in(4096);
  std::mt19937 random(7);
  for (auto& word : in) word = random() % 3 == 0 ? static_cast<std::uint32_t>(random()) : random() % 100;
  const std::size_t blocks = shape.grid.count();
  const std::uint64_t from = on.upload(in), to = on.upload(runner::words(blocks * 512 * 16));
  runner::options how;
  how.patterns = patterns;
  how.threads = 1;
  on.run(shape, {from, to}, how, counted);
  return on.download<std::uint64_t>(to, blocks * 512 * 16);
}

}  // namespace

TEST_CASE("what is computed once is what each lane computes") {
  // Blocks of whole warps run as one with their neighbours, up to eight of them.
  const runner::launch_shape shapes[] = {{{2}, {256}},     {{11}, {256}},   {{2}, {16, 16}}, {{5}, {16, 16}},
                                         {{10, 3}, {32}},  {{3, 3}, {128}}, {{2}, {512}},    {{2}, {100}},
                                         {{9}, {8, 4, 4}}, {{1}, {48, 3}},  {{2}, {1, 40}},  {{4}, {1, 64}}};
  int differing = 0;
  for (std::uint32_t seed = 1; seed <= 600; ++seed) {
    const std::string body = program_maker(seed)();
    const runner::launch_shape& shape = shapes[seed % std::size(shapes)];
    const runner::words once = outputs(body, shape, true), each = outputs(body, shape, false);
    CHECK_MESSAGE(once == each, "seed " << seed << "\n" << (once == each ? "" : body));
    for (std::size_t k = 0; k < each.size(); ++k) differing += k % 16 == 5 && k >= 16 && each[k] != each[k - 16];
  }
  CHECK(differing > 1000);  // the programs do not compute the same everywhere
}

TEST_CASE("counters do not depend on what is computed once") {
  const std::string body = program_maker(3)();
  runner::counters once, each;
  outputs(body, {{2}, {16, 16}}, true, &once);
  outputs(body, {{2}, {16, 16}}, false, &each);
  CHECK(once == each);
  CHECK(once.thread_instructions > 0);
}

TEST_CASE("values that wrap are not widened once") {
  // 0xfffffff0 + tid wraps in the middle of the block.
  const std::string body =
      "mov.u32 %r10, %tid.x; add.u32 %r11, %r10, 0xfffffff0; cvt.u64.u32 %rd10, %r11; mul.wide.u32 %rd20, %r10, 8;\n"
      "add.u64 %rd20, %rd20, %rd1; st.global.u64 [%rd20], %rd10;\n";
  const runner::words out = outputs(body, {{1}, {64}}, true);
  CHECK(out[15] == 0xffffffff);
  CHECK(out[16] == 0);
  CHECK(out[63] == 47);
}

TEST_CASE("a wrong sample shows in the lanes") {
  // The planted defect: a step of 5 where the value goes up by 4 must change what lanes see.
  tg::emulator::memory memory(std::size_t{1} << 24);
  const auto program = tg::emulator::program::load(runner::kernel_text("mov.u32 %r1, %tid.x;"), memory);
  const runner::launch_shape shape{{1}, {64}};
  const runner::options how;
  const tg::emulator::lane_code lanes = tg::emulator::find_lane_code();
  const tg::emulator::machine m(memory, *program, 0, shape, how, lanes);
  tg::emulator::slot_patterns patterns(m);
  std::vector<std::uint32_t> frame(std::size_t{m.image.slot_count} * 64);
  patterns.attach(reinterpret_cast<std::byte*>(frame.data()), 256);
  patterns.set({0, 4}, 100, {4, 0, 0});
  patterns.set({1, 4}, 100, {5, 0, 0});
  CHECK(patterns.is_even(0));
  CHECK_FALSE(patterns.is_uniform(0));
  CHECK(patterns.values(0, false).highest == 100 + 4 * 63);
  patterns.settle(0);
  patterns.settle(1);
  for (std::uint32_t lane = 0; lane < 64; ++lane) CHECK(frame[lane] == 100 + 4 * lane);
  CHECK(frame[64 + 1] == 105);
  patterns.forget(0);
  CHECK_FALSE(patterns.is_even(0));
}
