// Random kernels from fixed seeds, and a wrong kernel that the comparison must find.
#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "compare.hpp"
#include "generate.hpp"

namespace {

fuzz::program random_kernel(unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(40 + random() % 400);
  for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random());
  return fuzz::generator(bytes)();
}

}  // namespace

TEST_CASE("random kernels compute on the emulator what they compute on the host") {
  for (unsigned seed = 1; seed <= 400; ++seed) {
    const fuzz::program p = random_kernel(seed);
    const std::string text = fuzz::printer()(p);
    tg::emulator::options how;
    how.seed = seed % 3;
    if (seed % 8 == 0) how.check = tg::emulator::check::checkers::all();
    const std::string complaint = fuzz::complaint_about(p, text, how);
    CHECK_MESSAGE(complaint == "", "seed ", seed, "\n", text);
  }
}

TEST_CASE("a kernel that computes something else is found") {
  const std::vector<std::uint8_t> none;
  fuzz::program p = fuzz::generator(none)();
  fuzz::statement add;
  for (const fuzz::operation& o : fuzz::operations)
    if (std::string(o.text) == "add.s32") add.op = &o;
  add.result = {'r', 0, 0};
  add.sources = {fuzz::value{'r', 1, 0}, fuzz::value{0, 0, 1}, {}, {}};
  p.body = {add};
  std::string text = fuzz::printer()(p);
  CHECK(fuzz::complaint_about(p, text) == "");
  text.replace(text.find("add.s32 %r0"), 7, "sub.s32");
  CHECK(fuzz::complaint_about(p, text).find("%r0 is ") != std::string::npos);
}
