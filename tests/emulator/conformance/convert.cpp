// cvt between all types, in every legal combination of modifiers.
#include "../../gpu_machine.hpp"
#include "batch.hpp"
#include "number.hpp"

#include <tg/ptx/forms/forms.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace {

using namespace conformance;

struct type {
  const char* name;
  int bits;
  const format* floating;  // null: an integer
  bool is_signed;
};

constexpr type types[] = {{"u8", 8, nullptr, false},   {"s8", 8, nullptr, true},    {"u16", 16, nullptr, false},
                          {"s16", 16, nullptr, true},  {"u32", 32, nullptr, false}, {"s32", 32, nullptr, true},
                          {"u64", 64, nullptr, false}, {"s64", 64, nullptr, true},  {"f16", 16, &f16, true},
                          {"bf16", 16, &bf16, true},   {"f32", 32, &f32, true},     {"f64", 64, &f64, true},
                          {"tf32", 32, &tf32, true}};

std::uint64_t cut(std::uint64_t v, int bits) { return bits == 64 ? v : v & ((std::uint64_t{1} << bits) - 1); }
std::int64_t extended(std::uint64_t v, int bits) { return static_cast<std::int64_t>(v << (64 - bits)) >> (64 - bits); }

const number one{number::kind::finite, false, 1, 0};

struct modifiers {
  direction how = direction::nearest_even;
  bool ftz = false, sat = false, relu = false, satfinite = false;
  bool to_whole = false;  // .rni and the like
};

number limited(number n, const modifiers& m) {
  if (m.sat && (n.is_nan() || n.negative || n.is_zero())) return {};
  if (m.sat && order(n, one) > 0) return one;
  if (m.relu && !n.is_nan() && n.negative) return {};
  return n;
}

number whole(const number& n, direction how) {
  if (n.what != number::kind::finite || n.exponent >= 0) return n;
  return {number::kind::finite, n.negative, shifted_down(n.size, -n.exponent, n.negative, how), 0};
}

number source_of(const type& to, const type& from, std::uint64_t v, const modifiers& m) {
  v = cut(v, from.bits);
  if (from.floating == nullptr) return from.is_signed ? from_integer(extended(v, from.bits)) : from_unsigned(v);
  const bool is_directed_half = to.floating == &f16 && (m.how == direction::down || m.how == direction::up);
  return from_bits(*from.floating, m.ftz && from.floating == &f32 && !is_directed_half ? flushed(f32, v) : v);
}

std::uint64_t to_float(const format& f, const number& n, const modifiers& m) {
  const number kept = limited(n, m);
  std::uint64_t bits = to_bits(f, kept, m.how);
  if (m.satfinite && !kept.is_nan() && (bits & (f.sign() - 1)) > f.largest()) bits = (bits & f.sign()) | f.largest();
  if (&f == &tf32) return kept.is_nan() ? 0x7fffffff : bits << 13;
  return m.ftz && &f == &f32 ? flushed(f32, bits) : bits;
}

/// The bits that cvt leaves in a register as wide as `to`, 32 at least for integers.
std::uint64_t converted(const type& to, const type& from, std::uint64_t v, const modifiers& m) {
  number n = source_of(to, from, v, m);
  if (m.to_whole) n = whole(n, m.how);
  if (to.floating != nullptr) return to_float(*to.floating, n, m);
  std::uint64_t bits = 0;
  if (from.floating != nullptr || m.sat)
    bits = !n.is_nan()                              ? to_integer(n, to.bits, to.is_signed, direction::zero)
           : from.floating == &f64 || to.bits == 64 ? std::uint64_t{1} << (to.bits - 1)
                                                    : 0;
  else bits = cut(from.is_signed ? static_cast<std::uint64_t>(extended(cut(v, from.bits), from.bits)) : v, to.bits);
  if (to.bits >= 32) return bits;
  return to.is_signed ? cut(static_cast<std::uint64_t>(extended(bits, to.bits)), 32) : bits;
}

bool is_legal(const std::string& form) {
  std::vector<tg::ptx::token> tokens;
  for (std::size_t at = form.find('.'); at != std::string::npos;) {
    const std::size_t end = form.find('.', at + 1);
    tokens.push_back(tg::ptx::to_token(form.substr(at + 1, end == std::string::npos ? end : end - at - 1)));
    at = end;
  }
  return tg::ptx::find_form(tg::ptx::opcode::cvt, tokens) != nullptr;
}

std::string source_register(const type& t) {
  if (t.floating == &f32) return "%f10";
  if (t.floating == &f64) return "%fd10";
  return t.bits == 64 ? "%rd10" : t.bits == 32 ? "%r10" : t.bits == 16 ? "%h10" : "%r10";
}
std::string result_register(const type& t) {
  if (t.floating == &f32) return "%f19";
  if (t.floating == &f64) return "%fd19";
  if (t.floating != nullptr) return t.bits == 16 ? "%h19" : "%r20";
  return t.bits == 64 ? "%rd20" : "%r20";
}

