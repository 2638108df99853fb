// Arithmetic in f16 and bf16, alone and in pairs.
#include "../../gpu_machine.hpp"
#include "batch.hpp"
#include "number.hpp"

#include <cmath>

namespace {

using namespace conformance;
using evaluation = std::function<std::uint64_t(const std::uint64_t*)>;

const words edges_f16 = {0, 0x8000, 1, 0x83ff, 0x0400, 0x3c00, 0xbc01, 0x7bff, 0x7c00, 0xfc00, 0x7e01};
const words edges_bf16 = {0, 0x8000, 1, 0x807f, 0x0080, 0x3f80, 0xbf81, 0x7f7f, 0x7f80, 0xff80, 0x7fc1};

struct modifiers {
  bool ftz = false, sat = false, relu = false;
  direction how = direction::nearest_even;
};

/// The result of an operation on numbers as the half that an instruction leaves.
template <class F> evaluation half_of(const format& f, std::size_t arity, modifiers m, F operation) {
  return [=, &f](const std::uint64_t* v) {
    number n[3];
    for (std::size_t k = 0; k < arity; ++k) n[k] = from_bits(f, m.ftz ? flushed(f, v[k] & 0xffff) : v[k] & 0xffff);
    number r = operation(n);
    const number one{number::kind::finite, false, 1, 0};
    if (m.sat && (r.is_nan() || r.negative || r.is_zero())) r = {};
    if (m.sat && order(r, one) > 0) r = one;
    if (m.relu && !r.is_nan() && r.negative) r = {};
    const std::uint64_t bits = to_bits(f, r, m.how);
    // Flushed by what it would be with the exponents of f32.
    const std::uint64_t unlimited = to_bits(tf32, r, m.how) & (tf32.sign() - 1);
    const bool is_small = unlimited >> tf32.fraction_bits < static_cast<std::uint64_t>(tf32.bias() - f.bias() + 1);
    return m.ftz && is_small ? bits & f.sign() : bits;
  };
}

/// Runs an operation on both halves of a word.
evaluation in_pairs(evaluation half, std::size_t arity) {
  return [=](const std::uint64_t* v) {
    std::uint64_t low[3] = {}, high[3] = {};
    for (std::size_t k = 0; k < arity; ++k) low[k] = v[k] & 0xffff, high[k] = v[k] >> 16 & 0xffff;
    return half(low) | half(high) << 16;
  };
}

class half_forms {
 public:
  half_forms(const format& f, std::string type, std::size_t arity) : f_(f), type_(std::move(type)), arity_(arity) {}

  void add(const std::string& form, evaluation half) {
    const std::string sources[] = {"", "%h10;", "%h10, %h11;", "%h10, %h11, %h12;"};
    const std::string words[] = {"", "%r10;", "%r10, %r11;", "%r10, %r11, %r12;"};
    single_.push_back({{form + "." + type_ + " %h19, " + sources[arity_], "%h19"}, half});
    pair_.push_back({{form + "." + type_ + "x2 %r20, " + words[arity_], "%r20"}, in_pairs(half, arity_)});
  }
  template <class F> void add(const std::string& form, modifiers m, F operation) {
    add(form, half_of(f_, arity_, m, operation));
  }
  void check_forms(const columns& halves, const columns& pairs) const {
    conformance::check_forms(halves, single_);
    conformance::check_forms(pairs, pair_);
  }

