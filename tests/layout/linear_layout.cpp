#include <tg/layout/linear_layout.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>

#include "../random_seed.hpp"

namespace {

using tg::linear_layout;
using word = linear_layout::word;

/// The sums of a 16 x 8 product, as the header draws them.
constexpr linear_layout sums{7, 7, {1, 8 << 3, 2, 4, 1 << 3, 2 << 3, 4 << 3}};

template <linear_layout L> struct named { static constexpr linear_layout value = L; };

linear_layout make_random(std::mt19937& random, int inputs, int outputs) {
  linear_layout out{inputs, outputs};
  // Few different bits, so that ranks are often less than full.
  const word few = random() % 3 == 0 ? static_cast<word>(random()) : ~word{0};
  for (int b = 0; b < inputs; ++b) out.bases[b] = static_cast<word>(random()) & few & tg::bit_mask(0, outputs);
  return out;
}

linear_layout make_random_invertible(std::mt19937& random, int bits) {
  for (;;)
    if (const linear_layout f = make_random(random, bits, bits); f.is_invertible()) return f;
}

std::set<word> all_outputs(const linear_layout& f) {
  std::set<word> out;
  for (word x = 0; x < word{1} << f.inputs; ++x) out.insert(f(x));
  return out;
}

/// Whether g is what `inverse` promises of f.
bool undoes(const linear_layout& g, const linear_layout& f) {
  for (word x = 0; x < word{1} << f.inputs; ++x)
    if (f(g(f(x))) != f(x)) return false;
  return true;
}

}  // namespace

static_assert(sums.is_invertible() && sums(0b00001'10) == (8 << 3 | 2));
static_assert(sums.inverse().compose(sums) == linear_layout::identity(7));
static_assert(named<sums.rotate_outputs(3)>::value(0b00001'10) == (2 << 4 | 8));
static_assert(sums.pick_outputs(3, 4).rank() == 4 && sums.pick_outputs(0, 3).kernel().inputs == 4);
static_assert(linear_layout::identity(32).inverse() == linear_layout::identity(32));

TEST_CASE("maps keep the laws of linear algebra") {
  std::mt19937 random(random_seed());
  for (int round = 0; round < 3000; ++round) {
    const int inputs = static_cast<int>(random() % 9), outputs = static_cast<int>(random() % 9);
    const linear_layout f = make_random(random, inputs, outputs);
    const std::set<word> reached = all_outputs(f);
    CHECK(reached.size() == std::size_t{1} << f.rank());
    CHECK(all_outputs(f.image()) == reached);
    CHECK((f.image().is_injective() && f.kernel().is_injective()));
    CHECK(f.kernel().inputs + f.rank() == inputs);
    for (const word x : all_outputs(f.kernel())) CHECK(f(x) == 0);
    const linear_layout g = f.inverse();
    CHECK(undoes(g, f));
    if (f.is_injective()) CHECK(g.compose(f) == linear_layout::identity(inputs));
    if (f.is_surjective()) CHECK(f.compose(g) == linear_layout::identity(outputs));

    const linear_layout h = make_random(random, static_cast<int>(random() % 9), inputs), fh = f.compose(h);
    for (word x = 0; x < word{1} << h.inputs; ++x) CHECK(fh(x) == f(h(x)));
    CHECK(fh.is_within(f));
    const auto again = fh.divide_by(f);
    REQUIRE(again);
    CHECK(f.compose(*again) == fh);
    const linear_layout other = make_random(random, 3, outputs);
    bool is_reached = true;
    for (word x = 0; x < 8; ++x) is_reached = is_reached && reached.count(other(x)) != 0;
    CHECK(other.divide_by(f).has_value() == is_reached);
  }
}

TEST_CASE("what a product was made of is its quotient") {
  std::mt19937 random(random_seed());
  for (int round = 0; round < 1000; ++round) {
    const linear_layout low = make_random(random, static_cast<int>(random() % 6), static_cast<int>(random() % 6));
    const linear_layout high = make_random(random, static_cast<int>(random() % 6), 1 + static_cast<int>(random() % 5));
    linear_layout both = low.product(high);
    CHECK(both.quotient(low) == high);
    for (word x = 0; x < word{1} << both.inputs; ++x)
      CHECK(both(x) == (high(x >> low.inputs) << low.outputs | low(x & tg::bit_mask(0, low.inputs))));
    if (low.inputs == 0) continue;
    both.bases[random() % static_cast<unsigned>(low.inputs)] ^= word{1} << random() % static_cast<unsigned>(both.outputs);
    CHECK(!both.quotient(low));
  }
}

TEST_CASE("input and output bits are picked, joined and rotated") {
  std::mt19937 random(random_seed());
  for (int round = 0; round < 1000; ++round) {
    const int outputs = 1 + static_cast<int>(random() % 8);
    const linear_layout f = make_random(random, 4, outputs), g = make_random(random, 3, outputs), both = f.beside(g);
    CHECK((both.pick_inputs(0, 4) == f && both.pick_inputs(4, 3) == g));
    for (word x = 0; x < 128; ++x) CHECK(both(x) == (f(x & 15) ^ g(x >> 4)));
    for (int low = 0; low <= outputs; ++low) {
      const linear_layout turned = f.rotate_outputs(low);
      CHECK(turned.rotate_outputs(outputs - low) == f);
      for (word x = 0; x < 16; ++x) {
        const word row = f(x) >> low, column = f(x) & tg::bit_mask(0, low);
        CHECK((f.pick_outputs(low, outputs - low)(x) == row && f.pick_outputs(0, low)(x) == column));
        CHECK(turned(x) == (column << (outputs - low) | row));
      }
    }
  }
}

TEST_CASE("an inverse with one bit flipped is found") {
  std::mt19937 random(random_seed());
  for (int round = 0; round < 500; ++round) {
    const int bits = 1 + static_cast<int>(random() % 8);
    const linear_layout f = make_random_invertible(random, bits);
    linear_layout g = f.inverse();
    CHECK(undoes(g, f));
    g.bases[random() % static_cast<unsigned>(bits)] ^= word{1} << random() % static_cast<unsigned>(bits);
    CHECK(!undoes(g, f));
  }
}
