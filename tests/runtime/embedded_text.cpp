#include <tg/runtime/embedded_text.hpp>

#include <doctest/doctest.h>

#include <string>

using tg::to_literal;

TEST_CASE("bytes become a literal of the same bytes") {
  CHECK(to_literal("") == "\"\"");
  CHECK(to_literal("a\"b\\c") == "\"a\\\"b\\\\c\"");
  CHECK(to_literal(std::string("\0001\xff", 3)) == "\"\\0001\\377\"");
  CHECK(to_literal("a\nb\n") == "\"a\\n\"\n    \"b\\n\"");
  const std::string all = to_literal(std::string(1000, 'x'));
  for (std::size_t at = 0; at < all.size();) {
    const auto end = std::min(all.find('\n', at), all.size());
    CHECK(end - at <= 120);
    at = end + 1;
  }
}

TEST_CASE("a header brings what its signatures name") {
  const auto header = [](const char* parameters) {
    return tg::to_header("app", {{"k", {"k", {32, 1, 1}, parameters, {"text", {7, 8}, 90, 0, 'a', {}}}}});
  };
  CHECK(header("tg::scalar<tg::bf16x2, tg::multiple_of<1>>").find("#include <tg/dsl/packed.hpp>\n\nnamespace app") != std::string::npos);
  CHECK(header("tg::view<float, tg::mode::read>").find("#include <tg/runtime.hpp>\n\nnamespace app") != std::string::npos);
}

TEST_CASE("machine code stands beside the text") {
  const tg::kernel_package p{"k", {32, 1, 1}, "", {"text", {7, 8}, 90, 0, 'a', {{90, std::string("\0\1", 2)}}}};
  const std::string source = tg::to_source("app", {{"k", p}});
  CHECK(source.find("std::string(\"text\",\n    4)") != std::string::npos);
  CHECK(source.find("{7, 8}, 90, 0, 97, {") != std::string::npos);
  CHECK(source.find("{90, std::string(\"\\000\\001\",\n    2)},") != std::string::npos);
}
