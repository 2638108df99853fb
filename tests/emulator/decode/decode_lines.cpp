#include <tg/emulator/decode/decode_lines.hpp>

#include <doctest/doctest.h>

#include "../matrix/warp_product.hpp"

namespace {

using namespace warp_product;

/// A wmma of whole matrices in memory.
struct wmma {
  std::string shape;
  std::size_t m, n, k;
  type a, b, c, d;
  std::size_t na, nb;  // registers
  std::string types;   // of wmma.mma
  std::string operation = "", suffix = "";
};

/// A matrix in memory, by rows or columns, each line `stride` elements behind the last.
struct stored {
  type element;
  std::size_t rows, columns;
  bool by_row;
  std::size_t stride;

  std::size_t bytes() const { return (by_row ? rows : columns) * stride * static_cast<std::size_t>(element.bits) / 8; }
  std::size_t place(std::size_t row, std::size_t column) const {
    return by_row ? row * stride + column : column * stride + row;
  }
  double at(const std::vector<std::uint8_t>& memory, std::size_t row, std::size_t column) const {
    return value(element, bits(memory, row, column));
  }
  std::uint64_t bits(const std::vector<std::uint8_t>& memory, std::size_t row, std::size_t column) const {
    const std::size_t first = place(row, column) * static_cast<std::size_t>(element.bits);
    std::uint64_t out = 0;
    std::memcpy(&out, memory.data() + first / 8, std::min<std::size_t>(8, memory.size() - first / 8));
    out >>= first % 8;
    return element.bits == 64 ? out : out & ((std::uint64_t{1} << element.bits) - 1);
  }
  std::vector<std::uint8_t> random() const {
    const registers words = random_registers(element, 1, bytes() / (element.bits == 64 ? 8 : 4));
    std::vector<std::uint8_t> out(bytes());
    for (std::size_t k = 0; k < words.size(); ++k)
      std::memcpy(out.data() + k * (element.bits == 64 ? 8 : 4), &words[k], element.bits == 64 ? 8 : 4);
    return out;
  }
};

std::string layout(bool by_row) { return by_row ? "row" : "col"; }

/// `space`: "", ".global" or ".shared"; `pad`: elements between lines, 0 leaves the stride out.
void check(const wmma& i, bool a_by_row, bool b_by_row, bool c_by_row, const std::string& space, std::size_t pad, bool judged) {
  CAPTURE(i.shape + " " + i.types + i.suffix);
  CAPTURE(a_by_row);
  CAPTURE(b_by_row);
  CAPTURE(c_by_row);
  CAPTURE(space);
  CAPTURE(pad);
  const auto make = [&](const type& t, std::size_t rows, std::size_t columns, bool by_row) {
    const std::size_t line = by_row ? columns : rows, unit = 128 / static_cast<std::size_t>(t.bits);
    return stored{t, rows, columns, by_row, line + pad * unit};
  };
  const stored sa = make(i.a, i.m, i.k, a_by_row), sb = make(i.b, i.k, i.n, b_by_row), sc = make(i.c, i.m, i.n, c_by_row),
               sd = make(i.d, i.m, i.n, c_by_row);
  const auto registers_of = [&](const type& t) { return i.m * i.n / 32 / (t.bits == 16 ? 2 : 1); };
  const int wide = i.d.bits == 64 ? 64 : 32;
  const vector_operand a{'a', i.na, wide}, b{'b', i.nb, wide}, c{'c', registers_of(i.c), wide}, d{'d', registers_of(i.d), wide};
  const auto stride = [&](const stored& s) { return pad == 0 ? "" : ", " + std::to_string(s.stride); };
  const auto place = [&](int number, const stored& s) {
    return "[" + std::string(space == ".shared" ? "%r" : "%rd") + std::to_string(number) + "]" + stride(s);
  };
  std::string text, tail;
  if (space == ".shared") {
    std::size_t at = 0;
    text += ".shared .align 32 .b8 tile[32768];\n";
    int number = 0;
    for (const stored* s : {&sa, &sb, &sc, &sd}) {
      const std::string n = std::to_string(number++);
      text +=
          "mov.u32 %r" + n + ", tile; add.u32 %r" + n + ", %r" + n + ", " + std::to_string(at) + "; mov.b32 %r8, %thread;\n";
      const std::string loop = "setp.ge.u32 %p0, %r8, " + std::to_string(s->bytes() / 4) + "; @%p0 bra end" + n +
                               "; mad.wide.u32 %rd5, %r8, 4, %rd" + n + "; mad.lo.u32 %r9, %r8, 4, %r" + n + "; ";
      const std::string next = " add.u32 %r8, %r8, 32; bra next" + n + ";\nend" + n + ":\n";
      if (s == &sd)
        tail = "bar.warp.sync -1; mov.b32 %r8, %thread;\nnext3: " + loop +
               "ld.shared.b32 %r10, [%r9]; st.global.b32 [%rd5], %r10;" + next;
      else text += "next" + n + ": " + loop + "ld.global.b32 %r10, [%rd5]; st.shared.b32 [%r9], %r10;" + next;
      at += (s->bytes() + 31) / 32 * 32;
    }
    text += "bar.warp.sync -1;\n";
  }
  const std::string shape = i.shape + space;
  text += "wmma.load.a.sync.aligned." + layout(a_by_row) + "." + shape + "." + i.a.name + " " + a.text() + ", " + place(0, sa) +
          ";\n";
  text += "wmma.load.b.sync.aligned." + layout(b_by_row) + "." + shape + "." + i.b.name + " " + b.text() + ", " + place(1, sb) +
          ";\n";
  text += "wmma.load.c.sync.aligned." + layout(c_by_row) + "." + shape + "." + i.c.name + " " + c.text() + ", " + place(2, sc) +
          ";\n";
  text += "wmma.mma" + i.operation + ".sync.aligned." + layout(a_by_row) + "." + layout(b_by_row) + "." + i.shape + "." +
          i.types + i.suffix + " " + d.text() + ", " + a.text() + ", " + b.text() + ", " + c.text() + ";\n";
  text += "wmma.store.d.sync.aligned." + layout(c_by_row) + "." + shape + "." + i.d.name + " " +
          place(3, sd).substr(0, place(3, sd).find(']') + 1) + ", " + d.text() + stride(sd) + ";\n" + tail;
  text = kernel(text, a.declaration() + b.declaration() + c.declaration() + d.declaration());
  if (judged) check_with_ptxas(text);
  const auto ma = sa.random(), mb = sb.random(), mc = sc.random();
  conformance::machine bench(text);
  const std::uint64_t to = bench.upload(std::vector<std::uint8_t>(sd.bytes()));
  bench.run({{1}, {32}}, {bench.upload(ma), bench.upload(mb), bench.upload(mc), to});
  const auto md = bench.download<std::uint8_t>(to, sd.bytes());
  int wrong = 0;
  for (std::size_t row = 0; row < i.m; ++row)
    for (std::size_t column = 0; column < i.n; ++column) {
      std::vector<double> l, r;
      for (std::size_t k = 0; k < i.k; ++k) l.push_back(sa.at(ma, row, k)), r.push_back(sb.at(mb, k, column));
      if (i.operation == ".xor.popc")
        for (std::size_t k = 0; k < i.k; ++k) l[k] = std::fabs(l[k] - r[k]), r[k] = 1;
      const double before = sc.at(mc, row, column);
      std::uint64_t wanted = accumulated(i.d, before, l, r);
      if (i.d.name == "s32") {
        auto exact = static_cast<std::int64_t>(wanted);
        if (i.suffix == ".satfinite") exact = std::clamp<std::int64_t>(exact, INT32_MIN, INT32_MAX);
        wanted = static_cast<std::uint32_t>(exact);
      }
      wrong += !is_sum(i.d, sd.bits(md, row, column), wanted, before, l, r);
    }
  CHECK_EQ(wrong, 0);
}

/// Every layout, in global memory with and without stride, by a generic address, in shared memory.
void check_all(const wmma& i) {
  const bool has_layouts = i.a.bits >= 8;
  for (const bool c_by_row : {true, false}) {
    check(i, true, false, c_by_row, ".global", 0, c_by_row);
    check(i, true, false, c_by_row, "", 1, c_by_row);
    check(i, true, false, c_by_row, ".shared", 2, c_by_row);
    if (!has_layouts) continue;
    check(i, true, true, c_by_row, "", 0, false);
    check(i, false, false, c_by_row, ".shared", 1, false);
    check(i, false, true, c_by_row, ".global", 1, c_by_row);
  }
}

struct wide_shape {
  std::string name;
  std::size_t m, n;
};
const wide_shape wide_shapes[] = {{"m16n16k16", 16, 16}, {"m32n8k16", 32, 8}, {"m8n32k16", 8, 32}};

}  // namespace

