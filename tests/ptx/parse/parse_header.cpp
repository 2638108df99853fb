#include <tg/ptx/parse/parse_header.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/base/error.hpp>
#include <tg/ptx/parse/parse.hpp>

using namespace tg::ptx;

namespace {

module header_of(std::string_view text){detail::lexer in(text);
module m;
detail::header_parser(in, m)();
return m;
}  // namespace

}  // namespace

TEST_CASE("headers from ISA 1.4 on") {
  for (const char* version : {"1.4", "2.3", "3.2", "4.3", "6.5", "7.8", "8.10", "9.0"}) {
    const module m =
        parse(std::string(".version ") + version + "\n.target sm_20, texmode_independent, debug\n.entry k() { exit; }");
    CHECK(std::to_string(m.version.major) + "." + std::to_string(m.version.minor) == version);
    CHECK(m.sm == 20);
  }
  CHECK(parse(".version 8.0\n.target sm_90a\n").target_suffix == "a");
}

TEST_CASE("a version and a target are read, and what follows the architecture is not kept") {
  const module m = header_of(".version 8.3\n.target sm_90a, debug, texmode_unified\n.address_size 64\n.visible");
  CHECK(m.version == isa_version{8, 3});
  CHECK(m.sm == 90);
  CHECK(m.target_suffix == "a");
  CHECK(header_of(".version 7.0 .target compute_75 .func").sm == 75);
}

TEST_CASE("a header that is none is refused") {
  for (const char* text : {".target sm_80", ".version 8 .target sm_80", ".version 8.0", ".version 8.0 .target gpu",
                           ".version 8.0 .target sm_80x", ".version 8.0 .target sm_80 .address_size 32"})
    CHECK_THROWS_AS_MESSAGE(header_of(text), tg::error, text);
}
