#include <tg/emulator/decode/decode_product.hpp>

#include <doctest/doctest.h>

#include "../matrix/warp_product.hpp"

namespace {

using namespace warp_product;

struct place { std::size_t row, column; };

/// One mma instruction, its fragments written down as the manual does: i counts a lane's elements, g = lane / 4, t =
/// lane % 4.
struct mma {
  std::string shape;
  std::size_t m, n, k;
  type d, a, b, c;
  std::string modifier = "";   // behind the layouts
  std::string operation = "";  // behind the types

  std::size_t packed(const type& x) const { return x.bits >= 32 ? 1 : static_cast<std::size_t>(32 / x.bits); }

  place place_a(std::size_t lane, std::size_t i) const {
    const std::size_t g = lane / 4, t = lane % 4, p = packed(a);
    if (m == 8) return {g, t * p + i};
    if (a.name == "f64") return {i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
    const bool is_low = i < p || (2 * p <= i && i < 3 * p);
    return {is_low ? g : g + 8, t * p + i % p + (i < 2 * p ? 0 : k / 2)};
  }
  place place_b(std::size_t lane, std::size_t i) const {
    const std::size_t g = lane / 4, t = lane % 4, p = packed(b);
    if (b.name == "f64") return {i * 4 + t, g};
    return {t * p + i % p + (i < p ? 0 : k / 2), g};
  }
  place place_c(std::size_t lane, std::size_t i) const {
    const std::size_t g = lane / 4, t = lane % 4;
    return {i < 2 ? g : g + 8, t * 2 + i % 2};
  }

  std::string text() const {
    return "mma.sync.aligned." + shape + ".row.col" + modifier + "." + d.name + "." + a.name + "." + b.name + "." + c.name +
           operation;
  }
  std::size_t registers_of(const type& x, std::size_t elements) const {
    return x.bits >= 32 ? elements : elements * static_cast<std::size_t>(x.bits) / 32;
  }
};

using matrix = std::vector<std::vector<double>>;

void check(const mma& i, bool judged = true) {
  CAPTURE(i.text());
  const std::size_t per_a = i.m * i.k / 32, per_b = i.k * i.n / 32, per_c = i.m * i.n / 32;
  const std::size_t na = i.registers_of(i.a, per_a), nb = i.registers_of(i.b, per_b), nc = i.registers_of(i.c, per_c),
                    nd = i.registers_of(i.d, per_c);
  const registers a = random_registers(i.a, na), b = random_registers(i.b, nb), c = random_registers(i.c, nc);
  const int wide = i.d.bits == 64 ? 64 : 32;
  const registers d =
      run(i.text(), {'d', nd, wide}, {'a', na, wide}, {'b', nb, wide}, {'c', nc, wide}, a, b, c, "", registers(32), judged);
  matrix left(i.m, std::vector<double>(i.k)), right(i.n, std::vector<double>(i.k));
  for (std::size_t lane = 0; lane < 32; ++lane) {
    for (std::size_t e = 0; e < per_a; ++e) {
      const auto [row, column] = i.place_a(lane, e);
      left[row][column] = value(i.a, element(i.a, a, lane * na, e));
    }
    for (std::size_t e = 0; e < per_b; ++e) {
      const auto [row, column] = i.place_b(lane, e);
      right[column][row] = value(i.b, element(i.b, b, lane * nb, e));
    }
  }
  int wrong = 0;
  for (std::size_t lane = 0; lane < 32; ++lane)
    for (std::size_t e = 0; e < per_c; ++e) {
      const auto [row, column] = i.place_c(lane, e);
      const double before = value(i.c, element(i.c, c, lane * nc, e));
      std::vector<double> l = left[row], r = right[column];
      if (i.operation == ".xor.popc")
        for (std::size_t k = 0; k < i.k; ++k) l[k] = std::fabs(l[k] - r[k]), r[k] = 1;
      std::uint64_t wanted = accumulated(i.d, before, l, r);
      if (i.d.name == "s32") {
        auto exact = static_cast<std::int64_t>(wanted);
        if (i.modifier == ".satfinite") exact = std::clamp<std::int64_t>(exact, INT32_MIN, INT32_MAX);
        wanted = static_cast<std::uint32_t>(exact);
      }
      const double slack = i.a.bits == 8 && i.d.name == "f16" ? 0x1p-10 : 0;  // of 8-bit floats, an H100 rounds more than once
      wrong += !is_sum(i.d, element(i.d, d, lane * nd, e), wanted, before, l, r, slack);
    }
  CHECK_EQ(wrong, 0);
}

}  // namespace

TEST_CASE("mma of floats: every shape, against the manual's fragments") {
  for (const type& t : {f16, bf16})
    for (const type& sum : {f32, f16}) {
      if (t.name == "bf16" && sum.name == "f16") continue;
      check({"m16n8k8", 16, 8, 8, sum, t, t, sum});
      check({"m16n8k16", 16, 8, 16, sum, t, t, sum});
    }
  check({"m16n8k4", 16, 8, 4, f32, tf32, tf32, f32});
  check({"m16n8k8", 16, 8, 8, f32, tf32, tf32, f32});
  for (const type& ta : {e4m3, e5m2})
    for (const type& tb : {e4m3, e5m2})
      for (const type& sum : {f32, f16}) {
        check({"m16n8k16", 16, 8, 16, sum, ta, tb, sum});
        check({"m16n8k32", 16, 8, 32, sum, ta, tb, sum});
      }
  check({"m8n8k4", 8, 8, 4, f64, f64, f64, f64});
  for (const std::size_t k : {std::size_t{4}, std::size_t{8}, std::size_t{16}})
    check({"m16n8k" + std::to_string(k), 16, 8, k, f64, f64, f64, f64});
}

TEST_CASE("mma of integers and bits: every shape, against the manual's fragments") {
  for (const std::string modifier : {"", ".satfinite"}) {
    for (const type& ta : {s8, u8})
      for (const type& tb : {s8, u8}) {
        check({"m8n8k16", 8, 8, 16, s32, ta, tb, s32, modifier});
        check({"m16n8k16", 16, 8, 16, s32, ta, tb, s32, modifier});
        check({"m16n8k32", 16, 8, 32, s32, ta, tb, s32, modifier});
      }
    for (const type& ta : {s4, u4})
      for (const type& tb : {s4, u4}) {
        check({"m8n8k32", 8, 8, 32, s32, ta, tb, s32, modifier});
        check({"m16n8k32", 16, 8, 32, s32, ta, tb, s32, modifier});
        check({"m16n8k64", 16, 8, 64, s32, ta, tb, s32, modifier});
      }
  }
  for (const std::string operation : {".and.popc", ".xor.popc"}) {
    check({"m8n8k128", 8, 8, 128, s32, b1, b1, s32, "", operation});
    check({"m16n8k128", 16, 8, 128, s32, b1, b1, s32, "", operation});
    check({"m16n8k256", 16, 8, 256, s32, b1, b1, s32, "", operation});
  }
}

TEST_CASE("mma.m8n8k4 of f16 is four products, in every layout and type") {
  for (const bool a_by_row : {true, false})
    for (const bool b_by_row : {true, false})
      for (const auto& [type_d, type_c] : {std::pair{f32, f32}, {f32, f16}, {f16, f16}}) {
        const std::string text = "mma.sync.aligned.m8n8k4." + std::string(a_by_row ? "row." : "col.") +
                                 (b_by_row ? "row." : "col.") + type_d.name + ".f16.f16." + type_c.name;
        CAPTURE(text);
        const std::size_t nc = type_c.name == "f16" ? 4 : 8, nd = type_d.name == "f16" ? 4 : 8;
        const registers a = random_registers(f16, 2), b = random_registers(f16, 2), c = random_registers(type_c, nc);
        const registers d = run(text, {'d', nd}, {'a', 2}, {'b', 2}, {'c', nc}, a, b, c);
        double left[4][8][4], right[4][8][4];
        for (std::size_t lane = 0; lane < 32; ++lane)
          for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t quad = lane % 16 / 4, high = lane < 16 ? 0 : 4;
            const double va = value(f16, element(f16, a, lane * 2, i)), vb = value(f16, element(f16, b, lane * 2, i));
            (a_by_row ? left[quad][lane % 4 + high][i] : left[quad][i + high][lane % 4]) = va;
            (b_by_row ? right[quad][i + high][lane % 4] : right[quad][lane % 4 + high][i]) = vb;
          }
        const auto at = [](const type& t, std::size_t lane, std::size_t i) -> place {
          const std::size_t high = lane < 16 ? 0 : 4;
          if (t.name == "f16") return {lane % 4 + high, i};
          return {(lane & 1) + (i & 2) + high, (i & 4) + (lane & 2) + (i & 1)};
        };
        double before[4][8][8];
        for (std::size_t lane = 0; lane < 32; ++lane)
          for (std::size_t i = 0; i < 8; ++i) {
            const auto [row, column] = at(type_c, lane, i);
            before[lane % 16 / 4][row][column] = value(type_c, element(type_c, c, lane * nc, i));
          }
        int wrong = 0;
        for (std::size_t lane = 0; lane < 32; ++lane)
          for (std::size_t i = 0; i < 8; ++i) {
            const auto [row, column] = at(type_d, lane, i);
            const std::size_t quad = lane % 16 / 4;
            const std::vector<double> l(left[quad][row], left[quad][row] + 4), r(right[quad][column], right[quad][column] + 4);
            const double c_value = before[quad][row][column];
            wrong += !is_sum(type_d, element(type_d, d, lane * nd, i), accumulated(type_d, c_value, l, r), c_value, l, r);
          }
        CHECK_EQ(wrong, 0);
      }
}

