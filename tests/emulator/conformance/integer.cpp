// Integer arithmetic of 16, 32 and 64 bits.
#include "batch.hpp"

namespace {

using namespace conformance;
using wide = __int128_t;
using operands = const std::uint64_t*;

struct width {
  int bits;
  const char* letter;  // of its registers
  const words* edges;
};
const width widths[] = {{16, "h", &runner::edges_16}, {32, "r", &runner::edges_32}, {64, "rd", &runner::edges_64}};

std::uint64_t cut(wide v, int bits) {
  return bits == 64 ? static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v) & ((std::uint64_t{1} << bits) - 1);
}
wide read(std::uint64_t v, int bits, bool is_signed) {
  const wide plain = static_cast<wide>(cut(static_cast<wide>(v), bits));
  return is_signed && (plain >> (bits - 1)) != 0 ? plain - (wide{1} << bits) : plain;
}
wide clamped(wide v, int bits) {
  const wide high = (wide{1} << (bits - 1)) - 1;
  return v > high ? high : v < -high - 1 ? -high - 1 : v;
}
std::uint64_t high_half(wide a, wide b, int bits, bool is_signed) {
  if (bits < 64) return cut((a * b) >> bits, bits);
  const auto product = static_cast<__uint128_t>(static_cast<__uint128_t>(a) * static_cast<__uint128_t>(b));
  if (is_signed) return static_cast<std::uint64_t>((a * b) >> 64);
  return static_cast<std::uint64_t>(product >> 64);
}

/// Sources of one width, with the forms that take so many of them.
class forms_of {
 public:
  forms_of(const width& w, std::size_t arity) : width_(w), arity_(arity) {}

  std::string reg(int k) const { return std::string("%") + width_.letter + std::to_string(k); }
  std::string result() const { return reg(width_.bits == 16 ? 19 : 20); }
  std::string sources() const {
    std::string out;
    for (std::size_t k = 0; k < arity_; ++k) out += ", " + reg(10 + static_cast<int>(k));
    return out + ";";
  }
  void add(const std::string& form, std::function<std::uint64_t(operands)> expected) {
    cases_.push_back({{form + " " + result() + sources(), result()}, std::move(expected)});
  }
  void add_raw(const std::string& body, const std::string& result, std::function<std::uint64_t(operands)> expected) {
    cases_.push_back({{body, result}, std::move(expected)});
  }
  void check_forms() const {
    const std::uint64_t mask = width_.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width_.bits) - 1;
    if (arity_ == 1 && width_.bits == 16) return conformance::check_forms({every(0x10000)}, cases_);
    columns inputs = edges_and_random(*width_.edges, arity_, 100000, mask);
    std::mt19937_64 bits(9);  // small numbers, where quotients are not trivial
    for (int r = 0; r < 30000; ++r)
      for (words& column : inputs) column.push_back(bits() >> (bits() % 64) & mask);
    if (arity_ == 2 && width_.bits == 16) inputs = sixteen_bit_pairs(*width_.edges);
    conformance::check_forms(inputs, cases_);
  }

 private:
  const width& width_;
  std::size_t arity_;
  std::vector<form_case> cases_;
};

