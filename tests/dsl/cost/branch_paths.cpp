#include <tg/dsl/cost/branch_paths.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>

namespace {

/// For each `add` of the body, a letter for each thread of a warp of 8: s surely, p possibly, . never.
std::vector<std::string> paths(const std::string& body) {
  const tg::ptx::module m = tg::ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 n)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
      "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nsetp.lt.u32 %p1, %r1, 4;\nsetp.lt.u32 %p2, %r1, %r2;\n" +
      body + "ret;\n}\n");
  const tg::ptx::function& f = m.functions[0];
  tg::detail::branch_paths walk(f, {8, 1, 1});
  std::vector<std::string> out;
  for (std::uint32_t n = 0; n < f.body.size(); ++n) {
    walk.step(n);
    if (f.body[n].op != tg::ptx::opcode::add) continue;
    std::string& own = out.emplace_back();
    for (std::size_t t = 0; t < 8; ++t) own += walk.is_sure(t) ? 's' : walk.is_possible(t) ? 'p' : '.';
  }
  return out;
}

constexpr char add[] = "add.u32 %r3, %r1, 1;\n";
using lines = std::vector<std::string>;

}  // namespace

TEST_CASE("a condition on coordinates parts the threads, and both parts meet again") {
  CHECK(paths(std::string("@!%p1 bra $E;\n") + add + "bra $X;\n$E:\n" + add + "$X:\n" + add) ==
        lines{"ssss....", "....ssss", "ssssssss"});
  CHECK(paths(std::string("@%p1 ") + add + add) == lines{"ssss....", "ssssssss"});
}

TEST_CASE("a condition on arguments leaves both sides possible, and what follows sure") {
  CHECK(paths(std::string("@!%p2 bra $E;\n") + add + "bra $X;\n$E:\n" + add + "$X:\n" + add) ==
        lines{"pppppppp", "pppppppp", "ssssssss"});
  CHECK(paths(std::string("@!%p1 bra $X;\n@!%p2 bra $Y;\n") + add + "$Y:\n" + add + "$X:\n" + add) ==
        lines{"pppp....", "ssss....", "ssssssss"});
  CHECK(paths(std::string("@%p2 ") + add) == lines{"pppppppp"});
}

TEST_CASE("who has left is not there any more; a loop is left by all who came") {
  CHECK(paths(std::string("@%p1 ret;\n") + add) == lines{"....ssss"});
  CHECK(paths(std::string("@%p2 exit;\n") + add) == lines{"pppppppp"});
  CHECK(paths(std::string("@!%p1 bra $X;\n$L:\n") + add + "@%p2 bra $L;\n" + add + "$X:\n" + add) ==
        lines{"ssss....", "ssss....", "ssssssss"});
  CHECK(paths(std::string("bra $T;\n$L:\n") + add + "$T:\n@%p2 bra $L;\n" + add) == lines{"pppppppp", "ssssssss"});
}
