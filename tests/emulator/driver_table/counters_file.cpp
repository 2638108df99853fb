#include <tg/emulator/driver_table/counters_file.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include <nlohmann/json.hpp>

#include "../runner.hpp"

namespace {

std::string contents(const std::string& path) {
  std::ifstream in(path);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

tg::emulator::counters some() {
  tg::emulator::counters all;
  all.instructions.resize(1);
  all.instructions[0].function = "k";
  all.instructions[0].executions = all.warp_instructions = 3;
  return all;
}

}  // namespace

TEST_CASE("launches of a kernel are added up in the file of counters") {
  for (const char* const path : {"counters_file_test.txt", "counters_file_test.json"}) {
    tg::emulator::entry::counters_file file;
    CHECK_FALSE(file.is_on());
    file.write_to(path);
    CHECK(file.is_on());
    file.add("k", some());
    file.add("k", some());
    file.add("other", some());
    CHECK(file.write());
    const std::string text = contents(path);
    const bool is_json = std::string(path).ends_with(".json");
    if (is_json) {
      const auto read = nlohmann::json::parse(text);
      REQUIRE(read.size() == 2);
      CHECK(read[0]["kernel"] == "k");
      CHECK(read[0]["launches"] == 2);
      CHECK(read[0]["counters"]["warp_instructions"] == 6);
      CHECK(read[1]["kernel"] == "other");
    } else {
      CHECK(runner::has(text, "kernel 'k', 2 launches"));
      CHECK(runner::has(text, "6 warp instructions"));
      CHECK(runner::has(text, "other"));
    }
    std::remove(path);
  }
}

TEST_CASE("a file of counters that cannot be written is refused") {
  tg::emulator::entry::counters_file file;
  CHECK(runner::has(runner::failure([&] { file.write_to("no/such/folder/counters.txt"); }), "TG480"));
}