TEST_CASE("wmma of f16 and bf16: every shape, layout, stride and space") {
  for (const auto& [name, m, n] : wide_shapes) {
    for (const type& d : {f32, f16})
      for (const type& c : {f32, f16}) check_all({name, m, n, 16, f16, f16, c, d, 8, 8, d.name + "." + c.name});
    const std::size_t na = m == 16 ? 4 : m == 32 ? 8 : 2, nb = n == 16 ? 4 : n == 32 ? 8 : 2;
    check_all({name, m, n, 16, bf16, bf16, f32, f32, na, nb, "f32.bf16.bf16.f32"});
  }
}

TEST_CASE("wmma of integers and bits: every shape, layout, stride and space") {
  for (const auto& [name, m, n] : wide_shapes)
    for (const type& t : {s8, u8})
      for (const std::string suffix : {"", ".satfinite"}) {
        const std::size_t na = m == 16 ? 2 : m == 32 ? 4 : 1, nb = n == 16 ? 2 : n == 32 ? 4 : 1;
        check_all({name, m, n, 16, t, t, s32, s32, na, nb, "s32." + t.name + "." + t.name + ".s32", "", suffix});
      }
  for (const type& t : {s4, u4})
    for (const std::string suffix : {"", ".satfinite"})
      check_all({"m8n8k32", 8, 8, 32, t, t, s32, s32, 1, 1, "s32." + t.name + "." + t.name + ".s32", "", suffix});
  for (const std::string operation : {".xor.popc", ".and.popc"})
    check_all({"m8n8k128", 8, 8, 128, b1, b1, s32, s32, 1, 1, "s32.b1.b1.s32", operation});
}

