// Parts of a buffer between neighbours in an array, beside all arrays of a few small numbers that keep to what the kernel
// assumes of them, counted out.
#include <tg/dsl/proof/ascending.hpp>

#include <cstdint>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <tg/dsl.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

namespace {

using namespace tg::literals;

enum class way {
  ascends,          // assumed by all blocks
  is_apart,         // so that there is an element between two neighbours
  nothing,          // assumed
  descends,         // assumed
  nearly_ascends,   // assumed: by one less at most
  in_some_blocks,   // the assumption stands in a branch
  in_some_threads,  // so that a block without them says nothing
  behind_a_return,  // of some blocks
  writes_one_more,  // than there are
  writes_one_less,
  writes_as_many,   // as the number behind says
  skips_one,        // from an array's element to the one behind the next
  begins_before,    // from the element before, which block 0 takes from the end
  from_two_arrays,  // the first number from one, the second from another
  writes_array,     // the array is not what it was
  rows,             // of a matrix, in tiles
  elements_in_rows  // as many rows as there are blocks along y
};

/// What a block of the kernel does, in words of the language or in plain numbers: `first` and `behind` are what it finds.
constexpr unsigned most_elements = 1u << 20;

template <way W>
constexpr auto kernel = tg::kernel<"spans">(
    tg::block<32>, [](auto b, tg::inout<unsigned> x, tg::in<unsigned> other, tg::out<float> y, tg::out2<float> m) {
      const auto z = b.index.z;
      if constexpr (W == way::behind_a_return) tg::if_(z == 1u, [&] { tg::return_(); });
      const auto first = tg::assume_uniform(x(z));
      const auto behind = [&] {
        if constexpr (W == way::skips_one) return tg::assume_uniform(x(z + 2_c));
        else if constexpr (W == way::from_two_arrays) return tg::assume_uniform(other(z + 1_c));
        else return tg::assume_uniform(x(z + 1_c));
      }();
      tg::assume(first <= most_elements && behind <= most_elements);
      if constexpr (W == way::in_some_blocks) tg::if_(z != 1u, [&] { tg::assume(first <= behind); });
      else if constexpr (W == way::in_some_threads) tg::if_(b.thread.x < 4u, [&] { tg::assume(first <= behind); });
      else if constexpr (W == way::is_apart) tg::assume(first < behind);
      else if constexpr (W == way::descends) tg::assume(first >= behind);
      else if constexpr (W == way::nearly_ascends) tg::assume(first <= behind + 1u);
      else if constexpr (W != way::nothing) tg::assume(first <= behind);
      if constexpr (W == way::writes_array) tg::if_(b.thread.x == 0u, [&] { x(z) = first; });
      const auto i = tg::let(b.index.x * 32_c + b.thread.x);
      tg::assume(b.index.x < most_elements / 32);
      const auto at = tg::let(first + i);
      if constexpr (W == way::rows) {
        const auto row = tg::let(first + b.index.x);
        tg::if_(row < behind, [&] { m(row, b.index.y * 32_c + b.thread.x) = 1.0f; });
      } else if constexpr (W == way::elements_in_rows) {
        tg::if_(at < behind, [&] { m(b.index.y, at) = 1.0f; });
      } else if constexpr (W == way::writes_one_more) {
        tg::if_(at <= behind, [&] { y(at) = 1.0f; });
      } else if constexpr (W == way::writes_as_many) {
        tg::if_(i < behind, [&] { y(at) = 1.0f; });
      } else if constexpr (W == way::writes_one_less) {
        tg::if_(at + 1u < behind, [&] { y(at) = 1.0f; });
      } else if constexpr (W == way::begins_before) {
        const auto before = tg::let(tg::max(first, 1u) - 1u + i);
        tg::if_(before < behind, [&] { y(before) = 1.0f; });
      } else {
        tg::if_(at < behind, [&] { y(at) = 1.0f; });
      }
    });

/// The judge. Blocks along z find numbers of `x`, which keep to what the kernel assumes; none of them comes to an element that
/// another has.
template <way W> bool are_apart(const std::vector<unsigned>& x, const std::vector<unsigned>& other, unsigned blocks) {
  const auto found = [&](unsigned z) {
    return std::pair{x[z], W == way::skips_one ? x[z + 2] : W == way::from_two_arrays ? other[z + 1] : x[z + 1]};
  };
  for (unsigned z = 0; z < blocks; ++z) {
    const auto [first, behind] = found(z);
    const bool is_left_out = (W == way::in_some_blocks || W == way::behind_a_return) && z == 1;
    const bool keeps = W == way::nothing          ? true
                       : W == way::descends       ? first >= behind
                       : W == way::nearly_ascends ? first <= behind + 1
                       : W == way::is_apart       ? first < behind
                                                  : first <= behind;
    if (!keeps && !is_left_out) return true;  // no launch that the kernel is for
  }
  std::set<unsigned> taken;
  for (unsigned z = 0; z < blocks; ++z) {
    if (W == way::behind_a_return && z == 1) continue;
    const auto [first, behind] = found(z);
    const unsigned from = W == way::begins_before && first > 0 ? first - 1 : first;
    const unsigned to = W == way::writes_one_more                 ? behind + 1
                        : W == way::writes_as_many                ? first + behind
                        : W == way::writes_one_less && behind > 0 ? behind - 1
                                                                  : behind;
    for (unsigned n = from; n < to; ++n)
      if (!taken.insert(n).second) return false;
  }
  return true;
}

/// Whether blocks are apart with all arrays of five numbers below 4, in grids of one to three blocks.
template <way W> bool are_always_apart() {
  constexpr unsigned count = 4 * 4 * 4 * 4 * 4;
  const auto array = [](unsigned n) { return std::vector{n % 4, n / 4 % 4, n / 16 % 4, n / 64 % 4, n / 256}; };
  for (unsigned n = 0; n < count; ++n)
    for (unsigned other = 0; other < (W == way::from_two_arrays ? count : 1); other += 7)
      for (unsigned blocks = 1; blocks <= 3; ++blocks)
        if (!are_apart<W>(array(n), array(other), blocks)) return false;
  return true;
}

template <way W> bool is_proved() {
  const tg::kernel_analysis found = tg::analyze(kernel<W>);
  CAPTURE(found.text());
  CHECK(found.refuted().empty());
  for (const tg::finding& f : found.unknown()) CHECK(f.question == tg::question::global_race);
  return found.unknown().empty();
}

template <way W> void check(bool is_right) {
  CAPTURE(static_cast<int>(W));
  CHECK(are_always_apart<W>() == is_right);
  CHECK(is_proved<W>() == is_right);
}
template <way... W> void check_all_proved() { (check<W>(true), ...); }
template <way... W> void check_none_proved() { (check<W>(false), ...); }

}  // namespace

