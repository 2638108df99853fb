#include <tg/ptx/optimize.hpp>

#include <doctest/doctest.h>

#include <array>
#include <string>
#include <vector>

#include "passes/machine.hpp"
#include "passes/random_program.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::random_program;

using stores = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

std::array<stores, 32> run(const function& f) {
  std::array<stores, 32> out;
  for (std::uint64_t lane = 0; lane < 32; ++lane) {
    machine one{f, lane, {0x10000000, 0x20000000, 12345}};
    one.run();
    out[lane] = std::move(one.stores);
  }
  return out;
}

using pass = void (*)(function&);
struct named_pass {
  const char* name;
  pass apply;
};

constexpr named_pass passes[] = {
    {"forward_copies", forward_copies}, {"fold_constants", fold_constants},     {"reduce_strength", reduce_strength},
    {"merge_common", merge_common},     {"fold_offsets", fold_offsets},         {"remove_dead", remove_dead},
    {"contract", contract},             {"hoist_invariants", hoist_invariants}, {"coalesce_copies", coalesce_copies},
    {"predicate_branches", predicate_branches}, {"flatten", flatten},
};

}  // namespace

TEST_CASE("a random program stores the same after all passes") {
  std::size_t before = 0, after = 0;
  for (unsigned seed = 1; seed <= 400; ++seed) {
    CAPTURE(seed);
    module m = random_program(seed).make(12);
    const auto expected = run(m.functions[0]);
    before += m.functions[0].body.size();
    optimize(m);
    after += m.functions[0].body.size();
    CHECK(run(m.functions[0]) == expected);
  }
  CHECK(after < before);
}

TEST_CASE("a random program stores the same after each pass alone") {
  for (const named_pass& one : passes) {
    for (unsigned seed = 1000; seed < 1060; ++seed) {
      CAPTURE(one.name);
      CAPTURE(seed);
      module m = random_program(seed).make(10);
      const auto expected = run(m.functions[0]);
      one.apply(m.functions[0]);
      CHECK(run(m.functions[0]) == expected);
    }
  }
}
