// Logic, shifts, bit fields, selections and integer comparisons.
#include "../../gpu_machine.hpp"
#include "batch.hpp"

#include <array>
#include <bit>

namespace {

using namespace conformance;
using operands = const std::uint64_t*;

std::uint64_t ones(int bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
std::int64_t extended(std::uint64_t v, int bits) { return static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits); }
std::string letter(int bits) { return bits == 16 ? "%h" : bits == 32 ? "%r" : "%rd"; }
std::string result(int bits) { return letter(bits) + (bits == 16 ? "19" : "20"); }
const words& edges(int bits) { return bits == 16 ? runner::edges_16 : bits == 32 ? runner::edges_32 : runner::edges_64; }

/// Operands of `bits`, then amounts and positions.
columns with_amounts(int bits, std::size_t values, std::size_t amounts) {
  columns out = edges_and_random(edges(bits), values, 100000, ones(bits));
  std::mt19937_64 random(11);
  const words special = {0, 1, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 0x80000000, 0xffffffff};
  for (std::size_t k = 0; k < amounts; ++k) {
    words column(out[0].size());
    for (std::uint64_t& v : column) v = random() % 2 == 0 ? special[random() % special.size()] : random() % 72;
    out.push_back(std::move(column));
  }
  return out;
}

std::uint64_t field(std::uint64_t a, std::uint64_t position, std::uint64_t length, int bits, bool is_signed) {
  position &= 255, length &= 255;
  std::uint64_t out = 0;
  const auto bit = [&](std::uint64_t at) { return a >> at & 1; };
  const auto top = static_cast<std::uint64_t>(bits - 1);
  const std::uint64_t sign = !is_signed || length == 0 ? 0 : bit(std::min(position + length - 1, top));
  for (std::uint64_t k = 0; k <= top; ++k) out |= (k < length && position + k <= top ? bit(position + k) : sign) << k;
  return out;
}
std::uint64_t inserted(std::uint64_t a, std::uint64_t b, std::uint64_t position, std::uint64_t length, int bits) {
  position &= 255, length &= 255;
  for (std::uint64_t k = 0; k < length && position + k < static_cast<std::uint64_t>(bits); ++k)
    b = (b & ~(std::uint64_t{1} << (position + k))) | (a >> k & 1) << (position + k);
  return b;
}

}  // namespace

TEST_CASE("conformance: logic and counts") {
  for (const int bits : {16, 32, 64}) {
    const std::string type = ".b" + std::to_string(bits), r = letter(bits), to = result(bits);
    const std::string one = " " + to + ", " + r + "10;", two = " " + to + ", " + r + "10, " + r + "11;";
    std::vector<form_case> unary = {
        {{"not" + type + one, to}, [=](operands v) { return ~v[0] & ones(bits); }},
        {{"cnot" + type + one, to}, [=](operands v) { return std::uint64_t{(v[0] & ones(bits)) == 0}; }}};
    std::vector<form_case> binary = {{{"and" + type + two, to}, [](operands v) { return v[0] & v[1]; }},
                                     {{"or" + type + two, to}, [](operands v) { return v[0] | v[1]; }},
                                     {{"xor" + type + two, to}, [](operands v) { return v[0] ^ v[1]; }}};
    if (bits > 16) {
      const std::string count = " %r20, " + r + "10;";
      unary.push_back(
          {{"popc" + type + count, "%r20"}, [](operands v) { return static_cast<std::uint64_t>(std::popcount(v[0])); }});
      unary.push_back({{"clz" + type + count, "%r20"},
                       [=](operands v) { return static_cast<std::uint64_t>(std::countl_zero(v[0]) - (64 - bits)); }});
      unary.push_back({{"brev" + type + one, to}, [=](operands v) {
                         std::uint64_t out = 0;
                         for (int k = 0; k < bits; ++k) out |= (v[0] >> k & 1) << (bits - 1 - k);
                         return out;
                       }});
      for (const bool is_signed : {false, true})
        for (const bool shifts : {false, true}) {
          const std::string form =
              std::string("bfind") + (shifts ? ".shiftamt" : "") + (is_signed ? ".s" : ".u") + std::to_string(bits);
          unary.push_back({{form + count, "%r20"}, [=](operands v) {
                             const std::int64_t a = extended(v[0], bits);
                             const std::uint64_t plain = (is_signed && a < 0 ? ~v[0] : v[0]) & ones(bits);
                             if (plain == 0) return std::uint64_t{0xffffffff};
                             const auto at = static_cast<std::uint64_t>(63 - std::countl_zero(plain));
                             return shifts ? static_cast<std::uint64_t>(bits - 1) - at : at;
                           }});
        }
    }
    check_forms(bits == 16 ? columns{every(0x10000)} : edges_and_random(edges(bits), 1, 100000, ones(bits)), unary);
    check_forms(bits == 16 ? sixteen_bit_pairs(edges(16)) : edges_and_random(edges(bits), 2, 100000, ones(bits)), binary);
  }
}