bool same_or_nan_f32(std::uint64_t a, std::uint64_t b) { return from_bits(f32, a).is_nan() && from_bits(f32, b).is_nan(); }
/// PTX has one NaN for narrow results; an H100 has others from f64 and in tf32, where a NaN without high bits becomes an
/// infinity, with .satfinite the largest number.
bool same_or_no_number_on_gpu(std::uint64_t a, std::uint64_t b) {
  return gpu_machine::is_asked() && from_bits(f32, b).is_nan() && (a & 0x7fffffff) >= 0x7f7fe000;
}
template <const format& F> bool same_or_nan_on_gpu(std::uint64_t a, std::uint64_t b) {
  return gpu_machine::is_asked() && from_bits(F, a).is_nan() && from_bits(F, b).is_nan();
}
bool same_or_nan_f64(std::uint64_t a, std::uint64_t b) { return from_bits(f64, a).is_nan() && from_bits(f64, b).is_nan(); }

/// Operands of a source type: all of 8 and 16 bits, else edge values, values near the ranges of others, random bits.
columns sources_of(const type& from) {
  if (from.bits == 8) return {every(0x100)};
  if (from.bits == 16) return {every(0x10000)};
  if (from.floating == nullptr) {
    columns out = edges_and_random(from.bits == 32 ? runner::edges_32 : runner::edges_64, 1, 60000,
                                   from.bits == 32 ? 0xffffffff : ~std::uint64_t{0});
    std::mt19937_64 bits(3);
    for (int k = 0; k < 40000; ++k) out[0].push_back(cut(bits() >> (bits() % 64), from.bits));
    return out;
  }
  const format& f = *from.floating;
  columns out = edges_and_random(&f == &f32 ? runner::edges_f32 : runner::edges_f64, 1, 30000, f.sign() * 2 - 1);
  std::mt19937_64 bits(4);
  for (int k = 0; k < 70000; ++k) {  // exponents of the narrower formats, and ties
    const int exponent = f.bias() - 140 + static_cast<int>(bits() % (k % 2 == 0 ? 280 : 170));
    const std::uint64_t fraction = bits() % 3 == 0 ? bits() << (f.fraction_bits - static_cast<int>(bits() % 13)) : bits();
    out[0].push_back((bits() % 2 != 0 ? f.sign() : 0) |
                     static_cast<std::uint64_t>(std::clamp(exponent, 0, 2 * f.bias() + 1)) << f.fraction_bits |
                     (fraction & ((std::uint64_t{1} << f.fraction_bits) - 1)));
  }
  return out;
}

void check_from(const type& from) {
  std::vector<form_case> cases;
  const std::pair<const char*, direction> roundings[] = {{"", direction::nearest_even},
                                                         {".rn", direction::nearest_even},
                                                         {".rz", direction::zero},
                                                         {".rm", direction::down},
                                                         {".rp", direction::up},
                                                         {".rna", direction::nearest_away},
                                                         {".rni", direction::nearest_even},
                                                         {".rzi", direction::zero},
                                                         {".rmi", direction::down},
                                                         {".rpi", direction::up}};
  for (const type& to : types)
    for (const auto& [rounding, how] : roundings)
      for (const char* suffix : {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".satfinite", ".relu.satfinite"}) {
        const std::string form = std::string("cvt") + rounding + suffix + "." + to.name + "." + from.name;
        if (!is_legal(form)) continue;
        const std::string_view s = suffix;
        const modifiers m{how,
                          s.find(".ftz") != s.npos,
                          s == ".sat" || s == ".ftz.sat",
                          s.find(".relu") != s.npos,
                          s.find(".satfinite") != s.npos,
                          std::string_view(rounding).ends_with("i")};
        // From bf16, ptxas takes no wider register than the integer.
        const bool is_narrow = from.floating == &bf16 && to.floating == nullptr && to.bits == 16;
        const std::string result = is_narrow ? "%h19" : result_register(to);
        cases.push_back({{form + " " + result + ", " + source_register(from) + ";", result},
                         [&to, from, m, is_narrow](const std::uint64_t* v) {
                           const std::uint64_t bits = converted(to, from, v[0], m);
                           return is_narrow ? cut(bits, 16) : bits;
                         },
                         to.floating == &f32    ? same_or_nan_f32
                         : to.floating == &f64  ? same_or_nan_f64
                         : to.floating == &tf32 ? same_or_no_number_on_gpu
                         : to.floating == &f16  ? same_or_nan_on_gpu<f16>
                         : to.floating == &bf16 ? same_or_nan_on_gpu<bf16>
                                                : nullptr});
      }
  CHECK_GT(cases.size(), 20);
  check_forms(sources_of(from), cases);
}

}  // namespace

