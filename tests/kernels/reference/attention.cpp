#include <kernels/reference/attention.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

namespace {

struct mask {
  bool causal = false;
  unsigned window = 0;
};

}  // namespace

TEST_CASE("which keys a query sees") {
  for (const unsigned j : {0u, 1u, 2u, 3u}) {
    CHECK(is_seen(mask{}, 0, 2, j, 4));
    CHECK(is_seen(mask{true}, 1, 2, j, 4));
    CHECK(is_seen(mask{true}, 0, 2, j, 4) == (j < 3));
    CHECK(is_seen(mask{true, 2}, 0, 2, j, 4) == (j == 1 || j == 2));
    CHECK(!is_seen(mask{true}, 0, 5, j, 4));  // before all keys
  }
}

TEST_CASE("attention of two keys, one of which weighs three times as much") {
  const double k[] = {0, std::log(3.0)}, v[] = {4, 8};
  std::vector<double> o, log_sums, bounds;
  const auto run = [&](const mask& m, unsigned queries, const attention_errors& off) {
    o.clear(), log_sums.clear(), bounds.clear();
    attend(
        off, m, {queries, 2}, 1, 0, 0, [](unsigned, unsigned) { return 1.0; }, [&](unsigned r, unsigned) { return k[r]; },
        [&](unsigned r, unsigned) { return v[r]; },
        [&](unsigned, unsigned, double wanted, double bound) { o.push_back(wanted), bounds.push_back(bound); },
        [&](unsigned, unsigned, double wanted, double) { log_sums.push_back(wanted); });
  };
  run({}, 1, {});
  CHECK(o[0] == doctest::Approx(7));
  CHECK(log_sums[0] == doctest::Approx(std::log(4.0)));
  CHECK(bounds[0] == doctest::Approx(7e-5 + 1e-6));
  run({}, 1, {.weight = 0.25, .result = 0.5});
  CHECK(bounds[0] == doctest::Approx(0.75 * 7 + 7e-5 + 1e-6));
  run({true}, 3, {});  // the first query sees nothing, the second one key
  CHECK(o[0] == 0);
  CHECK(std::isinf(log_sums[0]));
  CHECK(o[1] == 4);
  CHECK(o[2] == doctest::Approx(7));
}