TEST_CASE("what lies between neighbours in an array that ascends belongs to one block") {
  check_all_proved<way::ascends, way::is_apart, way::writes_one_less, way::rows, way::elements_in_rows>();
}

TEST_CASE("what lies between other numbers of arrays may belong to several blocks") {
  check_none_proved<way::nothing, way::nearly_ascends, way::in_some_blocks, way::behind_a_return, way::writes_one_more,
                    way::writes_as_many, way::skips_one, way::begins_before, way::from_two_arrays>();
}

TEST_CASE("nothing is said of an array that the kernel writes, nor by threads that not all blocks have") {
  CHECK_FALSE(is_proved<way::writes_array>());
  CHECK_FALSE(is_proved<way::in_some_threads>());
}

namespace {

namespace pf = tg::proof;

}  // namespace

TEST_CASE("neighbours are found by the offsets of what was loaded") {
  using tg::ptx::special;
  for (const auto& [first, behind, is_signed, written, expected] :
       {std::tuple{4, 4, false, 9, 1}, std::tuple{4, 8, false, 9, 0}, std::tuple{8, 8, false, 9, 1},
        std::tuple{4, 0, false, 9, 0}, std::tuple{4, 4, true, 9, 0}, std::tuple{4, 4, false, 3, 0}}) {
    pf::symbols s(2);
    pf::conditions c(s);
    const pf::form block = s.of(special::ctaid_y);
    const auto data = [&] { return s.make({.shared = pf::sharing::block, .low = 0, .high = 99, .is_data = true}); };
    const std::uint32_t a = data(), b = data();
    pf::use u{.where = {false, 3}, .offset = pf::scaled(block, first), .bytes = 4, .reads = true};
    pf::ascending arrays;
    arrays.find(u, a, false);
    u.offset = pf::add(u.offset, pf::constant(behind));
    arrays.find(u, b, is_signed);
    arrays.assume(c, c.at_most(pf::add(pf::single(a), pf::single(b), -1)));
    pf::use other = u;
    other.where.id = static_cast<std::uint32_t>(written);
    other.writes = true;
    const auto spans = arrays.spans(s, {u, other});
    REQUIRE(static_cast<int>(spans.size()) == expected);
    if (expected == 1) {
      CHECK(spans[0].axis == 1);
      CHECK(spans[0].first == a);
      CHECK(spans[0].behind == b);
    }
  }
}