TEST_CASE("conformance: shifts clamp their amount") {
  for (const int bits : {16, 32, 64}) {
    const std::string n = std::to_string(bits), to = result(bits), operands_text = " " + to + ", " + letter(bits) + "10, %r11;";
    const auto limit = static_cast<std::uint64_t>(bits);
    check_forms(
        with_amounts(bits, 1, 1),
        {{{"shl.b" + n + operands_text, to}, [=](operands v) { return v[1] >= limit ? 0 : v[0] << v[1] & ones(bits); }},
         {{"shr.u" + n + operands_text, to}, [=](operands v) { return v[1] >= limit ? 0 : (v[0] & ones(bits)) >> v[1]; }},
         {{"shr.b" + n + operands_text, to}, [=](operands v) { return v[1] >= limit ? 0 : (v[0] & ones(bits)) >> v[1]; }},
         {{"shr.s" + n + operands_text, to}, [=](operands v) {
            return static_cast<std::uint64_t>(extended(v[0], bits) >> std::min(v[1], limit - 1)) & ones(bits);
          }}});
  }
  const auto funnel = [](operands v, std::uint64_t amount, bool left) {
    const std::uint64_t both = v[1] << 32 | v[0];
    return left ? (amount == 32 ? v[0] : (both << amount) >> 32) & 0xffffffff : both >> amount & 0xffffffff;
  };
  std::vector<form_case> cases;
  for (const bool left : {false, true})
    for (const bool wraps : {false, true})
      cases.push_back(
          {{std::string("shf.") + (left ? "l." : "r.") + (wraps ? "wrap" : "clamp") + ".b32 %r20, %r10, %r11, %r12;", "%r20"},
           [=](operands v) { return funnel(v, wraps ? v[2] & 31 : std::min<std::uint64_t>(v[2], 32), left); }});
  check_forms(with_amounts(32, 2, 1), cases);
}

TEST_CASE("conformance: bit fields") {
  // Of positions and lengths, 8 bits count. For 64-bit fields ptxas makes code that takes all of them.
  const auto inputs_for = [](int bits, int values) {
    columns out = with_amounts(bits, values, 2);
    if (bits == 64 && gpu_machine::is_asked())
      for (std::size_t k = out.size() - 2; k < out.size(); ++k)
        for (std::uint64_t& amount : out[k]) amount &= 255;
    return out;
  };
  for (const int bits : {32, 64}) {
    const std::string n = std::to_string(bits), r = letter(bits), to = result(bits);
    std::vector<form_case> fields;
    for (const bool is_signed : {false, true})
      fields.push_back({{std::string("bfe.") + (is_signed ? "s" : "u") + n + " " + to + ", " + r + "10, %r11, %r12;", to},
                        [=](operands v) { return field(v[0], v[1], v[2], bits, is_signed); }});
    check_forms(inputs_for(bits, 1), fields);
    check_forms(inputs_for(bits, 2), {{{"bfi.b" + n + " " + to + ", " + r + "10, " + r + "11, %r12, %r13;", to},
                                       [=](operands v) { return inserted(v[0], v[1], v[2], v[3], bits); }}});
  }
  std::vector<form_case> cases;
  for (const bool wraps : {false, true}) {
    const std::string mode = wraps ? "wrap" : "clamp";
    const auto limited = [=](std::uint64_t v) { return wraps ? v & 31 : std::min<std::uint64_t>(v, 32); };
    cases.push_back({{"bmsk." + mode + ".b32 %r20, %r11, %r12;", "%r20"},
                     [=](operands v) { return inserted(~std::uint64_t{0}, 0, limited(v[1]), limited(v[2]), 32); }});
    for (const bool is_signed : {false, true})
      cases.push_back({{"szext." + mode + (is_signed ? ".s32" : ".u32") + " %r20, %r10, %r11;", "%r20"},
                       [=](operands v) { return field(v[0], 0, limited(v[1]), 32, is_signed); }});
  }
  check_forms(with_amounts(32, 1, 2), cases);
}

