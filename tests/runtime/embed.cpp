#include <tg/runtime/embed.hpp>

#include <doctest/doctest.h>

#include <string>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::error_of;

TEST_CASE("kernels are written as a header and a source") {
  const temporary_folder folder;
  const tg::kernel_package p{"k", {32, 2, 1}, "tg::in<float>", {".version 7.0\n", {7, 0}, 70}};
  tg::embed(folder / "made", "app", {{"first", p}, {"second", p}});
  const std::string header = bytes_of(folder / "made/app.hpp"), source = bytes_of(folder / "made/app.cpp");
  CHECK(header.find("namespace app {") != std::string::npos);
  CHECK(header.find("tg::block_t<32, 2, 1>") != std::string::npos);
  CHECK(header.find("using parameters = tg::parameter_list<tg::in<float>>;") != std::string::npos);
  CHECK(header.find("inline constexpr second_kernel second{};") != std::string::npos);
  CHECK(source.find("source_of(const first_kernel&) {") != std::string::npos);
  CHECK(source.find("\".version 7.0\\n\"") != std::string::npos);
  write_bytes(folder / "file", "");
  CHECK(error_of([&] { tg::embed(folder / "file", "app", {}); }).number == 552);
}

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
  CHECK(header("tg::scalar<tg::bf16x2, tg::multiple_of<1>>").find("#include <tg/dsl/vector/packed.hpp>\n\nnamespace app") !=
        std::string::npos);
  CHECK(header("tg::view<float, tg::mode::read>").find("#include <tg/runtime.hpp>\n\nnamespace app") != std::string::npos);
}

TEST_CASE("machine code stands beside the text") {
  const tg::kernel_package p{"k", {32, 1, 1}, "", {"text", {7, 8}, 90, 0, 'a', {{90, std::string("\0\1", 2)}}}};
  const std::string source = tg::to_source("app", {{"k", p}});
  CHECK(source.find("std::string(\"text\",\n    4)") != std::string::npos);
  CHECK(source.find("{7, 8}, 90, 0, 97, {") != std::string::npos);
  CHECK(source.find("{90, std::string(\"\\000\\001\",\n    2)},") != std::string::npos);
}
