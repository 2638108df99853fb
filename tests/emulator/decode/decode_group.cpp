#include <tg/emulator/decode/decode_group.hpp>

#include <doctest/doctest.h>

#include "../../f8_sums.hpp"
#include "../matrix/warp_product.hpp"

namespace {

using namespace warp_product;

/// A matrix in shared memory: `lines` rows of A or columns of B, `k` elements each, in one of the manual's layouts.
struct tile {
  type element;
  std::size_t lines, k;
  bool by_line;          // neighbouring lines are contiguous, not neighbouring k
  std::size_t width;     // of the swizzle in bytes, 16: none
  std::size_t base;      // where it starts in the kernel's shared memory, whose address the kernel adds
  std::size_t part = 0;  // of a swizzled line that is wider than the instruction's 32 bytes

  std::size_t atoms() const { return by_line ? (lines * 2 + width - 1) / width : (lines + 7) / 8; }
  // Distances with a gap, so that each field of the descriptor counts.
  std::size_t atom_bytes() const { return 8 * width; }
  std::size_t near() const { return width == 16 ? atom_bytes() + 16 : atom_bytes(); }
  std::size_t far() const { return width == 16 ? atoms() * near() + 48 : atoms() * near(); }
  std::size_t leading() const { return by_line && width > 16 ? near() : far(); }
  std::size_t stride() const { return by_line && width > 16 ? far() : near(); }
  std::size_t bytes() const { return 2 * far() + 128; }

