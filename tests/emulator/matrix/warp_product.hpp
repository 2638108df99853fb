// Runs one matrix instruction of a warp on registers that the test fills, and says what the values of elements are.
#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "../../ptx/ptxas.hpp"
#include "../conformance/machine.hpp"

namespace warp_product {

using registers = std::vector<std::uint64_t>;  // [lane * count + number]

/// What the manual says about an element type.
struct type {
  std::string name;
  int bits;
  int exponent;  // bits of the exponent; 0: an integer
  int fraction;
  bool is_signed = true;
};
inline const type f16{"f16", 16, 5, 10}, bf16{"bf16", 16, 8, 7}, tf32{"tf32", 32, 8, 10}, f32{"f32", 32, 8, 23},
    f64{"f64", 64, 11, 52}, e4m3{"e4m3", 8, 4, 3}, e5m2{"e5m2", 8, 5, 2}, s8{"s8", 8, 0, 0}, u8{"u8", 8, 0, 0, false},
    s4{"s4", 4, 0, 0}, u4{"u4", 4, 0, 0, false}, b1{"b1", 1, 0, 0, false}, s32{"s32", 32, 0, 0};

/// The value of an element's bits; tf32 ignores the lower 13.
inline double value(const type& t, std::uint64_t raw) {
  if (t.exponent == 0) {
    const std::uint64_t sign = std::uint64_t{1} << (t.bits - 1);
    return t.is_signed && (raw & sign) ? static_cast<double>(raw) - 2.0 * static_cast<double>(sign) : static_cast<double>(raw);
  }
  if (t.name == "tf32") raw >>= 13;
  const int width = 1 + t.exponent + t.fraction, bias = (1 << (t.exponent - 1)) - 1;
  const std::uint64_t fraction = raw & ((std::uint64_t{1} << t.fraction) - 1);
  const int exponent = static_cast<int>(raw >> t.fraction & ((std::uint64_t{1} << t.exponent) - 1));
  const double sign = raw >> (width - 1) & 1 ? -1 : 1;
  if (exponent == (1 << t.exponent) - 1) {
    if (t.name != "e4m3") return fraction == 0 ? sign * HUGE_VAL : std::nan("");
    if (fraction == 7) return std::nan("");
  }
  const double size = static_cast<double>(fraction) / static_cast<double>(std::uint64_t{1} << t.fraction);
  return sign * (exponent == 0 ? std::ldexp(size, 1 - bias) : std::ldexp(1 + size, exponent - bias));
}

inline std::mt19937_64& random_bits() {
  static std::mt19937_64 source(20);
  return source;
}

/// Any integer, or a float between 1/8 and 8 of either sign, with all bits of the fraction; tf32 with bits below.
inline std::uint64_t random_element(const type& t) {
  const std::uint64_t any = random_bits()();
  if (t.exponent == 0) return t.bits == 64 ? any : any & ((std::uint64_t{1} << t.bits) - 1);
  const int bias = (1 << (t.exponent - 1)) - 1, exponent = bias - 3 + static_cast<int>(any >> 60) % 6;
  const int fraction_bits = t.name == "tf32" ? 23 : t.fraction;
  const std::uint64_t fraction = any & ((std::uint64_t{1} << fraction_bits) - 1);
  return (any >> 59 & 1) << (t.exponent + fraction_bits) | static_cast<std::uint64_t>(exponent) << fraction_bits | fraction;
}

/// Element `number` of a lane whose registers start at `first`.
inline std::uint64_t element(const type& t, const registers& r, std::size_t first, std::size_t number) {
  if (t.bits >= 32) return r[first + number];
  const std::size_t packed = static_cast<std::size_t>(32 / t.bits);
  return r[first + number / packed] >> (number % packed * static_cast<std::size_t>(t.bits)) &
         ((std::uint64_t{1} << t.bits) - 1);
}

inline registers random_registers(const type& t, std::size_t count, std::size_t lanes = 32) {
  registers out(lanes * count);
  for (std::uint64_t& r : out)
    for (int at = 0; at < std::max(t.bits, 32); at += t.bits) r |= random_element(t) << at;
  return out;
}

/// One operand: `{%a0, %a1}`, in and out of memory.
struct vector_operand {
  char letter;
  std::size_t count;
  int bits = 32;
  const char* kind() const { return bits == 64 ? "f64" : "b32"; }
  std::string text() const {
    std::string out;
    for (std::size_t k = 0; k < count; ++k) out += (k == 0 ? "{%" : ", %") + std::string(1, letter) + std::to_string(k);
    return out + "}";
  }
  std::string declaration() const {
    return std::string(".reg .") + kind() + " %" + letter + "<" + std::to_string(count) + ">; ";
  }
  /// One move per register between memory at `%rd<pointer>` and the registers of the thread.
  std::string moves(const char* verb, int pointer) const {
    const std::string bytes = std::to_string(bits / 8), at = "%rd" + std::to_string(pointer);
    std::string out =
        "mad.wide.u32 " + at + ", %thread, " + std::to_string(count * static_cast<std::size_t>(bits / 8)) + ", " + at + ";\n";
    for (std::size_t k = 0; k < count; ++k) {
      const std::string place = "[" + at + "+" + std::to_string(k * static_cast<std::size_t>(bits / 8)) + "]";
      const std::string name = "%" + std::string(1, letter) + std::to_string(k);
      out +=
          std::string(verb) + ".global." + kind() + " " + (verb[0] == 'l' ? name + ", " + place : place + ", " + name) + ";\n";
    }
    return out;
  }
};

/// Kernel `k` with `declarations` of its own and `outside` of it.
inline std::string kernel(const std::string& body, const std::string& declarations = "", const std::string& outside = "") {
  return ".version 8.7\n.target sm_90a\n.address_size 64\n" + outside +
         ".visible .entry k(.param .u64 p0, .param .u64 p1, .param "
         ".u64 "
         "p2, .param .u64 p3, .param .u64 p4)\n{\n.reg .pred %p<4>; .reg .b32 %thread; .reg .b32 %r<32>; .reg .b64 "
         "%rd<16>; " +
         declarations +
         "\nmov.u32 %thread, %tid.x;\nld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; ld.param.u64 %rd2, [p2]; "
         "ld.param.u64 %rd3, [p3]; ld.param.u64 %rd4, [p4];\n" +
         body + "ret;\n}\n";
}

inline void check_with_ptxas(const std::string& text) {
  if (!tg::ptx::test::has_ptxas()) return;
  const auto said = tg::ptx::test::ask_ptxas(text, "sm_90a");
  CHECK_MESSAGE(said.accepted, said.log);
}

template <class Word> std::vector<Word> narrowed(const registers& from) { return {from.begin(), from.end()}; }
inline registers widened(const auto& from) { return {from.begin(), from.end()}; }

/// The registers of D after `instruction d, a, b, c` and what `more` adds.
inline registers run(const std::string& instruction, vector_operand d, vector_operand a, vector_operand b, vector_operand c,
                     const registers& in_a, const registers& in_b, const registers& in_c, const std::string& more = "",
                     const registers& in_metadata = registers(32), bool judged = true) {
  const vector_operand e{'e', 1};
  const std::string text =
      kernel(a.moves("ld", 0) + b.moves("ld", 1) + c.moves("ld", 2) + e.moves("ld", 4) + instruction + " " + d.text() + ", " +
                 a.text() + ", " + b.text() + ", " + c.text() + more + ";\n" + d.moves("st", 3),
             d.declaration() + a.declaration() + b.declaration() + c.declaration() + e.declaration());
  if (judged) check_with_ptxas(text);
  conformance::machine bench(text);
  const auto up = [&](const vector_operand& o, const registers& in) {
    return o.bits == 64 ? bench.upload(in) : bench.upload(narrowed<std::uint32_t>(in));
  };
  const std::uint64_t to = up(d, registers(32 * d.count));
  bench.run({{1}, {32}}, {up(a, in_a), up(b, in_b), up(c, in_c), to, up(e, in_metadata)});
  return d.bits == 64 ? bench.download<std::uint64_t>(to, 32 * d.count)
                      : widened(bench.download<std::uint32_t>(to, 32 * d.count));
}

/// A rounded to nearest even, as the bits of f16.
inline std::uint64_t to_f16(double v) {
  if (std::isnan(v)) return 0x7fff;
  const std::uint64_t sign = std::signbit(v) ? 0x8000 : 0;
  v = std::fabs(v);
  if (v >= 65520) return sign | 0x7c00;
  int exponent = 0;
  std::frexp(v, &exponent);
  const int unit = std::max(exponent - 11, -24);
  const double count = std::nearbyint(std::ldexp(v, -unit));
  const double rounded = std::ldexp(count, unit);
  if (rounded < std::ldexp(1, -14)) return sign | static_cast<std::uint64_t>(std::ldexp(rounded, 24));
  if (rounded >= 65536) return sign | 0x7c00;
  std::frexp(rounded, &exponent);
  return sign |
         static_cast<std::uint64_t>((exponent + 14) << 10 | (static_cast<int>(std::ldexp(rounded, 11 - exponent)) & 0x3ff));
}

/// Bits of an accumulator of type `t`, as they stand in a register of their own.
inline std::uint64_t accumulated(const type& t, double c, const std::vector<double>& left, const std::vector<double>& right) {
  if (t.name == "f64") {
    for (std::size_t k = 0; k < left.size(); ++k) c = std::fma(left[k], right[k], c);
    return runner::bits(c);
  }
  if (t.name == "s32") {
    std::int64_t sum = static_cast<std::int64_t>(c);
    for (std::size_t k = 0; k < left.size(); ++k) sum += static_cast<std::int64_t>(left[k] * right[k]);
    return static_cast<std::uint64_t>(sum);
  }
  float sum = static_cast<float>(c);
  for (std::size_t k = 0; k < left.size(); ++k) sum = sum + static_cast<float>(left[k] * right[k]);
  if (t.name == "f16") return to_f16(sum);
  return std::isnan(sum) ? 0x7fffffff : runner::bits(sum);
}

/// Whether f32 or f16 bits are as near to the exact sum as their rounding allows, and `slack` of the sum of magnitudes.
inline bool is_near(const type& t, std::uint64_t bits, double c, const std::vector<double>& left,
                    const std::vector<double>& right, double slack) {
  double exact = c, sizes = std::fabs(c);
  for (std::size_t k = 0; k < left.size(); ++k) exact += left[k] * right[k], sizes += std::fabs(left[k] * right[k]);
  const double steps = static_cast<double>(left.size() + 1);
  const double bound = sizes * steps * 0x1p-24 + (t.name == "f16" ? std::fabs(exact) * 0x1p-11 + 0x1p-25 : 0) + sizes * slack;
  return std::fabs(value(t, bits) - exact) <= bound * 1.01;
}

/// Whether the bits of a sum are right: exact where the type has no choice, else near; on the emulator those `wanted`. `slack`:
/// what a GPU's sums may be off beyond rounding.
inline bool is_sum(const type& t, std::uint64_t bits, std::uint64_t wanted, double c, const std::vector<double>& left,
                   const std::vector<double>& right, double slack = 0) {
  if (t.name == "s32" || t.name == "f64") return bits == wanted;
  return is_near(t, bits, c, left, right, slack) && (bits == wanted || !conformance::sums_exactly());
}

}  // namespace warp_product
