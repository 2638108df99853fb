#include <tg/ptx/parse/parse_call.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

#include "../body_text.hpp"

using namespace tg::ptx;
using tg::ptx::test::text_of;

namespace {

function body_of(const std::string& text) {
  return parse(".version 8.0\n.target sm_90\n.address_size 64\n.func callee(.param .b32 a) { ret; }\n"
               ".visible .entry k() {\n" +
               text + "\n}\n")
      .functions.back();
}

}  // namespace

TEST_CASE("calls direct and through registers, branches through tables") {
  const function f =
      body_of(".reg .b64 d; .reg .b32 r; .param .b32 a; .param .b32 b;\n"
              "call callee, (a);\ncall.uni (b), d, (a), p;\np: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
              "t: .branchtargets m, n;\nbrx.idx r, t;\nm: n: ret;\nc: .calltargets callee;\ncall d, (a), c;\ncall callee;");
  const auto& b = f.body;
  CHECK(b[0].operand_count == 3);
  CHECK(b[0][0].value == 0);
  CHECK(b[0][1].kind == operand_kind::function);
  CHECK(b[0][2].value == 1);
  CHECK(b[1].operand_count == 4);
  CHECK(b[1][3].kind == operand_kind::prototype);
  REQUIRE(f.prototypes.size() == 1);
  CHECK(f.prototypes[0].results.size() == 1);
  CHECK(b[2].op == opcode::brx);
  REQUIRE(b[2][1].value == 2);
  CHECK(f.parts(b[2][1])[0].id == b[3][0].id);
  CHECK(f.parts(b[2][1])[1].id == b[4][0].id);
  CHECK(b[6][3].kind == operand_kind::vector);
  CHECK(b[7].operand_count == 3);
}

TEST_CASE("vector registers are passed and returned, and functions declared without a semicolon") {
  CHECK_EQ(text_of("call (w), swap, (w);"),
           "st.param.b32 [vector_1], %f0; st.param.b32 [vector_1+4], %f1; call (vector), swap, (vector_1); "
           "ld.param.b32 %f0, [vector]; ld.param.b32 %f1, [vector+4]; ");
}