  /// 16 bytes number `chunk` of row `row` of an atom stand at another place of the same row.
  std::size_t in_atom(std::size_t row, std::size_t chunk) const {
    const std::size_t turn = width == 128 ? row : width == 64 ? row / 2 : width == 32 ? row / 4 : 0;
    return row * width + (chunk ^ turn) * 16;
  }
  /// The byte that holds element (line, at), in elements of at least 8 bits.
  std::size_t place(std::size_t line, std::size_t at) const {
    const auto size = static_cast<std::size_t>(element.bits) / 8;
    if (by_line) {
      const std::size_t per_atom = width / size, chunk = line % per_atom / 8;
      const std::size_t next = width == 16 ? stride() : leading(), deeper = width == 16 ? leading() : stride();
      return base + line / per_atom * next + at / 8 * deeper + in_atom(at % 8, chunk) + line % 8 * size;
    }
    const std::size_t byte = at * size + part * 32;
    if (width == 16) return base + line / 8 * near() + byte / 16 * leading() + in_atom(line % 8, 0) + byte % 16;
    return base + line / 8 * near() + in_atom(line % 8, byte / 16) + byte % 16;
  }
  std::uint64_t descriptor() const {
    const std::uint64_t mode = width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0;
    const std::uint64_t lead = by_line || width == 16 ? leading() : 0;
    return (base + part * 32) >> 4 | (lead >> 4) << 16 | (stride() >> 4) << 32 | mode << 62;
  }
  void put(std::vector<std::uint8_t>& memory, std::size_t line, std::size_t at, std::uint64_t raw) const {
    if (element.bits == 1) {
      const std::size_t byte = at / 8, first = base + line / 8 * near() +
                                               (width == 16 ? byte / 16 * leading() + in_atom(line % 8, 0) + byte % 16
                                                            : in_atom(line % 8, (byte + part * 32) / 16) + byte % 16);
      memory[first] = static_cast<std::uint8_t>(memory[first] | raw << at % 8);
      return;
    }
    std::memcpy(memory.data() + place(line, at), &raw, static_cast<std::size_t>(element.bits) / 8);
  }
};

struct wgmma {
  std::size_t n, k;
  type d, a, b;
  bool a_in_registers = false, a_by_line = false, b_by_line = false;
  std::size_t width_a = 128, width_b = 128, part = 0;
  bool adds = true;
  int scale_a = 1, scale_b = 1;
  std::string suffix = "";
};

void check(const wgmma& i, bool judged = true) {
  const bool is_integer = i.d.name == "s32", has_transposes = i.a.bits == 16;
  std::string text = "wgmma.mma_async.sync.aligned.m64n" + std::to_string(i.n) + "k" + std::to_string(i.k) + "." + i.d.name +
                     "." + i.a.name + "." + i.b.name + i.suffix;
  CAPTURE(text);
  CAPTURE(i.a_in_registers);
  CAPTURE(i.a_by_line);
  CAPTURE(i.b_by_line);
  CAPTURE(i.width_a);
  CAPTURE(i.width_b);
  CAPTURE(i.part);
  const std::size_t part_a = i.a_by_line || i.width_a <= 32 ? 0 : i.part % (i.width_a / 32),
                    part_b = i.b_by_line || i.width_b <= 32 ? 0 : i.part % (i.width_b / 32);
  const tile a{i.a, 64, i.k, i.a_by_line, i.width_a, 0, part_a};
  const tile b{i.b, i.n, i.k, i.b_by_line, i.width_b, (a.bytes() + 1023) / 1024 * 1024, part_b};
  std::vector<std::uint8_t> memory((b.base + b.bytes() + 3) / 4 * 4);
  std::vector<std::vector<double>> left(64), right(i.n);
  for (auto& row : left) row.resize(i.k);
  const registers ra = random_registers(i.a, 4, 128);
  for (std::size_t line = 0; line < 64; ++line)
    for (std::size_t k = 0; k < i.k; ++k) {
      const std::uint64_t raw = random_element(i.a);
      if (!i.a_in_registers) a.put(memory, line, k, raw), left[line][k] = value(i.a, raw);
    }
  for (std::size_t line = 0; line < i.n; ++line)
    for (std::size_t k = 0; k < i.k; ++k) {
      const std::uint64_t raw = random_element(i.b);
      b.put(memory, line, k, raw);
      right[line].push_back(value(i.b, raw));
    }
  const std::size_t p = i.a.bits >= 32 ? 1 : static_cast<std::size_t>(32 / i.a.bits);
  for (std::size_t thread = 0; i.a_in_registers && thread < 128; ++thread)
    for (std::size_t e = 0; e < 4 * p; ++e) {
      const std::size_t row = thread / 32 * 16 + thread % 32 / 4 + (e / p % 2) * 8;
      left[row][thread % 4 * p + e % p + (e < 2 * p ? 0 : 4 * p)] = value(i.a, element(i.a, ra, thread * 4, e));
    }
  const vector_operand d{'d', i.d.bits == 16 ? i.n / 4 : i.n / 2}, va{'a', 4};
  const registers before = random_registers(i.d, d.count, 128);
  text += " " + d.text() + ", " + (i.a_in_registers ? va.text() : "%rd6") + ", %rd7, %p1";
  if (!is_integer) text += ", " + std::to_string(i.scale_a) + ", " + std::to_string(i.scale_b);
  if (has_transposes && !i.a_in_registers) text += i.a_by_line ? ", 1" : ", 0";
  if (has_transposes) text += i.b_by_line ? ", 1" : ", 0";
  // Both tiles of a large product are more than the 48 KB that a kernel may have without asking for them at launch.
  const std::string whole =
      kernel("mov.u32 %r0, tile; mov.b32 %r1, %thread;\nnext: setp.ge.u32 %p0, %r1, " + std::to_string(memory.size() / 4) +
                 "; @%p0 bra end; mad.wide.u32 %rd5, %r1, 4, %rd1; ld.global.b32 %r2, [%rd5]; mad.lo.u32 %r3, %r1, 4, %r0; "
                 "st.shared.b32 [%r3], %r2; add.u32 %r1, %r1, 128; bra next;\nend: fence.proxy.async; bar.sync 0;\n" +
                 va.moves("ld", 0) + "add.u64 %rd8, %rd3, 0;\n" + d.moves("ld", 8) +
                 "shr.u32 %r0, %r0, 4; cvt.u64.u32 %rd5, %r0; add.u64 %rd6, %rd5, " + std::to_string(a.descriptor()) +
                 "; add.u64 %rd7, %rd5, " + std::to_string(b.descriptor()) + "; setp.eq.u32 %p1, 0, " + (i.adds ? "0" : "1") +
                 ";\nwgmma.fence.sync.aligned;\n" + text +
                 ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" + d.moves("st", 3),
             d.declaration() + va.declaration(), ".extern .shared .align 1024 .b8 tile[];\n");
  if (judged) check_with_ptxas(whole);
  conformance::machine bench(whole);
  const std::uint64_t to = bench.upload(narrowed<std::uint32_t>(before)), in = bench.upload(memory);
  runner::launch_shape shape{{1}, {128}};
  shape.dynamic_shared_bytes = memory.size();
  bench.run(shape, {bench.upload(narrowed<std::uint32_t>(ra)), in, in, to});
  const registers after = widened(bench.download<std::uint32_t>(to, 128 * d.count));
  int wrong = 0;
  for (std::size_t thread = 0; thread < 128; ++thread)
    for (std::size_t e = 0; e < i.n / 2; ++e) {
      const std::size_t row = thread / 32 * 16 + thread % 32 / 4 + (e / 2 % 2) * 8, column = e / 4 * 8 + thread % 4 * 2 + e % 2;
      std::vector<double> l = left[row];
      for (double& v : l) v *= i.scale_a * i.scale_b;
      const double c = i.adds ? value(i.d, element(i.d, before, thread * d.count, e)) : 0;
      std::uint64_t wanted = accumulated(i.d, c, l, right[column]);
      if (is_integer) {
        auto exact = static_cast<std::int64_t>(wanted);
        if (i.suffix == ".satfinite") exact = std::clamp<std::int64_t>(exact, INT32_MIN, INT32_MAX);
        wanted = static_cast<std::uint32_t>(exact);
      }
      const double slack =
          i.a.bits != 8 || is_integer ? 0 : error_of_f8_sums(static_cast<int>(i.k)) + (i.d.bits == 16 ? 0x1p-10 : 0);
      wrong += !is_sum(i.d, element(i.d, after, thread * d.count, e), wanted, c, l, right[column], slack);
    }
  CHECK_EQ(wrong, 0);
}

}  // namespace

