#include <tg/emulator/launch/environment.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <utility>

#include "../runner.hpp"

namespace {

using setting = std::pair<const char*, const char*>;

/// Reads an environment with some variables set. Returns: the error, or an empty text.
std::string read_with(std::initializer_list<setting> set, tg::emulator::options& how, std::string& path) {
  for (const auto& [name, value] : set) ::setenv(name, value, 1);
  const std::string out = runner::failure([&] { tg::emulator::check::read_environment(how, path); });
  for (const auto& [name, value] : set) ::unsetenv(name);
  return out;
}

}  // namespace

TEST_CASE("the environment chooses checkers, seed, threads and report") {
  tg::emulator::options how;
  std::string path;
  CHECK_EQ(read_with({{"TG_EMULATOR_CHECK", "race,memory"},
                      {"TG_EMULATOR_SEED", "17"},
                      {"TG_EMULATOR_THREADS", "3"},
                      {"TG_EMULATOR_CACHE_BYTES", "4096"},
                      {"TG_EMULATOR_REPORT", "found.json"}},
                     how, path),
           "");
  CHECK(how.check.race);
  CHECK_FALSE(how.check.init);
  CHECK(how.seed == 17);
  CHECK(how.threads == 3);
  CHECK(how.cache_bytes == 4096);
  CHECK(path == "found.json");
  CHECK_EQ(read_with({}, how, path), "");
  CHECK(how.seed == 17);
}

TEST_CASE("values that mean nothing are refused by name") {
  tg::emulator::options how;
  std::string path;
  for (const setting& wrong : {setting{"TG_EMULATOR_CHECK", "races"}, setting{"TG_EMULATOR_SEED", "-1"},
                               setting{"TG_EMULATOR_SEED", "1x"}, setting{"TG_EMULATOR_THREADS", "99999999999999"}}) {
    const std::string text = read_with({wrong}, how, path);
    CAPTURE(text);
    CHECK(runner::has(text, "TG443"));
    CHECK(runner::has(text, wrong.first));
    CHECK(runner::has(text, wrong.second));
  }
  const auto of_devices = [](const char* given) {
    setenv("TG_TEST_NUMBER", given, 1);
    int devices = 1;
    try {
      tg::emulator::check::detail::read_number("TG_TEST_NUMBER", devices, 1, 9);
    } catch (const tg::error& e) { return std::string(e.what()); }
    return std::to_string(devices);
  };
  CHECK(of_devices("9") == "9");
  CHECK(runner::has(of_devices("50"), "give a number from 1 to 9"));
  CHECK(runner::has(of_devices("0"), "TG443"));
}
