#include <tg/dsl/cost/thread_values.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

namespace {

using tg::detail::thread_values;

/// What the last instruction of `body` writes, in a block of 8 x 4 threads; -1 where it is not known.
std::vector<std::int64_t> last(const std::string& body) {
  const tg::ptx::module m = tg::ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
      ".reg .b64 %rd<4>;\n" +
      body + "ret;\n}\n");
  const tg::ptx::function& f = m.functions[0];
  const auto uses = tg::ptx::count_uses(f);
  thread_values values(f, {8, 4, 1}, uses);
  const auto row = values.of_register(f.body[f.body.size() - 2][0].id);
  std::vector<std::int64_t> out;
  for (const auto& v : row) out.push_back(v.value_or(-1));
  return out;
}

}  // namespace

TEST_CASE("coordinates, constants and arithmetic of them are known in each thread") {
  CHECK(last("mov.u32 %r1, %tid.y;\nshl.b32 %r2, %r1, 3;\nadd.u32 %r3, %r2, 5;\n")[9] == 13);
  CHECK(last("mov.u32 %r1, %tid.x;\nmad.lo.u32 %r2, %r1, 3, 1;\n")[7] == 22);
  CHECK(last("mov.u32 %r1, %tid.x;\nsub.s32 %r2, %r1, 4;\nshr.s32 %r3, %r2, 1;\nadd.s32 %r4, %r3, 100;\n")[1] == 98);
  CHECK(last("mov.u32 %r1, %tid.x;\nsub.u32 %r2, %r1, 4;\n")[0] == 0xfffffffc);
  CHECK(last("mov.u32 %r1, %tid.x;\ncvt.u64.u32 %rd1, %r1;\nmul.lo.u64 %rd2, %rd1, 5;\n")[6] == 30);
  CHECK(last("mov.u32 %r1, %tid.x;\nrem.u32 %r2, %r1, 3;\n")[5] == 2);
  CHECK(last("mov.u32 %r1, %tid.x;\nmax.u32 %r2, %r1, 3;\nmin.u32 %r3, %r2, 6;\n") ==
        std::vector<std::int64_t>{3, 3, 3, 3, 4, 5, 6, 6, 3, 3, 3, 3, 4, 5, 6, 6,
                                  3, 3, 3, 3, 4, 5, 6, 6, 3, 3, 3, 3, 4, 5, 6, 6});
}

TEST_CASE("comparisons and what joins them") {
  const auto both = last("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nsetp.lt.u32 %p1, %r1, 2;\nsetp.ge.u32 %p2, %r2, 3;\n"
                         "and.pred %p3, %p1, %p2;\n");
  CHECK(both[25] == 1);
  CHECK(both[26] == 0);
  CHECK(both[1] == 0);
  CHECK(last("mov.u32 %r1, %tid.x;\nsub.s32 %r2, %r1, 4;\nsetp.lt.s32 %p1, %r2, 0;\n")[3] == 1);
  CHECK(last("mov.u32 %r1, %tid.x;\nsub.u32 %r2, %r1, 4;\nsetp.lt.u32 %p1, %r2, 8;\n")[3] == 0);
}

TEST_CASE("what depends on arguments, blocks or an instruction under a guard is not known") {
  CHECK(last("ld.param.u32 %r1, [n];\nadd.u32 %r2, %r1, 1;\n")[0] == -1);
  CHECK(last("mov.u32 %r1, %ctaid.x;\n")[0] == -1);
  CHECK(last("setp.eq.u32 %p1, 1, 1;\n@%p1 mov.u32 %r1, 5;\n")[0] == -1);
  CHECK(last("mov.u32 %r1, 1;\nmov.u32 %r1, 2;\n")[0] == -1);
  CHECK(last("mov.u32 %r1, 0;\nmov.u32 %r2, 1;\ndiv.u32 %r3, %r2, %r1;\n")[0] == -1);
}