TEST_CASE("conformance: prmt in every mode, lop3 with every table") {
  const auto byte = [](operands v, std::uint64_t selector) {
    const std::uint64_t b = (v[1] << 32 | v[0]) >> (selector & 7) * 8 & 255;
    return selector & 8 ? (b & 128 ? 255 : 0) : b;
  };
  using mode = std::array<const char*, 4>;  // the byte selectors for c = 0 … 3, from byte 3 to byte 0
  const std::pair<const char*, mode> modes[] = {
      {"f4e", {"3210", "4321", "5432", "6543"}}, {"b4e", {"5670", "6701", "7012", "0123"}},
      {"rc8", {"0000", "1111", "2222", "3333"}}, {"ecl", {"3210", "3211", "3222", "3333"}},
      {"ecr", {"0000", "1110", "2210", "3210"}}, {"rc16", {"1010", "3232", "1010", "3232"}}};
  std::vector<form_case> cases = {{{"prmt.b32 %r20, %r10, %r11, %r12;", "%r20"}, [=](operands v) {
                                     std::uint64_t out = 0;
                                     for (int k = 0; k < 4; ++k) out |= byte(v, v[2] >> 4 * k & 15) << 8 * k;
                                     return out;
                                   }}};
  for (const auto& [name, selectors] : modes)
    cases.push_back(
        {{std::string("prmt.b32.") + name + " %r20, %r10, %r11, %r12;", "%r20"}, [=, selectors = selectors](operands v) {
           std::uint64_t out = 0;
           for (std::size_t k = 0; k < 4; ++k)
             out |= byte(v, static_cast<std::uint64_t>(selectors[v[2] & 3][3 - k] - '0')) << 8 * k;
           return out;
         }});
  const columns three = edges_and_random(runner::edges_32, 3, 100000, 0xffffffff);
  check_forms(three, cases);
  const auto looked_up = [](operands v, int table) {
    std::uint64_t out = 0;
    for (int k = 0; k < 32; ++k) {
      const std::uint64_t index = (v[0] >> k & 1) << 2 | (v[1] >> k & 1) << 1 | (v[2] >> k & 1);
      out |= std::uint64_t{static_cast<unsigned>(table)} >> index & 1 ? std::uint64_t{1} << k : 0;
    }
    return out;
  };
  cases.clear();
  for (int table = 0; table < 256; ++table)
    cases.push_back({{"lop3.b32 %r20, %r10, %r11, %r12, " + std::to_string(table) + ";", "%r20"},
                     [=](operands v) { return looked_up(v, table); }});
  check_forms(
      {{three[0].end() - 400, three[0].end()}, {three[1].end() - 400, three[1].end()}, {three[2].end() - 400, three[2].end()}},
      cases);
  for (const bool any : {false, true})
    cases.push_back(
        {{std::string("lop3.") + (any ? "or" : "and") + ".b32 %r20|%p9, %r10, %r11, %r12, 0x80, %p3;", "%p9"}, [=](operands v) {
           const bool holds = looked_up(v, 0x80) != 0, q = (v[0] & 1) != 0;
           return std::uint64_t{any ? holds || q : holds && q};
         }});
  check_forms(edges_and_random(runner::edges_32, 3, 20000, 0x3), {cases.end() - 2, cases.end()});
}

TEST_CASE("conformance: fns finds the n-th set bit") {
  columns inputs = edges_and_random(runner::edges_32, 1, 100000, 0xffffffff);
  std::mt19937_64 random(13);
  for (int k = 0; k < 2; ++k) inputs.emplace_back(inputs[0].size());
  for (std::size_t r = 0; r < inputs[0].size(); ++r) {
    inputs[1][r] = random() % 32;
    inputs[2][r] = (random() % 21 - 10) & 0xffffffff;
  }
  check_forms(inputs, {{{"fns.b32 %r20, %r10, %r11, %r12;", "%r20"}, [](operands v) {
                          const auto n = static_cast<int>(extended(v[2], 32)), base = static_cast<int>(v[1]);
                          if (n == 0) return v[0] >> base & 1 ? v[1] : 0xffffffff;
                          for (int at = base, seen = 0; at >= 0 && at < 32; at += n > 0 ? 1 : -1)
                            if ((v[0] >> at & 1) != 0 && ++seen == std::abs(n)) return static_cast<std::uint64_t>(at);
                          return std::uint64_t{0xffffffff};
                        }}});
}