void check_two(const width& w) {
  forms_of forms(w, 2);
  for (const bool is_signed : {false, true}) {
    const int bits = w.bits;
    const std::string type = (is_signed ? ".s" : ".u") + std::to_string(bits);
    const auto add = [&](const std::string& op, auto f) {
      forms.add(op + type, [=](operands v) { return cut(f(read(v[0], bits, is_signed), read(v[1], bits, is_signed)), bits); });
    };
    add("add", [](wide a, wide b) { return a + b; });
    add("sub", [](wide a, wide b) { return a - b; });
    add("mul.lo", [](wide a, wide b) { return static_cast<wide>(static_cast<__uint128_t>(a) * static_cast<__uint128_t>(b)); });
    add("mul.hi", [=](wide a, wide b) { return static_cast<wide>(high_half(a, b, bits, is_signed)); });
    add("div", [](wide a, wide b) { return b == 0 ? wide{-1} : a / b; });
    add("rem", [](wide a, wide b) { return b == 0 ? wide{-1} : a % b; });
    add("min", [](wide a, wide b) { return std::min(a, b); });
    add("max", [](wide a, wide b) { return std::max(a, b); });
    if (bits < 64) {
      const std::string wider = bits == 16 ? "%r20" : "%rd20";
      forms.add_raw("mul.wide" + type + " " + wider + forms.sources(), wider,
                    [=](operands v) { return cut(read(v[0], bits, is_signed) * read(v[1], bits, is_signed), 2 * bits); });
    }
  }
  if (w.bits == 32) {
    const auto saturating = [&](const char* op, auto f) {
      forms.add(op, [=](operands v) { return cut(clamped(f(read(v[0], 32, true), read(v[1], 32, true)), 32), 32); });
    };
    saturating("add.sat.s32", [](wide a, wide b) { return a + b; });
    saturating("sub.sat.s32", [](wide a, wide b) { return a - b; });
    for (const bool is_signed : {false, true}) {
      const std::string type = is_signed ? ".s32" : ".u32";
      const auto product = [=](operands v) { return read(v[0], 24, is_signed) * read(v[1], 24, is_signed); };
      forms.add("mul24.lo" + type, [=](operands v) { return cut(product(v), 32); });
      forms.add("mul24.hi" + type, [=](operands v) { return cut(product(v) >> 16, 32); });
    }
    forms.add("min.relu.s32",
              [](operands v) { return cut(std::max(std::min(read(v[0], 32, true), read(v[1], 32, true)), wide{0}), 32); });
    forms.add("max.relu.s32",
              [](operands v) { return cut(std::max(std::max(read(v[0], 32, true), read(v[1], 32, true)), wide{0}), 32); });
    const auto halves = [&](const std::string& form, bool is_signed, auto f) {
      forms.add(form, [=](operands v) {
        std::uint64_t out = 0;
        for (int k = 0; k < 32; k += 16) out |= cut(f(read(v[0] >> k, 16, is_signed), read(v[1] >> k, 16, is_signed)), 16) << k;
        return out;
      });
    };
    halves("add.u16x2", false, [](wide a, wide b) { return a + b; });
    halves("add.s16x2", true, [](wide a, wide b) { return a + b; });
    for (const bool is_signed : {false, true}) {
      const std::string type = is_signed ? ".s16x2" : ".u16x2";
      halves("min" + type, is_signed, [](wide a, wide b) { return std::min(a, b); });
      halves("max" + type, is_signed, [](wide a, wide b) { return std::max(a, b); });
    }
    halves("min.relu.s16x2", true, [](wide a, wide b) { return std::max(std::min(a, b), wide{0}); });
    halves("max.relu.s16x2", true, [](wide a, wide b) { return std::max(std::max(a, b), wide{0}); });
  }
  forms.check_forms();
}

void check_three(const width& w) {
  forms_of forms(w, 3);
  const int bits = w.bits;
  for (const bool is_signed : {false, true}) {
    const std::string type = (is_signed ? ".s" : ".u") + std::to_string(bits);
    const auto in = [=](std::uint64_t v) { return read(v, bits, is_signed); };
    forms.add("mad.lo" + type, [=](operands v) { return cut(static_cast<wide>(v[0] * v[1] + v[2]), bits); });
    forms.add("mad.hi" + type,
              [=](operands v) { return cut(static_cast<wide>(high_half(in(v[0]), in(v[1]), bits, is_signed) + v[2]), bits); });
    forms.add("sad" + type, [=](operands v) {
      const wide a = in(v[0]), b = in(v[1]);
      return cut((a < b ? b - a : a - b) + in(v[2]), bits);
    });
    if (bits == 64) continue;
    const std::string wider = bits == 16 ? "%r" : "%rd";
    forms.add_raw("mad.wide" + type + " " + wider + "20, " + forms.reg(10) + ", " + forms.reg(11) + ", " + wider + "12;",
                  wider + "20", [=](operands v) { return cut(in(v[0]) * in(v[1]) + static_cast<wide>(v[2]), 2 * bits); });
  }
  if (bits == 32) {
    forms.add("mad.hi.sat.s32", [](operands v) {
      return cut(clamped(((read(v[0], 32, true) * read(v[1], 32, true)) >> 32) + read(v[2], 32, true), 32), 32);
    });
    for (const bool is_signed : {false, true}) {
      const std::string type = is_signed ? ".s32" : ".u32";
      const auto product = [=](operands v) { return read(v[0], 24, is_signed) * read(v[1], 24, is_signed); };
      forms.add("mad24.lo" + type, [=](operands v) { return cut(product(v) + static_cast<wide>(v[2]), 32); });
      forms.add("mad24.hi" + type, [=](operands v) { return cut((product(v) >> 16) + static_cast<wide>(v[2]), 32); });
    }
    forms.add("mad24.hi.sat.s32", [](operands v) {
      return cut(clamped((read(v[0], 24, true) * read(v[1], 24, true) >> 16) + read(v[2], 32, true), 32), 32);
    });
    for (const bool a_signed : {false, true})
      for (const bool b_signed : {false, true}) {
        const std::string type = std::string(a_signed ? ".s32" : ".u32") + (b_signed ? ".s32" : ".u32");
        forms.add("dp4a" + type, [=](operands v) {
          wide total = static_cast<wide>(v[2]);
          for (int k = 0; k < 32; k += 8) total += read(v[0] >> k, 8, a_signed) * read(v[1] >> k, 8, b_signed);
          return cut(total, 32);
        });
        for (const bool upper : {false, true})
          forms.add(std::string(upper ? "dp2a.hi" : "dp2a.lo") + type, [=](operands v) {
            const std::uint64_t b = upper ? v[1] >> 16 : v[1];
            return cut(static_cast<wide>(v[2]) + read(v[0], 16, a_signed) * read(b, 8, b_signed) +
                           read(v[0] >> 16, 16, a_signed) * read(b >> 8, 8, b_signed),
                       32);
          });
      }
  }
  forms.check_forms();
}

}  // namespace