TEST_CASE("conformance: cvt from 8 and 16 bits") {
  for (const type& from : types)
    if (from.bits <= 16) check_from(from);
}
TEST_CASE("conformance: cvt from 32- and 64-bit integers") {
  for (const type& from : types)
    if (from.bits >= 32 && from.floating == nullptr) check_from(from);
}
TEST_CASE("conformance: cvt from f32 and f64") {
  for (const type& from : types)
    if (from.floating == &f32 || from.floating == &f64) check_from(from);
}

TEST_CASE("conformance: cvt to pairs of halves and bytes") {
  const std::pair<const char*, const format*> pairs[] = {
      {"f16x2", &f16}, {"bf16x2", &bf16}, {"e4m3x2", &e4m3}, {"e5m2x2", &e5m2}};
  std::vector<form_case> cases, narrow, wide;
  for (const auto& [name, f] : pairs) {
    const int width = f->exponent_bits + f->fraction_bits + 1;
    const std::string to = width == 8 ? "%h19" : "%r20";
    for (const auto& [rounding, how] : {std::pair{".rn", direction::nearest_even}, {".rz", direction::zero}})
      for (const char* suffix : {"", ".relu", ".satfinite", ".satfinite.relu", ".relu.satfinite"}) {
        const std::string_view s = suffix;
        const modifiers m{how, false, false, s.find("relu") != s.npos, s.find("satfinite") != s.npos};
        const std::string form = std::string("cvt") + rounding + suffix + "." + name;
        const auto both = [f = f, m, width](const number& high, const number& low) {
          return to_float(*f, low, m) | to_float(*f, high, m) << width;
        };
        if (is_legal(form + ".f32"))
          cases.push_back({{form + ".f32 " + to + ", %f10, %f11;", to}, [both](const std::uint64_t* v) {
                             return both(from_bits(f32, cut(v[0], 32)), from_bits(f32, cut(v[1], 32)));
                           }});
        if (width == 8 && is_legal(form + ".f16x2"))
          narrow.push_back({{form + ".f16x2 " + to + ", %r10;", to}, [both](const std::uint64_t* v) {
                              return both(from_bits(f16, v[0] >> 16 & 0xffff), from_bits(f16, v[0] & 0xffff));
                            }});
      }
    for (const char* relu : {"", ".relu"})
      if (width == 8)
        wide.push_back({{std::string("cvt.rn") + relu + ".f16x2." + name + " %r20, %h10;", "%r20"},
                        [f = f, m = modifiers{.relu = *relu != '\0'}](const std::uint64_t* v) {
                          return to_float(f16, from_bits(*f, v[0] & 0xff), m) |
                                 to_float(f16, from_bits(*f, v[0] >> 8 & 0xff), m) << 16;
                        }});
  }
  CHECK_GE(cases.size(), 16);
  CHECK_GE(narrow.size(), 4);
  CHECK_EQ(wide.size(), 4);
  columns two = sources_of(types[10]);
  two.push_back({two[0].rbegin(), two[0].rend()});
  check_forms(two, cases);
  words halves = every(0x10000);
  for (std::uint64_t k = 0; k < 0x10000; ++k) halves[k] |= (k * 40503 & 0xffff) << 16;
  check_forms({halves}, narrow);
  check_forms({every(0x10000)}, wide);
}

TEST_CASE("conformance: cvt.pack") {
  std::vector<form_case> cases;
  for (const auto& [name, bits, is_signed] : {std::tuple{"u16", 16, false},
                                              {"s16", 16, true},
                                              {"u8", 8, false},
                                              {"s8", 8, true},
                                              {"u4", 4, false},
                                              {"s4", 4, true},
                                              {"u2", 2, false},
                                              {"s2", 2, true}}) {
    const bool joins = bits < 16;
    cases.push_back(
        {{std::string("cvt.pack.sat.") + name + ".s32" + (joins ? ".b32 %r20, %r10, %r11, %r12;" : " %r20, %r10, %r11;"),
          "%r20"},
         [bits = bits, is_signed = is_signed, joins](const std::uint64_t* v) {
           const auto part = [&](std::uint64_t x) {
             return to_integer(from_integer(extended(x, 32)), bits, is_signed, direction::zero);
           };
           const std::uint64_t own = part(v[0]) << bits | part(v[1]);
           return cut(own | (joins ? v[2] << 2 * bits : 0), 32);
         }});
  }
  columns inputs = edges_and_random(runner::edges_32, 3, 100000, 0xffffffff);
  std::mt19937_64 bits(6);
  for (int k = 0; k < 30000; ++k)
    for (int j = 0; j < 3; ++j)
      inputs[static_cast<std::size_t>(j)].push_back(
          cut(static_cast<std::uint64_t>(extended(bits(), 64) >> (44 + bits() % 20)), 32));
  check_forms(inputs, cases);
}
