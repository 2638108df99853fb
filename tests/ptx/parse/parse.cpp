#include <tg/ptx/parse/parse.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/verify/verify.hpp>

#include "../ptxas.hpp"

using namespace tg::ptx;

namespace {

tg::dynamic_array<std::pair<std::string, std::string>> compiled_programs() {
  tg::dynamic_array<std::pair<std::string, std::string>> out;
  for (const auto& entry : std::filesystem::directory_iterator("tests/ptx/data")) {
    if (entry.path().extension() != ".ptx") continue;
    std::ifstream in(entry.path());
    out.emplace_back(entry.path().filename().string(), std::string(std::istreambuf_iterator<char>(in), {}));
  }
  return out;
}

const std::string head = ".version 7.0\n.target sm_80\n.address_size 64\n";

std::string kernel(const std::string& body) { return head + ".visible .entry k(.param .u64 in) {\n" + body + "\n}\n"; }

int number_of(const std::string& text) {
  try {
    parse(text);
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

}  // namespace

TEST_CASE("programs compiled by nvcc are read, verified, printed and read again") {
  const auto programs = compiled_programs();
  REQUIRE(programs.size() >= 9);
  for (const auto& program : programs) {
    const std::string &name = program.first, &text = program.second;
    CAPTURE(name);
    line_map lines;
    const module m = parse(text, lines);
    CHECK_NOTHROW(verify(m));
    const std::string printed = print(m);
    CHECK(parse(printed) == m);
    CHECK(print(parse(printed)) == printed);
    // Each instruction stands on the line that the map says.
    for (std::size_t f = 0; f < lines.size(); ++f) {
      REQUIRE(lines[f].size() == m.functions[f].body.size());
      for (std::size_t i = 0; i < lines[f].size(); i += 7) {
        std::size_t begin = 0;
        for (std::uint32_t n = 1; n < lines[f][i]; ++n) begin = text.find('\n', begin) + 1;
        const std::string line = text.substr(begin, text.find('\n', begin) - begin);
        const instruction& one = m.functions[f].body[i];
        if (one.op != opcode::label) CHECK(line.find(tg::ptx::name(one.op)) != std::string::npos);
      }
    }
  }
}

TEST_CASE("ptxas takes what was read and printed again") {
  if (!test::has_ptxas()) {
    MESSAGE("ptxas is not there: skipped");
    return;
  }
  for (const auto& program : compiled_programs()) {
    module m = parse(program.second);
    derive_requirements(m);
    for (const int sm : {75, 80, 89, 90, 100, 120}) {
      if (sm < m.sm) continue;
      const test::verdict v = test::ask_ptxas(print(m), "sm_" + std::to_string(sm));
      CHECK_MESSAGE(v.accepted, program.first, " for sm_", sm, "\n", v.log);
    }
  }
}

TEST_CASE("the C++ lines of a program compiled with -lineinfo are kept") {
  std::ifstream in("tests/ptx/data/reduction.ptx");
  const module m = parse(std::string(std::istreambuf_iterator<char>(in), {}));
  REQUIRE(m.functions.size() == 2);
  using file_lines = std::map<std::string, std::set<std::uint32_t>>;
  file_lines reduction, scan;
  for (const instruction& i : m.functions[0].body) reduction[m.files[i.where.file]].insert(i.where.line);
  for (const instruction& i : m.functions[1].body) scan[m.files[i.where.file]].insert(i.where.line);
  CHECK(reduction == file_lines{{"reduction.cu", {2, 5, 6, 7, 8, 9, 10, 11, 12, 14}},
                                {"sm_20_atomic_functions.hpp", {84}},
                                {"sm_30_intrinsics.hpp", {440, 441, 449, 450}}});
  CHECK(scan == file_lines{{"reduction.cu", {16, 17, 18, 19, 20, 21, 22, 23, 25, 26}}});
}

TEST_CASE("functions declared and defined in any order") {
  line_map lines;
  const module m = parse(head + ".func a(.param .b32 x);\n.extern .func e();\n.entry k() { call e; ret; }\n"
                                ".func b() { call a, (5); ret; }\n.func a(.param .b32 x) { ret; }\n",
                         lines);
  REQUIRE(m.functions.size() == 4);
  CHECK(m.functions[0].name == "e");
  CHECK(m.functions[1].name == "k");
  CHECK(m.functions[2].name == "b");
  CHECK(m.functions[3].name == "a");
  CHECK(m.functions[1].body[0][1] == operand::named(operand_kind::function, 0));
  CHECK(m.functions[2].body[0][1] == operand::named(operand_kind::function, 3));
  CHECK(lines[3] == tg::dynamic_array<std::uint32_t>{8});
  CHECK(parse(print(m)) == m);
}

TEST_CASE("only a function with a body has launch bounds and pragmas") {
  for (const std::string given : {".reqntid 128, 10", ".maxnreg 40", ".pragma \"nounroll\";"}) {
    CHECK_THROWS_WITH_AS(parse(head + ".visible .entry k()\n" + given + ";\n"), doctest::Contains("TG300"), tg::error);
    CHECK_NOTHROW(parse(head + ".visible .entry k()\n" + given + "\n{ ret; }\n"));
  }
  const module m = parse(head + ".extern .func f() .noreturn;\n.visible .entry k() { call f; }\n");
  CHECK(parse(print(m)) == m);
}

TEST_CASE("what the IR does not hold is left out") {
  const module m =
      parse(head + "@@DWARF .byte 0x01\n.file 1 \"a.cu\", 5, 6\n"
                   ".entry k(.param .u64 .ptr .global .align 16 in)\n.maxntid 32\n{\n"
                   ".loc 1 2 3, function_name $L_info, inlined_at 1 9 1\nret;\n}\n.section .debug_str { $L_info: .b8 65 }\n");
  REQUIRE(m.functions[0].body.size() == 1);
  CHECK(m.functions[0].body[0].where == location{1, 2});
  CHECK(m.functions[0].bounds.max_threads == tg::fixed_array<std::uint32_t, 3>{32, 1, 1});
}

TEST_CASE("hints to ptxas keep their places") {
  const std::string text = head + ".pragma \"all\";\n.entry k(.param .u64 in)\n.maxntid 32\n.pragma \"mine\", \"too\";\n"
                                  "{ .reg .pred p; a: .pragma \"nounroll\"; @p bra a; ret; .pragma \"last\"; }";
  const module m = parse(text);
  CHECK(m.pragmas == tg::dynamic_array<std::string>{"all"});
  const tg::dynamic_array<pragma> expected = {{no_index, "mine"}, {no_index, "too"}, {1, "nounroll"}, {3, "last"}};
  CHECK(m.functions[0].pragmas == expected);
  const module odd = parse(head + ".pragma \"a\\b\x01\";\n.entry k() { .pragma \"\xff\"; ret; }");
  CHECK(odd.pragmas == tg::dynamic_array<std::string>{"a_b_"});
  CHECK(odd.functions[0].pragmas == tg::dynamic_array<pragma>{{0, "_"}});
  CHECK(parse(print(m)) == m);
}

TEST_CASE("an alias is another name of a function, before and behind it") {
  const module m = parse(head + ".visible .func other(.param .b32 x);\n.extern .func far();\n"
                                ".func f(.param .b32 x) { ret; }\n.alias other, f;\n.entry k() { call other, (1); ret; }");
  const function* const other = m.find("other");
  REQUIRE(other->alias < m.functions.size());
  CHECK(m.functions[other->alias].name == "f");
  CHECK(other->is_visible);
  CHECK_FALSE(other->is_external);
  CHECK(parse(print(m)) == m);
  CHECK_NOTHROW(verify(m));
}

TEST_CASE("parameters in registers are read at the start and written before each return") {
  const module m = parse(head + ".func (.reg .u32 %out) f(.reg .u32 %in, .param .b32 p, .reg .f64 d) {\n"
                                ".reg .pred q; setp.eq.u32 q, %in, 1; mov.u32 %out, %in; @q ret; add.u32 %out, %out, 1; }");
  const function& f = m.functions[0];
  std::string ops;
  for (const instruction& i : f.body) ops += std::string(tg::ptx::name(i.op)) + " ";
  CHECK(ops == "ld ld setp mov st ret add st ");
  CHECK(f.params[0].name == "_in");
  CHECK(f.results[0].space == token::none);
  CHECK(parse(print(m)) == m);
  CHECK_NOTHROW(verify(m));
  CHECK(parse(head + ".func (.reg .u32 %out) f(.reg .u32 %in);").functions[0].params[0].name == "_in");
}

TEST_CASE("banks of constants are one space") {
  const std::string old = ".version 2.1\n.target sm_20\n";  // the last version that has them
  const module m = parse(old + ".const[2] .b32 a; .extern .const[3] .b32 b[];\n"
                               ".entry k() { .reg .b32 r; ld.const[2].b32 r, [a]; ret; }");
  CHECK(m.variables[0].space == token::const_);
  CHECK(m.functions[0].body[0].tokens().size() == 2);
  CHECK(number_of(old + ".const[11] .b32 a;") == 304);
}

TEST_CASE("a call by address may name a variable with the functions it reaches") {
  const module m = parse(head + ".func f() { ret; }\n.global .u64 all[1] = {f};\n"
                                ".entry k() { .reg .b64 d; ld.global.u64 d, [all]; call d, all; ret; }");
  CHECK(m.find("k")->body[1][3].is(operand_kind::variable));
  CHECK(parse(print(m)) == m);
  CHECK_NOTHROW(verify(m));
  CHECK(number_of(head + ".entry k() { .reg .b64 d; call d, nothing; ret; }") == 302);
}

TEST_CASE("each error of the parser is provoked, and its clean twin is not") {
  const struct {
    int number;
    std::string wrong, right;
  } cases[] = {
      {300, kernel("ret"), kernel("ret;")},
      {300, head + ".entry k() { ret; ", head + ".entry k() { ret; }"},
      {300, "ret;", head},
      {300, head + "stray", head},
      {300, kernel("/* \x01 */ \x01 ret;"), kernel("/* \x01 */ ret;")},
      {300, kernel(".reg .b32 r; mov.b32 r, ;"), kernel(".reg .b32 r; mov.b32 r, 1;")},
      {301, kernel("retire;"), kernel("ret;")},
      {301, kernel(".reg .pred p; assume p;"), kernel(".reg .pred p; //tg:assume p;\n")},
      {301, kernel(".reg .pred p; //tg:@!p\nassume p;"), kernel(".reg .pred p; //tg:@!p assume p;\n")},
      {301, kernel("//tg:ret;\n"), kernel("ret;")},
      {300, kernel(".reg .pred p; @p //tg:assume p;\n"), kernel(".reg .pred p; //tg:@p assume p;\n")},
      {300, kernel(".reg .pred p; //tg:assume\np;"), kernel(".reg .pred p; //tg:assume p;\n")},
      {301, kernel(".reg .f32 f; add.f33 f, f, f;"), kernel(".reg .f32 f; add.f32 f, f, f;")},
      {301, kernel(".reg .b33 r;"), kernel(".reg .b32 r;")},
      {302, kernel("mov.b32 %r1, 0;"), kernel(".reg .b32 %r<2>; mov.b32 %r1, 0;")},
      {302, kernel(".reg .b32 %r<2>; mov.b32 %r2, 0;"), kernel(".reg .b32 %r<3>; mov.b32 %r2, 0;")},
      {302, kernel("bra there;"), kernel("bra there; there: ret;")},
      {302, kernel("{ there: ret; } bra there;"), kernel("there: { bra there; }")},
      {302, head + ".global .u64 p = q;", head + ".global .u32 q; .global .u64 p = q;"},
      {303, kernel(".reg .b32 a; .reg .b32 a;"), kernel(".reg .b32 a; { .reg .b32 a; }")},
      {303, kernel("a: ret; a: ret;"), kernel("a: ret; { a: ret; }")},
      {303, head + ".entry k() { ret; } .entry k() { ret; }", head + ".entry k() { ret; } .entry l() { ret; }"},
      {312, kernel(".reg .b32 r; @r ret;"), kernel(".reg .pred r; @r ret;")},
      {304, kernel(".reg .b32 r; mov.b32 r, 0f3F8;"), kernel(".reg .b32 r; mov.b32 r, 0f3F800000;")},
      {304, kernel(".reg .b64 r; mov.b64 r, 18446744073709551616;"), kernel(".reg .b64 r; mov.b64 r, 18446744073709551615;")},
      {304, kernel(".reg .b32 r; mov.b32 r, 1/0;"), kernel(".reg .b32 r; mov.b32 r, 1/1;")},
      {304, head + ".global .b32 a[2] = {1, 2, 3};", head + ".global .b32 a[3] = {1, 2, 3};"},
      {304, head + ".global .align 3 .b32 a;", head + ".global .align 4 .b32 a;"},
      {305, ".version 7.0\n.target sm_80\n.address_size 32\n", ".version 7.0\n.target sm_80\n.address_size 64\n"},
      {305, head + ".func f(.reg .pred a) { ret; }", head + ".func f(.reg .b32 a) { ret; }"},
      {305, kernel(".reg .b32 r; mov.b32 r.q7, 1;"), kernel(".reg .b32 r; mov.b32 r, 1;")},
      {302, head + ".func f(); .alias f, g;", head + ".func f(); .func g() { ret; } .alias f, g;"},
      {303, head + ".func f() { ret; } .func g() { ret; } .alias f, g;", head + ".func f(); .func g() { ret; } .alias f, g;"},
      {302, head + ".func f(); .func g(); .alias f, g;", head + ".func f(); .func g() { ret; } .alias f, g;"},
      {300, kernel(".reg .b32 r; mov.b32 r, !r;"), kernel(".reg .pred r; setp.eq.u32 r, 1, 2; @!r ret;")},
      {300, kernel(".pragma nounroll;"), kernel(".pragma \"nounroll\", \"more\";")},
      {306, kernel(std::string(300, '{') + std::string(300, '}')), kernel(std::string(150, '{') + std::string(150, '}'))},
      {306, kernel(".reg .b32 r; mov.b32 r, " + std::string(100, '(') + "1" + std::string(100, ')') + ";"),
       kernel(".reg .b32 r; mov.b32 r, " + std::string(30, '(') + "1" + std::string(30, ')') + ";")},
      {306, head + ".global .b8 a[2][1099511627776];", head + ".global .b8 a[2][1024];"},
      {306, kernel(".reg .b32 r; add.s32 r, r, r, r, r, r, r, r, r;"), kernel(".reg .b32 r; add.s32 r, r, r;")},
      {316, kernel(".reg .f32 f<5>; tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [t, {f4,f4}];"), kernel(".reg .f32 f<5>;")},
      {316, head + ".global .texref t;", head},
  };
  for (const auto& c : cases) {
    CAPTURE(c.wrong);
    CHECK(number_of(c.wrong) == c.number);
    CHECK(number_of(c.right) == 0);
  }
}

TEST_CASE("an error shows line, column and text") {
  CHECK_THROWS_WITH_AS(parse(kernel(".reg .b32 %r<2>;\n  mov.b32 %r1, %q;")),
                       "TG302: register '%q' is not declared, column 16 of '  mov.b32 %r1, %q;' (ptx:6)", tg::error);
}

TEST_CASE("no mutation of a program brings the parser down") {
  std::mt19937 random(20240607);
  const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  static constexpr std::string_view spice[] = {"{",      "}",   "(", ")",  "[",  "]",   "<",  ">", ",",           ";",
                                               ":",      ".",   "@", "!",  "|",  "%r1", "0x", "-", "99999999999", ".reg",
                                               ".param", ".b8", "=", "\"", "/*", "//",  "_",  "\n"};
  int read = 0, refused = 0;
  for (const auto& [name, text] : compiled_programs()) {
    const std::string part = text.substr(0, 6000);
    for (int round = 0; round < 300; ++round) {
      std::string mutant = round % 2 == 0 ? text : part;
      for (std::size_t n = 1 + pick(2); n > 0 && !mutant.empty(); --n) {
        const std::size_t at = pick(mutant.size());
        switch (pick(12)) {
          case 0: mutant[at] = static_cast<char>(pick(256)); break;
          case 1:
          case 2: mutant.erase(at, 1 + pick(12)); break;
          case 3:
          case 4:
          case 5: mutant.insert(at, spice[pick(std::size(spice))]); break;
          case 6: mutant.resize(at); break;
          case 7: mutant.insert(at, mutant.substr(pick(mutant.size()), pick(80))); break;
          default: mutant[at] = mutant[pick(mutant.size())]; break;
        }
      }
      try {
        const module m = parse(mutant);
        ++read;
        verify(m);
        CHECK(parse(print(m)) == m);
      } catch (const tg::error& e) {
        CHECK(e.number() >= 300);
        CHECK(e.number() < 350);
        ++refused;
      }
    }
  }
  CHECK(read > 50);
  CHECK(refused > 500);
}