 private:
  const format& f_;
  std::string type_;
  std::size_t arity_;
  std::vector<form_case> single_, pair_;
};

columns pairs_of(const words& edges, std::size_t arity) {
  columns low = edges_and_random(edges, arity, 100000, 0xffff, 7), high = edges_and_random(edges, arity, 100000, 0xffff, 8);
  for (std::size_t k = 0; k < arity; ++k)
    for (std::size_t r = 0; r < low[k].size(); ++r) low[k][r] |= high[k][low[k].size() - 1 - r] << 16;
  return low;
}

void check_binary(const format& f, const std::string& type, const words& edges) {
  half_forms forms(f, type, 2);
  const auto with = [&](const char* name, modifiers m, direction how = direction::nearest_even) {
    const std::string suffix = std::string(m.ftz ? ".ftz" : "") + (m.sat ? ".sat" : "");
    m.how = how;
    const std::string op = name;
    forms.add(op + suffix, m, [op, how](const number* n) {
      return op.starts_with("mul") ? product(n[0], n[1]) : sum(n[0], op.starts_with("sub") ? negated(n[1]) : n[1], how);
    });
  };
  for (const char* op : {"add", "sub", "mul", "add.rn"}) {
    with(op, {});
    if (type != "f16") continue;
    with(op, {.ftz = true});
    with(op, {.sat = true});
    with(op, {.ftz = true, .sat = true});
  }
  for (const bool smaller : {true, false})
    for (const bool ftz : {false, true})
      for (const bool nan_wins : {false, true})
        for (const bool xors : {false, true}) {
          if (ftz && type != "f16") continue;
          const std::string form = std::string(smaller ? "min" : "max") + (ftz ? ".ftz" : "") + (nan_wins ? ".NaN" : "") +
                                   (xors ? ".xorsign.abs" : "");
          forms.add(form, [=, &f](const std::uint64_t* v) {
            std::uint64_t x[2] = {v[0] & 0xffff, v[1] & 0xffff};
            for (std::uint64_t& bits : x)
              if (ftz) bits = flushed(f, bits);
            const std::uint64_t sign = (x[0] ^ x[1]) & 0x8000, keep = xors ? 0x7fff : 0xffff;
            const number r = extreme(from_bits(f, x[0] & keep), from_bits(f, x[1] & keep), smaller, nan_wins);
            return to_bits(f, r) | (xors && !r.is_nan() ? sign : 0);
          });
        }
  forms.check_forms(sixteen_bit_pairs(edges), pairs_of(edges, 2));
}

void check_unary(const format& f, const std::string& type, const words& edges) {
  half_forms forms(f, type, 1);
  for (const bool ftz : {false, true}) {
    if (ftz && type != "f16") continue;
    const std::string suffix = ftz ? ".ftz" : "";
    const auto with_sign = [=, &f](std::uint64_t bits, auto change) {
      if (from_bits(f, bits & 0xffff).is_nan()) return f.canonical_nan;
      return change(ftz ? flushed(f, bits & 0xffff) : bits & 0xffff);
    };
    forms.add("neg" + suffix,
              [=](const std::uint64_t* v) { return with_sign(v[0], [](std::uint64_t x) { return x ^ 0x8000; }); });
    forms.add("abs" + suffix,
              [=](const std::uint64_t* v) { return with_sign(v[0], [](std::uint64_t x) { return x & 0x7fff; }); });
  }
  forms.check_forms({every(0x10000)}, pairs_of(edges, 1));
}

void check_fma(const format& f, const std::string& type, const words& edges) {
  half_forms forms(f, type, 3);
  const auto with = [&](const std::string& form, modifiers m) {
    forms.add(form, m, [how = m.how](const number* n) { return sum(product(n[0], n[1]), n[2], how); });
  };
  with("fma.rn", {});
  with("fma.rn.relu", {.relu = true});
  if (type == "f16") {
    with("fma.rn.ftz", {.ftz = true});
    with("fma.rn.sat", {.sat = true});
    with("fma.rn.ftz.sat", {.ftz = true, .sat = true});
    with("fma.rn.ftz.relu", {.ftz = true, .relu = true});
  } else if (!gpu_machine::is_asked()) {  // ptxas takes these, of which the PTX manual says nothing, and an H100 rounds to
                                          // nearest
    with("fma.rz", {.how = direction::zero});
    with("fma.rm", {.how = direction::down});
    with("fma.rp", {.how = direction::up});
    with("fma.rp.relu", {.relu = true, .how = direction::up});
  }
  columns halves = edges_and_random(edges, 3, 200000, 0xffff);
  std::mt19937_64 bits(5);  // sums that nearly cancel, and factors whose product is half way between two halves
  for (int r = 0; r < 100000; ++r) {
    const std::uint64_t a = bits() & 0xffff, b = bits() & 0xffff;
    halves[0].push_back(a);
    halves[1].push_back(b);
    const std::uint64_t near = to_bits(f, negated(product(from_bits(f, a), from_bits(f, b))));
    halves[2].push_back(r % 2 == 0 ? (near + bits() % 3 - 1) & 0xffff : (bits() & 0x83ff));
  }
  forms.check_forms(halves, pairs_of(edges, 3));
}

/// All 2^16 values of one factor after the other, edge values beside them.
columns every_factor(const words& edges) {
  columns out(3);
  std::mt19937_64 bits(9);
  for (std::size_t factor = 0; factor < 2; ++factor)
    for (std::uint64_t r = 0; r < 0x40000; ++r) {
      for (words& column : out) column.push_back(edges[bits() % edges.size()]);
      out[factor].back() = r & 0xffff;
    }
  return out;
}

void check_guarded_fma(const format& f, const std::string& type, words edges) {
  edges.insert(edges.end(), {0x7ff7, 0xfff7, 0x7fff, 0x7ff6});
  half_forms forms(f, type, 3);
  const auto with = [&](const std::string& form, modifiers m) {
    const evaluation plain = half_of(f, 3, m, [how = m.how](const number* n) { return sum(product(n[0], n[1]), n[2], how); });
    forms.add(form, [=](const std::uint64_t* v) {
      const bool is_outside = (v[0] & 0x7fff) == 0x7ff7 || (v[1] & 0x7fff) == 0x7ff7;
      return is_outside ? 0 : plain(v);
    });
  };
  with("fma.rn.oob", {});
  with("fma.rn.oob.relu", {.relu = true});
  if (type == "bf16" && !gpu_machine::is_asked()) {
    with("fma.rz.oob", {.how = direction::zero});
    with("fma.rm.oob.relu", {.relu = true, .how = direction::down});
    with("fma.rp.oob", {.how = direction::up});
  }
  forms.check_forms(every_factor(edges), pairs_of(edges, 3));
}

double value_of(const format& f, std::uint64_t bits) {
  const number n = from_bits(f, bits);
  return n.is_nan()        ? NAN
         : n.is_infinite() ? (n.negative ? -INFINITY : INFINITY)
                           : std::ldexp(static_cast<double>(n.size), n.exponent) * (n.negative ? -1 : 1);
}

/// Whether each result is within the bound the PTX manual states: relative where `relative` is not 0, else absolute.
void check_approximate(const format& f, const std::string& form, long double (*exact)(long double), double relative,
                       double absolute, bool ftz) {
  // An H100 cuts results that are subnormal, and its tanh of halves is off by a little more than the manual says.
  const bool is_gpu = gpu_machine::is_asked();
  if (is_gpu) relative *= 2, absolute *= 1.01;
  CAPTURE(form);
  const snippet one[] = {{form + " %h19, %h10;", "%h19"}};
  const columns inputs = {every(0x10000)};
  const words got = run(inputs, one)[0];
  int wrong = 0;
  for (std::uint64_t v = 0; v < 0x10000; ++v) {
    const double x = value_of(f, ftz ? flushed(f, v) : v), r = value_of(f, got[v]);
    const long double want = exact(x);
    const double largest = value_of(f, f.largest()), unit = value_of(f, 1) * (is_gpu ? 2 : 1);
    const bool fits = want != want                ? got[v] == f.canonical_nan
                      : std::fabs(want) > largest ? std::fabs(r) >= largest && (r > 0) == (want > 0)
                      : ftz && std::fabs(r) == 0
                          ? std::fabs(want) < value_of(f, f.sign() >> 1) || want == 0 || std::fabs(want) < 0x1p-125
                          : std::fabs(r - want) <= absolute + relative * std::fabs(want) + unit / 2;
    if (!fits && wrong++ < 3)
      FAIL_CHECK(tg::emulator::hex(v) << " gives " << tg::emulator::hex(got[v]) << ": " << r << ", not " << double(want));
  }
  CHECK_EQ(wrong, 0);
}

}  // namespace

