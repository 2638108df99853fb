#include <tg/dsl/matrix/mma_saturating.hpp>

#include <limits>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

namespace {

constexpr int largest = std::numeric_limits<int>::max(), smallest = std::numeric_limits<int>::min();

/// The least sum of each lane, which starts as `start`, after a product of depth 32 whose registers are all `left` and
/// `right`.
template <class T, bool Saturating> std::vector<int> sums(int start, int left, int right) {
  std::vector<int> x(32, start);
  x.insert(x.end(), 32, left);
  x.insert(x.end(), 32, right);
  auto y = word::run<tg::block_t<32>, int>(
      [](auto block, auto from, auto to) {
        const auto lane = block.thread.x;
        auto a = tg::a_fragment<16, 32, T>::unfilled();
        auto b = tg::b_fragment<32, 8, T>::unfilled();
        tg::accumulator<16, 8, int> c = from(lane);
        a.parts.parts.fill(tg::let(from(lane + 32_c)).operand);
        b.parts.parts.fill(tg::let(from(lane + 64_c)).operand);
        if constexpr (Saturating) tg::mma_saturating(c, a, b);
        else tg::mma(c, a, b);
        to(lane) = tg::min(tg::min(c(0), c(1)), tg::min(c(2), c(3)));
      },
      x, 1);
  y.resize(32);
  return y;
}

}  // namespace

TEST_CASE("a sum past the largest int stays there, and wraps without the word") {
  CHECK(sums<signed char, true>(largest - 5, 0x7f7f7f7f, 0x01010101) == std::vector<int>(32, largest));
  CHECK(sums<signed char, false>(largest - 5, 0x7f7f7f7f, 0x01010101) == std::vector<int>(32, smallest + 127 * 32 - 6));
  CHECK(sums<signed char, true>(smallest + 5, 0x7f7f7f7f, -1) == std::vector<int>(32, smallest));
  CHECK(sums<unsigned char, true>(largest - 5, -1, -1) == std::vector<int>(32, largest));
}

TEST_CASE("a sum that an int holds is what it is") {
  CHECK(sums<signed char, true>(-7, 0x03030303, 0x02020202) == std::vector<int>(32, -7 + 6 * 32));
}

TEST_CASE("it is the same instruction, limited") {
  const auto r = recording::of<tg::block_t<32>>([](auto, recording::parameters) {
    tg::accumulator<8, 8, int> c = 0;
    tg::mma_saturating(c, tg::a_fragment<8, 32, tg::s4>::unfilled(), tg::b_fragment<32, 8, tg::u4>::unfilled());
  });
  CHECK(r.text.ends_with("mma.sync.aligned.m8n8k32.row.col.satfinite.s32.s4.u4.s32"));
}
