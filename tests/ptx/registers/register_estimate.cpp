#include <tg/ptx/registers/register_estimate.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

// Loads `values` floats, then stores them in the opposite order.
std::string kept(int values, const std::string& bounds = "") {
  std::string out =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n" + bounds +
      "{\n.reg .b32 %r<4>;\n.reg .f32 %f<100>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, [k_param_0];\n"
      "cvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n";
  for (int k = 0; k < values; ++k)
    out += "ld.global.f32 %f" + std::to_string(k) + ", [%rd4+" + std::to_string(k * 512) + "];\n";
  for (int k = values; k-- > 0;)
    out += "st.global.f32 [%rd4+" + std::to_string(k * 512 + 65536) + "], %f" + std::to_string(k) + ";\n";
  return out + "ret;\n}\n";
}

register_estimate estimate(const std::string& text, int sm = 80) { return estimate_registers(parse(text).functions[0], sm); }

// A sum along a row; the counter's step is a constant or a parameter.
std::string row_sum(const char* step) {
  return std::string(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0, .param .u32 "
                     "k_param_1)\n{\n"
                     ".reg .pred %p<2>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<8>;\nld.param.u64 %rd1, "
                     "[k_param_0];\n"
                     "cvta.to.global.u64 %rd2, %rd1;\nld.param.u32 %r3, [k_param_1];\nmov.u32 %r1, %tid.x;\nmov.f32 %f2, "
                     "0f00000000;\n$L:\n"
                     "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\nld.global.nc.f32 %f1, [%rd4];\nadd.f32 %f2, %f2, "
                     "%f1;\n"
                     "add.u32 %r1, %r1, ") +
         step + ";\nsetp.lt.u32 %p1, %r1, %r3;\n@%p1 bra $L;\nst.global.f32 [%rd2], %f2;\nret;\n}\n";
}

}  // namespace

TEST_CASE("each value that is kept takes a register more") {
  const register_estimate few = estimate(kept(8)), many = estimate(kept(40));
  CHECK(few.in_order == 8 + 2);
  CHECK(many.in_order == 40 + 2);
  CHECK(many.expected > few.expected + 15);
  CHECK(few.expected >= few.needed);
  CHECK(estimate(kept(8), 90).expected >= few.expected);
}

TEST_CASE("a bound below what is needed spills, one above does not") {
  const register_estimate e = estimate(kept(60));
  CHECK(e.spills(32));
  CHECK_FALSE(e.spills(255));
  CHECK_FALSE(estimate(kept(8)).spills(32));
}

TEST_CASE("a loop with a constant step is unrolled, and its loads come first") {
  CHECK(estimate(row_sum("256")).scheduled > estimate(row_sum("256")).in_order + 3);
  CHECK(estimate(row_sum("%r3")).scheduled == estimate(row_sum("%r3")).in_order);
}

TEST_CASE("an empty kernel needs next to nothing") {
  const register_estimate e = estimate(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
  CHECK(e.in_order == 0);
  CHECK(e.expected < 8);
}

TEST_CASE("a loop that is not to be unrolled, or that ends on equality, keeps its turns") {
  std::string kept_turns = row_sum("256"), equal = kept_turns;
  kept_turns.insert(kept_turns.find("$L:\n") + 4, ".pragma \"nounroll\";\n");
  equal.replace(equal.find("setp.lt"), 7, "setp.eq");
  CHECK(estimate(kept_turns).scheduled < estimate(row_sum("256")).scheduled);
  CHECK(estimate(equal).scheduled < estimate(row_sum("256")).scheduled);
}

TEST_CASE("a loop that ends on equality is unrolled where its step is known to divide the way") {
  const auto until_equal = [](const std::string& bound) {
    std::string text = row_sum("2");
    const auto put = [&](const std::string& from, const std::string& to) { text.replace(text.find(from), from.size(), to); };
    put("[k_param_1];\n", "[k_param_1];\n" + bound);
    put("mov.u32 %r1, %tid.x;", "mov.u32 %r1, 0;");
    put("setp.lt.u32 %p1, %r1, %r3", "setp.eq.u32 %p1, %r1, %r4");
    put("@%p1 bra", "@!%p1 bra");
    return estimate(text).scheduled;
  };
  CHECK(until_equal("and.b32 %r4, %r3, -2;\n") > until_equal("mov.u32 %r4, %r3;\n"));
}

TEST_CASE("a block too long to be looked at as a whole is looked at in parts") {
  std::string copies, text = kept(1);
  for (int k = 0; k < 400; ++k) {
    const std::string value = "%f" + std::to_string(k % 99 + 1);
    copies += "ld.global.f32 " + value + ", [%rd4+" + std::to_string(k * 512) + "];\nst.global.f32 [%rd4+" +
              std::to_string(k * 512 + 4) + "], " + value + ";\n";
  }
  const register_estimate e = estimate(text.insert(text.find("ret;"), copies));
  CHECK(e.in_order < 8);
  CHECK(e.scheduled > e.in_order + 8);
}

TEST_CASE("a bound limits what is expected") {
  const auto threads_of = [](const std::string& bounds) { return parse(kept(60, bounds)).functions[0].bounds.block_threads(); };
  CHECK(threads_of("") == 0);
  CHECK(threads_of(".maxntid 1024, 1, 1\n") == 1024);
  CHECK(threads_of(".maxntid 256, 1, 1\n.minnctapersm 6\n") == 256);
  CHECK(threads_of(".reqntid 32, 16, 1\n") == 512);
  CHECK(threads_of(".maxntid 4294967295, 4294967295, 4294967295\n") == 4294967295u);
  const module m = parse(kept(60));
  CHECK(estimate_registers(m.functions[0], 80).expected > 60);
  CHECK(estimate_registers(m.functions[0], 80, 40).expected == 40);
  CHECK(estimate_registers(m.functions[0], 80, 40).spills(40));
}

TEST_CASE("stored words tend to have registers of their own") {
  std::string one = kept(1), many = one;
  const std::size_t at = many.find("ret;");
  for (int k = 0; k < 7; ++k) many.insert(at, "st.global.f32 [%rd4+" + std::to_string(4096 * k) + "], %f0;\n");
  CHECK(estimate(many).in_order == estimate(one).in_order);
  CHECK(estimate(many).expected > estimate(one).expected);
}