TEST_CASE("conformance: integers of two operands") {
  for (const width& w : widths) check_two(w);
}
TEST_CASE("conformance: integers of three operands") {
  for (const width& w : widths) check_three(w);
}
TEST_CASE("conformance: integers of one operand") {
  for (const width& w : widths) {
    forms_of forms(w, 1);
    const std::string type = ".s" + std::to_string(w.bits);
    forms.add("neg" + type, [&](operands v) { return cut(-read(v[0], w.bits, true), w.bits); });
    forms.add("abs" + type, [&](operands v) {
      const wide a = read(v[0], w.bits, true);
      return cut(a < 0 ? -a : a, w.bits);
    });
    forms.check_forms();
  }
}

TEST_CASE("conformance: carry chains are sums of twice the width") {
  for (const int bits : {32, 64}) {
    const width& w = widths[bits == 32 ? 1 : 2];
    forms_of forms(w, 4);  // a1:a0 op b1:b0
    const std::string r = std::string("%") + w.letter, u = ".u" + std::to_string(bits);
    const auto a = [=](operands v) { return static_cast<__uint128_t>(v[1]) << bits | v[0]; };
    const auto b = [=](operands v) { return static_cast<__uint128_t>(v[3]) << bits | v[2]; };
    const auto chain = [&](const std::string& first, const std::string& second, int part, auto f) {
      const std::string text = first + ".cc" + u + " " + r + "20, " + r + "10, " + r + "12; " + second + u + " " + r + "21, " +
                               r + "11, " + r + "13;";
      forms.add_raw(text, r + std::to_string(20 + part),
                    [=](operands v) { return cut(static_cast<wide>(f(a(v), b(v)) >> (part * bits)), bits); });
    };
    for (const int part : {0, 1}) {
      chain("add", "addc", part, [](__uint128_t x, __uint128_t y) { return x + y; });
      chain("sub", "subc", part, [](__uint128_t x, __uint128_t y) { return x - y; });
    }
    const std::string carry_out = "; addc" + u + " " + r + "22, 0, 0;";
    forms.add_raw("add.cc" + u + " " + r + "20, " + r + "10, " + r + "12; addc.cc" + u + " " + r + "21, " + r + "11, " + r +
                      "13" + carry_out,
                  r + "22", [=](operands v) {
                    const __uint128_t low = static_cast<__uint128_t>(cut(static_cast<wide>(v[0]), bits)) + v[2];
                    return static_cast<std::uint64_t>((static_cast<__uint128_t>(v[1]) + v[3] + (low >> bits)) >> bits);
                  });
    // a1:a0 * b0 + 0:b1
    const std::string product = "mad.lo.cc" + u + " " + r + "20, " + r + "10, " + r + "12, " + r + "13; madc.hi" + u + " " + r +
                                "21, " + r + "10, " + r + "12, 0;";
    for (const int part : {0, 1})
      forms.add_raw(product, r + std::to_string(20 + part), [=](operands v) {
        return cut(static_cast<wide>((static_cast<__uint128_t>(v[0]) * v[2] + v[3]) >> (part * bits)), bits);
      });
    forms.check_forms();
  }
}

TEST_CASE("conformance: the comparison finds a wrong form and its row") {
  const columns inputs = {{1, 2, 3}, {4, 2, 7}};
  const auto wrong = [](operands v) { return v[0] == v[1] ? v[0] : v[0] + v[1]; };
  const auto found = differences(inputs, {{{"add.u32 %r20, %r10, %r11;", "%r20"}, wrong}});
  REQUIRE_EQ(found.size(), 1);
  CHECK(runner::has(found[0], "add.u32 %r20, %r10, %r11; of 0x2, 0x2: 0x4, not 0x2; 1 rows are wrong"));
  const auto right = [](operands v) { return v[0] + v[1]; };
  CHECK(differences(inputs, {{{"add.u32 %r20, %r10, %r11;", "%r20"}, right}}).empty());
}
