#include <tg/emulator/launch/json.hpp>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <vector>

using namespace tg::emulator::check;

TEST_CASE("findings become JSON that others read") {
  finding f;
  f.kind = checker::init;
  f.code = tg::code{413};
  f.what = "Uninitialized __global__ memory read of size 4 bytes";
  f.detail = "a \"quoted\"\n\\ and \x01";
  f.kernel = "k";
  f.at = {"ld.global.f32", 12, "src/blur.cu", 31, true, {1, 2, 3}, {4, 5, 6}};
  f.has_address = true;
  f.address = 0x1000;
  f.bytes = 4;
  f.count = 3;
  finding g = f;
  g.other = site{"st.global.f32", 2, "", 0, false, {}, {}};
  const nlohmann::json read = nlohmann::json::parse(to_json(std::vector<finding>{f, g}));
  REQUIRE(read.size() == 2);
  CHECK(read[0]["checker"] == "init");
  CHECK(read[0]["code"] == "TG413");
  CHECK(read[0]["what"] == f.what);
  CHECK(read[0]["detail"] == f.detail);
  CHECK(read[0]["address"] == "0x1000");
  CHECK(read[0]["bytes"] == 4);
  CHECK(read[0]["count"] == 3);
  CHECK(read[0]["at"]["thread"] == std::vector<int>{1, 2, 3});
  CHECK(read[0]["at"]["block"] == std::vector<int>{4, 5, 6});
  CHECK(read[0]["at"]["line"] == 31);
  CHECK_FALSE(read[0].contains("other"));
  CHECK(read[1]["other"]["instruction"] == "st.global.f32");
  CHECK(nlohmann::json::parse(to_json(std::vector<finding>{})).empty());
}
