#include <tg/dsl/matrix/mma_bits.hpp>

#include <bit>

#include "../recording.hpp"
#include "../word.hpp"

namespace {

/// Counts for a row of bits of A and a column of B, both by the places of their fragments.
template <int M, int K, bool Xor> void check() {
  using a = tg::a_fragment<M, K, tg::b1>;
  using b = tg::b_fragment<K, 8, tg::b1>;
  using c = tg::accumulator<M, 8, int>;
  constexpr std::size_t words = 32 * std::max(a::registers + b::registers, c::registers);
  const auto x = word::random_words<unsigned>(words);
  const auto y = word::run<tg::block_t<32>, int>(
      [](auto block, auto from, auto to) {
        const auto at = [&](int number) { return tg::let(from(block.thread.x + static_cast<unsigned>(32 * number))); };
        auto left = a::unfilled();
        auto right = b::unfilled();
        for (int r = 0; r < a::registers; ++r) left.parts.parts[static_cast<std::size_t>(r)] = at(r).operand;
        for (int r = 0; r < b::registers; ++r) right.parts.parts[static_cast<std::size_t>(r)] = at(a::registers + r).operand;
        c counts = 5;
        if constexpr (Xor) tg::mma_xor(counts, left, right);
        else tg::mma_and(counts, left, right);
        for (int r = 0; r < c::registers; ++r) to(block.thread.x + static_cast<unsigned>(32 * r)) = counts(r);
      },
      x, 1);
  std::vector<std::vector<bool>> left(M, std::vector<bool>(K)), right(8, std::vector<bool>(K));
  for (int lane = 0; lane < 32; ++lane) {
    const auto bit = [&](int r, int e) { return (x[static_cast<std::size_t>(32 * (r + e / 32) + lane)] >> e % 32 & 1) != 0; };
    for (int e = 0; e < a::elements; ++e) {
      const auto at = a::place(lane, e);
      left[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)] = bit(0, e);
    }
    for (int e = 0; e < b::elements; ++e) {
      const auto at = b::place(lane, e);
      right[static_cast<std::size_t>(at.column)][static_cast<std::size_t>(at.row)] = bit(a::registers, e);
    }
  }
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < c::elements; ++e) {
      const auto at = c::place(lane, e);
      int count = 5;
      for (std::size_t k = 0; k < K; ++k) {
        const bool l = left[static_cast<std::size_t>(at.row)][k], r = right[static_cast<std::size_t>(at.column)][k];
        count += Xor ? l != r : l && r;
      }
      CHECK(y[static_cast<std::size_t>(32 * e + lane)] == count);
    }
}

}  // namespace

TEST_CASE("bits in both, and bits in one, are counted") {
  check<8, 128, false>();
  check<8, 128, true>();
  check<16, 128, false>();
  check<16, 256, true>();
}

TEST_CASE("a count is one instruction, and asks for what the operation needs") {
  const auto r = recording::of<tg::block_t<32>>([](auto, recording::parameters) {
    tg::accumulator<16, 8, int> c = 0;
    tg::mma_and(c, tg::a_fragment<16, 256, tg::b1>::unfilled(), tg::b_fragment<256, 8, tg::b1>::unfilled());
    tg::mma_xor(c, tg::a_fragment<16, 128, tg::b1>::unfilled(), tg::b_fragment<128, 8, tg::b1>::unfilled());
  });
  CHECK(r.text.find("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc") != r.text.npos);
  CHECK(r.text.ends_with("mma.sync.aligned.m16n8k128.row.col.s32.b1.b1.s32.xor.popc"));
}
