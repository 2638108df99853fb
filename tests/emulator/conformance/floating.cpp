// Arithmetic in f32 and f64, in every rounding, flushed and saturated; comparisons of all floating-point types.
#include "batch.hpp"
#include "number.hpp"

#include <cmath>

namespace {

using namespace conformance;
using operands = const std::uint64_t*;

const number one{number::kind::finite, false, 1, 0};
const std::pair<const char*, direction> roundings[] = {
    {".rn", direction::nearest_even}, {".rz", direction::zero}, {".rm", direction::down}, {".rp", direction::up}};

bool both_nan_f32(std::uint64_t a, std::uint64_t b) { return from_bits(f32, a).is_nan() && from_bits(f32, b).is_nan(); }
bool both_nan_f64(std::uint64_t a, std::uint64_t b) { return from_bits(f64, a).is_nan() && from_bits(f64, b).is_nan(); }

/// Random numbers whose exponents are near each other, subnormals and edge values among them.
columns numbers(const format& f, std::size_t arity, std::size_t random = 100000) {
  const words& edges = &f == &f32 ? runner::edges_f32 : runner::edges_f64;
  columns out = edges_and_random(edges, arity, random / 2, 2 * f.sign() - 1);
  std::mt19937_64 bits(17);
  for (std::size_t r = 0; r < random / 2; ++r) {
    const std::uint64_t base = r % 3 == 0 ? bits() % 40 : static_cast<std::uint64_t>(f.bias()) - 30 + bits() % 60;
    for (words& column : out) {
      const std::uint64_t fraction = bits() >> (64 - f.fraction_bits), exponent = base + bits() % 30;
      column.push_back((bits() % 2 != 0 ? f.sign() : 0) | exponent << f.fraction_bits |
                       (bits() % 4 == 0
                            ? fraction >> (bits() % 50) << (f.fraction_bits / 2) & ((std::uint64_t{1} << f.fraction_bits) - 1)
                            : fraction));
    }
  }
  return out;
}

/// n1 / n0 to 64 bits and a sticky one.
number quotient(const number& a, const number& b) {
  if (a.is_nan() || b.is_nan() || (a.is_infinite() && b.is_infinite()) || (a.is_zero() && b.is_zero())) return not_a_number;
  const bool negative = a.negative != b.negative;
  if (a.is_infinite() || b.is_zero()) return {number::kind::infinite, negative};
  if (b.is_infinite() || a.is_zero()) return {number::kind::finite, negative};
  const int up = 126 - bit_length(a.size);
  const __uint128_t size = a.size << up, q = size / b.size;
  return {number::kind::finite, negative, q << 1 >> 1 | (size % b.size != 0 ? 1 : 0), a.exponent - up - b.exponent};
}

number root(const number& a) {
  if (a.is_nan() || a.is_zero()) return a;
  if (a.negative) return not_a_number;
  if (a.is_infinite()) return a;
  int up = 126 - bit_length(a.size);
  if ((a.exponent - up) % 2 != 0) --up;
  const __uint128_t size = a.size << up;
  __uint128_t r = 0;
  for (int k = 63; k >= 0; --k)
    if (const __uint128_t next = r | __uint128_t{1} << k; next * next <= size) r = next;
  return {number::kind::finite, false, r << 1 | (r * r != size ? 1 : 0), (a.exponent - up) / 2 - 1};
}

struct operation {
  const char* name;
  std::size_t arity;
  number (*f)(const number*, direction);
  bool may_saturate;
};
const operation operations[] = {
    {"add", 2, [](const number* n, direction how) { return sum(n[0], n[1], how); }, true},
    {"sub", 2, [](const number* n, direction how) { return sum(n[0], negated(n[1]), how); }, true},
    {"mul", 2, [](const number* n, direction) { return product(n[0], n[1]); }, true},
    {"fma", 3, [](const number* n, direction how) { return sum(product(n[0], n[1]), n[2], how); }, true},
    {"div", 2, [](const number* n, direction) { return quotient(n[0], n[1]); }, false},
    {"rcp", 1, [](const number* n, direction) { return quotient(one, n[0]); }, false},
    {"sqrt", 1, [](const number* n, direction) { return root(n[0]); }, false}};

std::string sources(const format& f, std::size_t arity) {
  const std::string r = &f == &f32 ? "%f" : "%fd";
  std::string out = " " + r + "19";
  for (std::size_t k = 0; k < arity; ++k) out += ", " + r + std::to_string(10 + k);
  return out + ";";
}

/// Tiny results are flushed where they stay tiny after rounding to 24 bits without a lower end.
std::uint64_t flushed_result(const number& n, direction how) {
  const std::uint64_t bits = to_bits(f32, n, how);
  if (n.what != number::kind::finite || n.size == 0) return bits;
  number raised = n;
  raised.exponent += 150;
  const int tiny = bit_length(raised.size) + raised.exponent;
  if (tiny < -126) return n.negative ? f32.sign() : 0;
  const std::uint64_t up = to_bits(f32, raised, how) & 0x7fffffff;
  return up >> 23 != 255 && up >> 23 <= 150 ? bits & f32.sign() : bits;
}

void check_operations(const format& f) {
  const bool is_single = &f == &f32;
  for (const std::size_t arity : {1u, 2u, 3u}) {
    std::vector<form_case> cases;
    for (const operation& op : operations)
      for (const auto& [rounding, how] : roundings)
        for (const bool ftz : {false, true})
          for (const bool sat : {false, true}) {
            if (op.arity != arity || (!is_single && (ftz || sat)) || (sat && !op.may_saturate)) continue;
            const std::string form = std::string(op.name) + rounding + (ftz ? ".ftz" : "") + (sat ? ".sat" : "");
            cases.push_back({{form + (is_single ? ".f32" : ".f64") + sources(f, arity), is_single ? "%f19" : "%fd19"},
                             [=, &f, how = how, run = op.f](operands v) {
                               number n[3];
                               for (std::size_t k = 0; k < arity; ++k) n[k] = from_bits(f, ftz ? flushed(f, v[k]) : v[k]);
                               number r = run(n, how);
                               if (sat && (r.is_nan() || r.negative || r.is_zero())) return std::uint64_t{0};
                               if (sat && order(r, one) > 0) r = one;
                               return ftz ? flushed_result(r, how) : to_bits(f, r, how);
                             },
                             is_single ? both_nan_f32 : both_nan_f64});
          }
    check_forms(numbers(f, arity), cases);
  }
}

void check_signs(const format& f) {
  const bool is_single = &f == &f32;
  const std::string type = is_single ? ".f32" : ".f64", to = is_single ? "%f19" : "%fd19";
  const auto equal = is_single ? both_nan_f32 : both_nan_f64;
  std::vector<form_case> cases;
  for (const bool ftz : {false, true}) {
    if (ftz && !is_single) continue;
    const std::string suffix = ftz ? ".ftz" : "";
    const auto in = [=, &f](std::uint64_t v) { return ftz ? flushed(f, v) : v; };
    cases.push_back({{"neg" + suffix + type + sources(f, 1), to}, [=, &f](operands v) { return in(v[0]) ^ f.sign(); }, equal});
    cases.push_back({{"abs" + suffix + type + sources(f, 1), to}, [=, &f](operands v) { return in(v[0]) & ~f.sign(); }, equal});
    for (const bool smaller : {false, true})
      for (const bool nan_wins : {false, true})
        for (const bool xors : {false, true}) {
          if (!is_single && (nan_wins || xors)) continue;
          const std::string form =
              std::string(smaller ? "min" : "max") + suffix + (nan_wins ? ".NaN" : "") + (xors ? ".xorsign.abs" : "");
          cases.push_back({{form + type + sources(f, 2), to},
                           [=, &f](operands v) {
                             const std::uint64_t a = in(v[0]), b = in(v[1]), keep = xors ? f.sign() - 1 : ~std::uint64_t{0};
                             const number r = extreme(from_bits(f, a & keep), from_bits(f, b & keep), smaller, nan_wins);
                             return to_bits(f, r) | (xors && !r.is_nan() ? (a ^ b) & f.sign() : 0);
                           },
                           is_single ? nullptr : both_nan_f64});
        }
  }
  cases.push_back(
      {{"copysign" + type + sources(f, 2), to}, [&f](operands v) { return (v[0] & f.sign()) | (v[1] & ~f.sign()); }});
  const auto tested = [&](const char* what, bool (*holds)(const format&, std::uint64_t)) {
    cases.push_back({{std::string("testp.") + what + type + " %p9, " + (is_single ? "%f10;" : "%fd10;"), "%p9"},
                     [=, &f](operands v) { return std::uint64_t{holds(f, v[0] & (f.sign() - 1))}; }});
  };
  tested("finite", [](const format& g, std::uint64_t v) { return v < g.top(); });
  tested("infinite", [](const format& g, std::uint64_t v) { return v == g.top(); });
  tested("number", [](const format& g, std::uint64_t v) { return v <= g.top(); });
  tested("notanumber", [](const format& g, std::uint64_t v) { return v > g.top(); });
  tested("normal", [](const format& g, std::uint64_t v) { return v == 0 || (v < g.top() && v >> g.fraction_bits != 0); });
  tested("subnormal", [](const format& g, std::uint64_t v) { return v != 0 && v >> g.fraction_bits == 0; });
  check_forms(numbers(f, 2), cases);
}

/// 2 for NaN, else -1, 0, 1.
bool holds(const std::string& how, const number& a, const number& b) {
  const bool is_nan = a.is_nan() || b.is_nan();
  if (how == "num") return !is_nan;
  if (how == "nan") return is_nan;
  if (is_nan) return how.size() == 3;  // equ, neu, ltu …
  const int sign = order(a, b);
  const std::string_view base = std::string_view(how).substr(0, 2);
  return base == "eq"   ? sign == 0
         : base == "ne" ? sign != 0
         : base == "lt" ? sign < 0
         : base == "le" ? sign <= 0
         : base == "gt" ? sign > 0
                        : sign >= 0;
}

const char* const orders[] = {"eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

void check_comparisons(const format& f, const std::string& type, const std::string& r, const columns& inputs, bool may_flush) {
  std::vector<form_case> cases;
  const std::string both = r + "10, " + r + "11";
  for (const std::string how : orders)
    for (const bool ftz : {false, true}) {
      if (ftz && !may_flush) continue;
      const auto is_true = [=, &f](operands v) {
        const auto in = [&](std::uint64_t x) { return from_bits(f, ftz ? flushed(f, x) : x); };
        return holds(how, in(v[0]), in(v[1]));
      };
      const std::string flush = ftz ? ".ftz" : "";
      cases.push_back({{"setp." + how + flush + "." + type + " %p9, " + both + ";", "%p9"},
                       [=](operands v) { return std::uint64_t{is_true(v)}; }});
      cases.push_back({{"setp." + how + ".xor" + flush + "." + type + " %p9, " + both + ", %p3;", "%p9"},
                       [=](operands v) { return std::uint64_t{is_true(v) != ((v[0] & 1) != 0)}; }});
      cases.push_back({{"set." + how + flush + ".u32." + type + " %r20, " + both + ";", "%r20"},
                       [=](operands v) { return is_true(v) ? std::uint64_t{0xffffffff} : 0; }});
      if (type == "f32" || type == "f64")
        cases.push_back({{"set." + how + ".and" + flush + ".f32." + type + " %f19, " + both + ", !%p3;", "%f19"},
                         [=](operands v) { return is_true(v) && (v[0] & 1) == 0 ? std::uint64_t{0x3f800000} : 0; }});
      if (type != "f16" && type != "bf16") continue;
      const std::uint64_t unit = type == "f16" ? 0x3c00 : 0x3f80;
      cases.push_back({{"set." + how + flush + "." + type + "." + type + " %h19, " + both + ";", "%h19"},
                       [=](operands v) { return is_true(v) ? unit : 0; }});
      const std::string words = "mov.b32 %r20, {%h10, %h11}; mov.b32 %r21, {%h11, %h10}; ", pair = type + "x2";
      const auto turned = [=](operands v) {
        const std::uint64_t other[] = {v[1], v[0]};
        return is_true(other);
      };
      cases.push_back({{words + "set." + how + flush + "." + pair + "." + pair + " %r22, %r20, %r21;", "%r22"},
                       [=](operands v) { return (is_true(v) ? unit : 0) | (turned(v) ? unit << 16 : 0); }});
      cases.push_back({{words + "set." + how + flush + ".u32." + pair + " %r22, %r20, %r21;", "%r22"},
                       [=](operands v) { return (is_true(v) ? 0xffffu : 0u) | (turned(v) ? 0xffff0000u : 0u); }});
      cases.push_back({{words + "setp." + how + ".or" + flush + "." + pair + " %p8|%p9, %r20, %r21, %p3;", "%p9"},
                       [=](operands v) { return std::uint64_t{turned(v) || (v[0] & 1) != 0}; }});
    }
  check_forms(inputs, cases);
}

}  // namespace

TEST_CASE("conformance: arithmetic of f32") { check_operations(f32); }
TEST_CASE("conformance: arithmetic of f64") { check_operations(f64); }
TEST_CASE("conformance: signs, minima and kinds of f32 and f64") {
  check_signs(f32);
  check_signs(f64);
}
TEST_CASE("conformance: comparisons of floats") {
  check_comparisons(f32, "f32", "%f", numbers(f32, 2), true);
  check_comparisons(f64, "f64", "%fd", numbers(f64, 2), false);
  const words edges = {0, 0x8000, 1, 0x8001, 0x0400, 0x3c00, 0x7c00, 0xfc00, 0x7e01};
  check_comparisons(f16, "f16", "%h", edges_and_random(edges, 2, 100000, 0xffff), true);
  check_comparisons(bf16, "bf16", "%h",
                    edges_and_random({0, 0x8000, 1, 0x80, 0x3f80, 0x7f80, 0xff80, 0x7fc1}, 2, 100000, 0xffff), false);
}

TEST_CASE("conformance: approximate functions of f32 are within their bounds") {
  struct function {
    const char* form;
    double (*f)(double);
    double relative, absolute;  // Source: PTX ISA 9.0, 9.7.3
    double low, high;
  };
  const function functions[] = {
      {"rcp.approx.f32", [](double x) { return 1 / x; }, 0x1p-23, 0, 0x1p-120, 0x1p120},
      {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 0x1p-23, 0, 0x1p-120, 0x1p120},
      {"rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 0x1.8p-23, 0, 0x1p-120, 0x1p120},
      {"sin.approx.f32", [](double x) { return std::sin(x); }, 0, 0x1p-20, -3.14159, 3.14159},
      {"cos.approx.f32", [](double x) { return std::cos(x); }, 0, 0x1p-20, -3.14159, 3.14159},
      {"lg2.approx.f32", [](double x) { return std::log2(x); }, 0x1p-22, 0x1p-22, 0x1p-120, 0x1p120},
      {"ex2.approx.f32", [](double x) { return std::exp2(x); }, 0x1p-22, 0, -120, 120},
      {"tanh.approx.f32", [](double x) { return std::tanh(x); }, 0x1p-11, 0, -10, 10}};
  std::mt19937_64 random(19);
  for (const function& f : functions)
    for (const char* flush : {"", ".ftz"}) {
      const std::string name = f.form;
      if (*flush != '\0' && name.starts_with("tanh")) continue;
      const std::string form = name.substr(0, name.size() - 4) + flush + ".f32";
      columns inputs(1);
      for (int k = 0; k < 100000; ++k) {
        const double u = static_cast<double>(random() >> 11) * 0x1p-53;
        const double x = f.low > 0 ? f.low * std::exp2(u * std::log2(f.high / f.low)) : f.low + u * (f.high - f.low);
        inputs[0].push_back(runner::bits(static_cast<float>(x)));
      }
      const snippet only[] = {{form + " %f19, %f10;", "%f19"}};
      const words got = run(inputs, only)[0];
      double worst = 0;
      for (std::size_t r = 0; r < got.size(); ++r) {
        const double want = f.f(runner::to_f32(inputs[0][r]));
        worst = std::max(worst, std::fabs(runner::to_f32(got[r]) - want) / (f.absolute + f.relative * std::fabs(want)));
      }
      CAPTURE(form);
      CHECK_LE(worst, 1.0);
    }
}