TEST_CASE("f64 products round in the direction that is asked for") {
  const registers a(32, runner::bits(1.0 / 3)), b(32, runner::bits(1.0)), c(64, runner::bits(1.0));
  const auto sum = [&](const std::string& direction) {
    return runner::to_f64(run("mma.sync.aligned.m8n8k4.row.col" + direction + ".f64.f64.f64.f64", {'d', 2, 64}, {'a', 1, 64},
                              {'b', 1, 64}, {'c', 2, 64}, a, b, c)[0]);
  };
  CHECK(sum(".rm") <= sum(""));
  CHECK(sum("") <= sum(".rp"));
  CHECK(sum(".rm") < sum(".rp"));
  CHECK_EQ(sum(".rz"), sum(".rm"));
}

TEST_CASE("infinities and NaNs go through products as through sums") {
  registers a(32 * 4, 0x3c003c00), b(32 * 2, 0x3c003c00), c(32 * 4, 0);
  a[0] = 0x3c007c00;          // row 0, column 0: infinity
  a[4 * 4 + 0] = 0x3c007e01;  // row 1: NaN
  a[8 * 4 + 0] = 0xfc007c00;  // row 2: infinities of both signs
  b[0] = 0x3c000000;          // column 0, row 0: zero, so that 0 * inf
  const registers d = run("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", {'d', 4}, {'a', 4}, {'b', 2}, {'c', 4}, a, b, c);
  CHECK_EQ(d[0 * 4], 0x7fffffff);
  CHECK_EQ(d[0 * 4 + 1], 0x7f800000);
  CHECK_EQ(d[4 * 4 + 1], 0x7fffffff);
  CHECK_EQ(d[8 * 4 + 1], 0x7fffffff);
  CHECK_EQ(d[12 * 4 + 1], runner::bits(16.0f));
  const registers half =
      run("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", {'d', 2}, {'a', 4}, {'b', 2}, {'c', 2}, a, b, registers(64));
  CHECK_EQ(half[0], 0x7c007fff);
  CHECK_EQ(half[4 * 2], 0x7fff7fff);
}