TEST_CASE("wgmma of f16 and bf16: every swizzle, by k and by line, from memory and registers") {
  for (const type& t : {f16, bf16})
    for (const std::size_t width : {std::size_t{16}, std::size_t{32}, std::size_t{64}, std::size_t{128}})
      for (const bool by_line : {false, true})
        for (const std::size_t n : {std::size_t{8}, std::size_t{24}, std::size_t{64}, std::size_t{136}}) {
          // Swizzled atoms of lines are whole.
          if (by_line && n * 2 % width != 0) continue;
          check({n, 16, f32, t, t, false, by_line, by_line, width, width, n / 8}, n == 64);
          check({n, 16, f32, t, t, true, false, by_line, 16, width, n / 8}, n == 64);
          check({n, 16, f32, t, t, false, !by_line, by_line, width, width}, false);
        }
  for (const bool in_registers : {false, true}) {
    check({256, 16, f32, f16, f16, in_registers, false, true, 128, 128});
    check({256, 16, f16, f16, f16, in_registers, false, false, 64, 32});
    check({8, 16, f16, f16, f16, in_registers});
  }
}

TEST_CASE("wgmma of tf32, f8, integers and bits") {
  for (const std::size_t width : {std::size_t{16}, std::size_t{32}, std::size_t{64}, std::size_t{128}})
    for (const bool in_registers : {false, true}) {
      const bool judged = width == 64;
      check({40, 8, f32, tf32, tf32, in_registers, false, false, width, width, 1}, judged);
      for (const type& ta : {e4m3, e5m2})
        for (const type& tb : {e4m3, e5m2}) {
          check({48, 32, f32, ta, tb, in_registers, false, false, width, width, 1}, judged);
          check({48, 32, f16, ta, tb, in_registers, false, false, width, width, 1}, judged);
        }
      for (const type& ta : {s8, u8})
        for (const type& tb : {s8, u8}) {
          check({32, 32, s32, ta, tb, in_registers, false, false, width, width, 1}, judged);
          check({32, 32, s32, ta, tb, in_registers, false, false, width, width, 1, true, 1, 1, ".satfinite"}, judged);
        }
      check({80, 256, s32, b1, b1, in_registers, false, false, width, width, 1, true, 1, 1, ".and.popc"}, judged);
    }
}

TEST_CASE("wgmma without the old D, and with negated factors") {
  for (const bool adds : {true, false})
    for (const int scale_a : {1, -1})
      for (const int scale_b : {1, -1})
        check({16, 16, f32, f16, f16, scale_a == scale_b, false, false, 128, 128, 0, adds, scale_a, scale_b});
  check({16, 32, s32, s8, s8, false, false, false, 128, 128, 0, false});
}

TEST_CASE("a descriptor that leads outside of shared memory is found, one that just fits is not") {
  const auto failing = [](std::uint64_t stride) {
    return runner::failure([&] {
      runner::bench bench(
          kernel(".shared .align 128 .b8 tile[4096];\nmov.b64 %rd6, " + std::to_string(stride >> 4 << 32 | 8 << 16) +
                 ";\nwgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r0, %r1}, %rd6, %rd6, 0, 1, 1, 0, 0;\n"));
      bench.run({{1}, {128}}, {});
    });
  };
  CHECK_EQ(failing(544), "");  // 7 strides, a leading of 128 bytes and 8 lines of 16 end at 4064
  const std::string said = failing(560);
  CHECK(runner::has(said, "TG461"));
  CHECK(runner::has(said, "wgmma.mma_async"));
}

TEST_CASE("the warps of a group set the same number of registers, a multiple of 8 from 24 to 256") {
  const auto failing = [](const std::string& body, std::uint32_t threads = 256) {
    return runner::failure([&] {
      runner::bench bench(kernel("shr.u32 %r1, %thread, 5; setp.lt.u32 %p1, %thread, 128; setp.eq.u32 %p2, %r1, 2;\n" + body));
      bench.run({{1}, {threads}}, {});
    });
  };
  const auto set = [](const std::string& how, int count) {
    return "setmaxnreg." + how + ".sync.aligned.u32 " + std::to_string(count) + ";\n";
  };
  const auto apart = [&](const std::string& p, const std::string& a, const std::string& b) {
    return "@" + p + " bra other;\n" + a + "bra done;\nother:\n" + b + "done:\n";
  };
  for (const int good : {24, 32, 256}) CHECK_EQ(failing(set("dec", good)), "");
  for (const int bad : {0, 16, 25, 264}) CHECK(runner::has(failing(set("dec", bad)), "TG400"));
  CHECK_EQ(failing(apart("%p1", set("dec", 40), set("inc", 232))), "");
  const std::string said = failing(apart("%p2", set("dec", 40), set("dec", 48)));
  CHECK(runner::has(said, "TG460"));
  CHECK(runner::has(said, "another setmaxnreg"));
  CHECK(runner::has(failing(apart("%p2", set("dec", 40), set("inc", 40))), "TG460"));
  CHECK(runner::has(failing("setp.lt.u32 %p3, %thread, 16; @%p3 " + set("dec", 40)), "TG460"));
}