TEST_CASE("wmma of tf32 and f64: every layout, stride and space") {
  check_all({"m16n16k8", 16, 16, 8, tf32, tf32, f32, f32, 4, 4, "f32.tf32.tf32.f32"});
  check_all({"m8n8k4", 8, 8, 4, f64, f64, f64, f64, 1, 1, "f64.f64.f64.f64"});
  for (const std::string direction : {"rn.", "rz.", "rm.", "rp."}) {
    const std::string text = kernel("mov.f64 %fd0, 0d3ff0000000000000;\nwmma.mma.sync.aligned.row.col.m8n8k4." + direction +
                                        "f64.f64.f64.f64 {%fd0, %fd1}, {%fd0}, {%fd0}, {%fd0, %fd0};\n",
                                    ".reg .f64 %fd<2>; ");
    check_with_ptxas(text);
    CHECK_EQ(runner::failure([&] { runner::bench(text).run({{1}, {32}}, {}); }), "");
  }
}

TEST_CASE("wide halves are held twice, and each copy is loaded") {
  const vector_operand a{'a', 8};
  const std::string text = kernel(
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " + a.text() + ", [%rd0];\n" + a.moves("st", 3), a.declaration());
  runner::bench bench(text);
  std::vector<std::uint16_t> in(256);
  for (std::size_t k = 0; k < 256; ++k) in[k] = static_cast<std::uint16_t>(k);
  const std::uint64_t from = bench.upload(in), to = bench.upload(std::vector<std::uint16_t>(512));
  tg::emulator::counters counted;
  bench.run({{1}, {32}}, {from, from, from, to}, {}, &counted);
  auto got = bench.download<std::uint16_t>(to, 512);
  std::sort(got.begin(), got.end());
  for (std::size_t k = 0; k < 512; ++k) REQUIRE_EQ(got[k], k / 2);
  const auto load = std::ranges::find(counted.instructions, tg::ptx::opcode::wmma, &tg::emulator::instruction_counters::op);
  REQUIRE(load != counted.instructions.end());
  CHECK_EQ(load->sectors, 16);
}

TEST_CASE("the lines of wmma are checked as other accesses are") {
  const auto failing = [](const std::string& place) {
    return runner::failure([&] {
      runner::bench bench(kernel("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%r0, %r1, %r2, %r3, %r4, %r5, %r6, "
                                 "%r7}, " +
                                 place + ";\n"));
      bench.run({{1}, {32}}, {bench.upload(std::vector<float>(256))});
    });
  };
  CHECK_EQ(failing("[%rd0]"), "");
  CHECK_EQ(failing("[%rd0], 16"), "");
  CHECK(runner::has(failing("[%rd0], 17"), "TG402"));
  CHECK(runner::has(failing("[%rd0+4]"), "TG402"));
  CHECK(runner::has(failing("[%rd0+2]"), "TG403"));
}