TEST_CASE("f16 accumulators round once, and overflow to infinity") {
  // 2048 + 16 * 1/8: each step alone would round back to 2048.
  const registers a(32 * 4, 0x3c003c00), b(32 * 2, 0x30003000), c(32 * 2, 0x68007bff);
  const registers d = run("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", {'d', 2}, {'a', 4}, {'b', 2}, {'c', 2}, a, b, c);
  CHECK_EQ(d[0], 0x68017bff);
  const registers large(32 * 4, 0x58005800);
  const registers past =
      run("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", {'d', 2}, {'a', 4}, {'b', 2}, {'c', 2}, large, b, c);
  CHECK_EQ(past[0], 0x68807c00);
}

TEST_CASE("the result may lie in the registers of an operand, in another order") {
  const registers c = random_registers(s32, 2), zero(32);
  const std::string text = kernel("mad.wide.u32 %rd5, %thread, 8, %rd2; ld.global.v2.b32 {%r0, %r1}, [%rd5]; mov.b32 %r2, 0;\n"
                                  "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r1, %r0}, {%r2}, {%r2}, {%r0, %r1};\n"
                                  "mad.wide.u32 %rd5, %thread, 8, %rd3; st.global.v2.b32 [%rd5], {%r0, %r1};\n");
  check_with_ptxas(text);
  conformance::machine bench(text);
  const std::uint64_t in = bench.upload(narrowed<std::uint32_t>(c)), out = bench.upload(std::vector<std::uint32_t>(64));
  bench.run({{1}, {32}}, {in, in, in, out});
  const auto d = bench.download<std::uint32_t>(out, 64);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    CHECK_EQ(d[2 * lane], c[2 * lane + 1]);
    CHECK_EQ(d[2 * lane + 1], c[2 * lane]);
  }
}
