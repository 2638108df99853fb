#include <tg/dsl/cost/performance_gate.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include <tg/dsl/cost/cost.hpp>

#include "../../base/comma_locale.hpp"
#include "../transposing.hpp"

namespace {

struct scratch {
  std::string path = (std::filesystem::temp_directory_path() / ("tg_costs_" + std::to_string(getpid()) + ".json")).string();
  ~scratch() { std::filesystem::remove(path); }
};

tg::performance_gate stored() {
  scratch file;
  tg::performance_gate out;
  out.keep(tg::cost(transposing::sound));
  out.save(file.path);
  return tg::performance_gate::load(file.path);
}

std::string worst(const tg::kernel_cost& now) {
  const auto found = stored().check(now);
  return found.empty() ? "" : found.front().text();
}

int number_of(const auto& act) {
  try {
    act();
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

}  // namespace

TEST_CASE("the sound kernel passes its gate, in launches of any size") {
  CHECK(stored().check(tg::cost(transposing::sound)).empty());
  CHECK(stored().check(tg::cost(transposing::sound, 9)).empty());
}

TEST_CASE("a regression names the figure, by how much and where") {
  CHECK(worst(tg::cost(transposing::without_swizzle)) ==
        "transposing: wavefronts 64 -> 1056 (+1550.0 %) at transposing.hpp:25");
  CHECK(worst(tg::cost(transposing::added_barrier)) == "transposing: barriers 1 -> 2 (+100.0 %) at transposing.hpp:22");
  const auto found = stored().check(tg::cost(transposing::doubled_loads, 2));
  const auto sectors = std::find_if(found.begin(), found.end(), [](const auto& r) { return r.figure == "sectors_best"; });
  REQUIRE(sectors != found.end());
  CHECK(sectors->percent() == doctest::Approx(50));
  CHECK(sectors->where.line == 19);
}

TEST_CASE("what lies within the tolerance, or is less, is no regression") {
  tg::kernel_cost now = tg::cost(transposing::sound);
  tg::performance_gate gate = stored();
  now.instructions += now.instructions / 25;  // 4 %
  CHECK(gate.check(now).empty());
  now.instructions += now.instructions / 25;
  REQUIRE(gate.check(now).size() == 1);
  CHECK(gate.check(now)[0].figure == "instructions");
  now = tg::cost(transposing::sound);
  now.sectors /= 2;
  CHECK(gate.check(now).empty());
  tg::performance_gate strict(0);
  strict.keep(tg::cost(transposing::sound));
  now = tg::cost(transposing::sound);
  now.live_registers += 1;
  CHECK(strict.check(now).size() == 1);
}

TEST_CASE("costs that are not there are an error") {
  scratch file;
  CHECK(number_of([&] { tg::performance_gate::load(file.path); }) == 172);
  std::ofstream(file.path) << "{\"k\": 1}";
  CHECK(number_of([&] { tg::performance_gate::load(file.path); }) == 172);
  CHECK(number_of([] { tg::performance_gate().save("/no/such/folder/costs.json"); }) == 172);
  CHECK(number_of([] { stored().check(tg::kernel_cost{}); }) == 173);
}

TEST_CASE("a regression is read and written with a point where the locale has a comma") {
  const comma_locale here;
  CHECK(worst(tg::cost(transposing::added_barrier)) == "transposing: barriers 1 -> 2 (+100.0 %) at transposing.hpp:22");
}
