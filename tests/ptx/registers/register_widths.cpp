#include <tg/ptx/registers/register_widths.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

// The widths of the 64-bit registers that `body` writes, in their order.
std::string widths_of(const std::string& body) {
  const module m = parse(".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 k_param_0)\n{\n"
                         ".reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n.reg .f64 %fd<3>;\n" +
                         body + "ret;\n}\n");
  const function& f = m.functions[0];
  const auto widths = register_widths(f);
  std::string out;
  for (const instruction& i : f.body)
    if (result_count(i) == 1 && i.operand_count > 0 && i[0].is_reg() && width_of(f.registers[i[0].id].type) == 2)
      out += std::to_string(widths[i[0].id]);
  return out;
}

}  // namespace

TEST_CASE("an address of shared memory has no upper half, one of global memory has") {
  const std::string address = "mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\nadd.s64 %rd2, %rd1, 64;\n";
  CHECK(widths_of(address + "ld.shared.u32 %r2, [%rd2];\n") == "11");
  CHECK(widths_of(address + "ld.local.u32 %r2, [%rd2];\n") == "11");
  CHECK(widths_of(address + "ld.global.u32 %r2, [%rd2];\n") == "22");
  CHECK(widths_of(address + "ld.shared.u32 %r2, [%rd2];\nst.global.u64 [%rd2], %rd1;\n") == "22");
}

TEST_CASE("one half of a product, or both") {
  const std::string product = "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd1, %r1, 7;\n";
  CHECK(widths_of(product + "shr.u64 %rd2, %rd1, 33;\ncvt.u32.u64 %r2, %rd2;\n") == "11");
  CHECK(widths_of(product + "shr.u64 %rd2, %rd1, 3;\ncvt.u32.u64 %r2, %rd2;\n") == "21");
  CHECK(widths_of(product + "cvt.u32.u64 %r2, %rd1;\nshr.u64 %rd2, %rd1, 32;\ncvt.u32.u64 %r3, %rd2;\n") == "21");
}

TEST_CASE("doubles take two, what nobody reads keeps its width") {
  CHECK(widths_of("mov.f64 %fd1, 0d0000000000000000;\nadd.f64 %fd2, %fd1, %fd1;\nst.global.f64 [%rd1], %fd2;\n") == "22");
  CHECK(widths_of("mov.u64 %rd1, 5;\n") == "2");
}
