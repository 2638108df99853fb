#include <kernels/reference/attention_decode.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

namespace {

struct options {
  unsigned window = 0;
  bool alibi = false, tree = false;
};

constexpr double nothing = -std::numeric_limits<double>::infinity();

/// What three keys with scores 0 and values 1, 2 and 4 become.
struct attended {
  std::vector<double> o, log_sums, bounds;

  attended(const options& of, const decode_shape& n, unsigned length, const attention_errors& off = {}, key_range range = {}) {
    const double v[] = {1, 2, 4}, tree[2][2] = {{0, nothing}, {nothing, 1}};
    attend_decoding(
        off, of, n, 1, 0, length, [](unsigned, unsigned) { return 0.0; }, [](unsigned, unsigned) { return 1.0; },
        [&](unsigned j, unsigned) { return v[j]; }, [](unsigned head) { return (head + 1) * std::log(2.0); },
        [&](unsigned i, unsigned j) { return tree[i][j]; },
        [&](unsigned, unsigned, double wanted, double bound) { o.push_back(wanted), bounds.push_back(bound); },
        [&](unsigned, double wanted, double) { log_sums.push_back(wanted); }, range);
  }
};

}  // namespace

TEST_CASE("a token sees the keys up to its own, or the last of them") {
  const attended two({}, {1, 2, 1}, 3);
  CHECK(two.o[0] == doctest::Approx(1.5));
  CHECK(two.o[1] == doctest::Approx(7.0 / 3));
  CHECK(two.log_sums[1] == doctest::Approx(std::log(3.0)));
  CHECK(attended({.window = 2}, {1, 1, 1}, 3).o[0] == doctest::Approx(3));
  const attended fewer({}, {1, 2, 1}, 1);  // the first token has no key of its own
  CHECK(fewer.o[0] == 0);
  CHECK(fewer.log_sums[0] == nothing);
  CHECK(fewer.o[1] == 1);
  CHECK(attended({}, {1, 1, 1}, 0).o[0] == 0);
}
TEST_CASE("slopes halve a weight for each key further away, a tree says what the last keys weigh") {
  const attended two_heads({.alibi = true}, {1, 1, 2}, 3);
  CHECK(two_heads.o[0] == doctest::Approx((0.25 * 1 + 0.5 * 2 + 4) / 1.75));
  CHECK(two_heads.o[1] == doctest::Approx((0.0625 * 1 + 0.25 * 2 + 4) / 1.3125));
  const attended tree({.tree = true}, {1, 2, 1}, 3);
  CHECK(tree.o[0] == doctest::Approx(1.5));
  CHECK(tree.o[1] == doctest::Approx((1 + std::exp(1.0) * 4) / (1 + std::exp(1.0))));
}
TEST_CASE("parts of the keys are whole steps, and errors are relative to terms") {
  CHECK(range_of_part(1, 3, 65, 16).begin == 32);
  CHECK(range_of_part(1, 3, 65, 16).end == 64);
  CHECK(range_of_part(6, 7, 20, 16).begin >= 20);
  CHECK(attended({}, {1, 1, 1}, 3, {}, {1, 3}).o[0] == doctest::Approx(3));
  CHECK(attended({}, {1, 1, 1}, 3, {}, {3, 6}).log_sums[0] == nothing);
  CHECK(attended({}, {1, 1, 1}, 3, {.weight = 0.25, .result = 0.5}).bounds[0] ==
        doctest::Approx(0.75 * 7 / 3 + 7e-5 / 3 + 1e-6));
}
