#include <tg/emulator/counters/counters_json.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "../../base/comma_locale.hpp"
#include "../runner.hpp"

TEST_CASE("counters as JSON hold totals, lines and the instructions that ran") {
  runner::bench b(
      runner::kernel_text("ld.global.f32 %f1, [%rd0]; add.f32 %f1, %f1, %f1; bra end; mul.f32 %f1, %f1, %f1; end:"));
  runner::counters all;
  b.run({{1}, {32}}, {b.upload(std::vector<float>(1))}, {}, &all);
  const auto read = nlohmann::json::parse(tg::emulator::to_json(all));
  CHECK(read["flops"] == nlohmann::json{{"f16", 0}, {"f32", 32}, {"f64", 0}});
  CHECK(read["arithmetic_intensity"] == 1.0);
  CHECK(read["spaces"]["global"] == nlohmann::json{{"requests", 1}, {"bytes", 128}, {"sectors", 1}, {"wavefronts", 0}});
  CHECK(std::ranges::any_of(read["lines"],
                            [](const auto& l) { return l["function"] == "k" && l["sectors_per_request"] == 1.0; }));
  std::set<std::string> opcodes;
  for (const auto& instruction : read["instructions"]) opcodes.insert(instruction["opcode"]);
  CHECK(opcodes.contains("add"));
  CHECK_FALSE(opcodes.contains("mul"));  // it did not run
}

TEST_CASE("a copy says what it writes beside what it reads") {
  runner::bench b(runner::kernel_text(
      ".shared .align 16 .b8 s[16]; mov.u32 %r2, s; cp.async.cg.shared.global [%r2], [%rd0], 16, 4; cp.async.wait_all;"));
  runner::counters all;
  b.run({{1}, {32}}, {b.upload(std::vector<float>(4))}, {}, &all);
  const auto read = nlohmann::json::parse(tg::emulator::to_json(all));
  const auto copy = std::ranges::find_if(read["instructions"], [](const auto& i) { return i.contains("copied_bytes"); });
  REQUIRE(copy != read["instructions"].end());
  CHECK((*copy)["copied_bytes"] == 512);
  CHECK(read["spaces"]["shared"] == nlohmann::json{{"requests", 1}, {"bytes", 512}, {"sectors", 0}, {"wavefronts", 4}});
}

TEST_CASE("the counters of several kernels are a list") {
  std::vector<tg::emulator::kernel_counters> kernels(2);
  kernels[0].name = "a \"quoted\" name";
  kernels[1].name = "not \xff UTF-8", kernels[1].launches = 3;
  const auto read = nlohmann::json::parse(tg::emulator::to_json(kernels));
  REQUIRE(read.size() == 2);
  CHECK(read[0]["kernel"] == kernels[0].name);
  CHECK(read[1]["launches"] == 3);
  CHECK(read[1]["counters"]["instructions"].empty());
}

TEST_CASE("counters as JSON have points where the locale has commas") {
  tg::emulator::counters all;
  const std::string plain = tg::emulator::to_json(all);
  const comma_locale here;
  CHECK(tg::emulator::to_json(all) == plain);
  CHECK(runner::has(plain, "\"arithmetic_intensity\": 0.0"));
}