TEST_CASE("conformance: sums, products, minima of f16") { check_binary(f16, "f16", edges_f16); }
TEST_CASE("conformance: sums, products, minima of bf16") { check_binary(bf16, "bf16", edges_bf16); }
TEST_CASE("conformance: signs of halves") {
  check_unary(f16, "f16", edges_f16);
  check_unary(bf16, "bf16", edges_bf16);
}
TEST_CASE("conformance: fma of f16") { check_fma(f16, "f16", edges_f16); }
TEST_CASE("conformance: fma of bf16") { check_fma(bf16, "bf16", edges_bf16); }
TEST_CASE("conformance: fma that takes what lies outside for zero") {
  check_guarded_fma(f16, "f16", edges_f16);
  check_guarded_fma(bf16, "bf16", edges_bf16);
}

TEST_CASE("conformance: approximate functions of halves are within their bounds") {
  const auto exp2 = [](long double x) { return std::exp2(x); };
  const auto tanh = [](long double x) { return std::tanh(x); };
  check_approximate(f16, "ex2.approx.f16", exp2, 0x1.12p-10, 0, false);  // 2^-9.9
  check_approximate(bf16, "ex2.approx.ftz.bf16", exp2, 0x1p-7, 0, true);
  check_approximate(f16, "tanh.approx.f16", tanh, 0, 0x1.02p-11, false);  // 2^-10.987
  check_approximate(bf16, "tanh.approx.bf16", tanh, 0x1p-8, 0, false);
}
