#include <tg/ptx/ir/view_map.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

using namespace tg::ptx;

TEST_CASE("maps of views go through the text of a module") {
  module m = parse(".version 8.0\n.target sm_90a\n.address_size 64\n"
                   ".visible .entry k(.param .u64 x, .param .u32 pitch, .param .u32 n, .param .align 64 .b8 map[128])\n"
                   "{\n\tret;\n}\n");
  using kind = launch_step_kind;
  m.maps = {{.parameter = 3,
             .type = 9,
             .element_bytes = 2,
             .swizzle = 3,
             .box_rows = 128,
             .box_columns = 64,
             .address = {{kind::argument, 0}},
             .pitch_bytes = {{kind::argument, 1}},
             .rows = {{kind::argument, 2}, {kind::number, 1}, {kind::add}},
             .columns = {}}};
  const std::string text = print(m);
  CHECK(text.find("//tg: .view_map 3 9 2 3 128 64 (argument 0) (argument 1) (argument 2 1 add) ();\n") != text.npos);
  CHECK(parse(text) == m);
  CHECK(m.maps[0].box_bytes() == 128 * 128);
  module other = m;
  other.maps[0].columns = {{kind::argument, 2}};
  CHECK_FALSE(parse(print(other)) == m);
}