TEST_CASE("conformance: integer comparisons and selections") {
  const std::pair<const char*, bool (*)(__int128_t, __int128_t)> orders[] = {
      {"eq", [](__int128_t a, __int128_t b) { return a == b; }}, {"ne", [](__int128_t a, __int128_t b) { return a != b; }},
      {"lt", [](__int128_t a, __int128_t b) { return a < b; }},  {"le", [](__int128_t a, __int128_t b) { return a <= b; }},
      {"gt", [](__int128_t a, __int128_t b) { return a > b; }},  {"ge", [](__int128_t a, __int128_t b) { return a >= b; }},
      {"lo", [](__int128_t a, __int128_t b) { return a < b; }},  {"ls", [](__int128_t a, __int128_t b) { return a <= b; }},
      {"hi", [](__int128_t a, __int128_t b) { return a > b; }},  {"hs", [](__int128_t a, __int128_t b) { return a >= b; }}};
  for (const int bits : {16, 32, 64})
    for (const char kind : {'u', 's', 'b'}) {
      std::vector<form_case> cases;
      const std::string type = std::string(".") + kind + std::to_string(bits), r = letter(bits),
                        sources = r + "10, " + r + "11";
      const auto in = [=](std::uint64_t v) -> __int128_t {
        return kind == 's' ? __int128_t{extended(v, bits)} : __int128_t{v & ones(bits)};
      };
      for (const auto& [name, f] : orders) {
        const bool is_unsigned_only = name[0] == 'h' || (name[0] == 'l' && (name[1] == 'o' || name[1] == 's'));
        if ((is_unsigned_only && kind != 'u') || (kind == 'b' && name != std::string("eq") && name != std::string("ne")))
          continue;
        const auto holds = [=, f = f](operands v) { return f(in(v[0]), in(v[1])); };
        const std::string op = name;
        cases.push_back(
            {{"setp." + op + type + " %p9, " + sources + ";", "%p9"}, [=](operands v) { return std::uint64_t{holds(v)}; }});
        cases.push_back({{"setp." + op + type + " %p8|%p9, " + sources + ";", "%p9"},
                         [=](operands v) { return std::uint64_t{!holds(v)}; }});
        cases.push_back({{"setp." + op + ".and" + type + " %p9|%p8, " + sources + ", !%p3;", "%p9"},
                         [=](operands v) { return std::uint64_t{holds(v) && (v[0] & 1) == 0}; }});
        cases.push_back({{"setp." + op + ".or" + type + " %p8|%p9, " + sources + ", %p4;", "%p9"},
                         [=](operands v) { return std::uint64_t{!holds(v) || (v[1] & 1) != 0}; }});
        cases.push_back({{"setp." + op + ".xor" + type + " %p9, " + sources + ", %p4;", "%p9"},
                         [=](operands v) { return std::uint64_t{holds(v) != ((v[1] & 1) != 0)}; }});
        cases.push_back({{"set." + op + ".u32" + type + " %r20, " + sources + ";", "%r20"},
                         [=](operands v) { return holds(v) ? std::uint64_t{0xffffffff} : 0; }});
        cases.push_back({{"set." + op + ".and.f32" + type + " %f19, " + sources + ", %p3;", "%f19"},
                         [=](operands v) { return holds(v) && (v[0] & 1) != 0 ? std::uint64_t{0x3f800000} : 0; }});
      }
      const std::string to = result(bits);
      cases.push_back({{"selp" + type + " " + to + ", " + sources + ", %p4;", to},
                       [=](operands v) { return (v[1] & 1 ? v[0] : v[1]) & ones(bits); }});
      cases.push_back({{"slct" + type + ".s32 " + to + ", " + sources + ", %r10;", to},
                       [=](operands v) { return (extended(v[0], 32) >= 0 ? v[0] : v[1]) & ones(bits); }});
      cases.push_back({{"slct" + type + ".f32 " + to + ", " + sources + ", %f10;", to}, [=](operands v) {
                         const std::uint64_t c = v[0] & 0xffffffff, size = c & 0x7fffffff;
                         return (size <= 0x7f800000 && (size == 0 || c < 0x80000000) ? v[0] : v[1]) & ones(bits);
                       }});
      columns inputs = edges_and_random(edges(bits), 2, 100000, ones(bits));
      inputs[1].insert(inputs[1].end(), inputs[0].begin(), inputs[0].begin() + 100);
      inputs[0].insert(inputs[0].end(), inputs[0].begin(), inputs[0].begin() + 100);
      check_forms(inputs, cases);
    }
}
