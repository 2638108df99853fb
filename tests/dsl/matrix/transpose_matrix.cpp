#include <tg/dsl/matrix/transpose_matrix.hpp>

#include <tg/dsl/matrix/load_matrix.hpp>
#include <tg/dsl/vector/packed.hpp>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

namespace {

/// Rows of 8 halves, two in a word, in the order of the lanes that hold them.
std::vector<unsigned> numbered_rows(unsigned matrices) {
  std::vector<unsigned> out;
  for (unsigned i = 0; i < 32 * matrices; ++i) out.push_back(2 * i | (2 * i + 1) << 16);
  return out;
}

/// The half in row `row` and column `column` of a matrix that begins at `first`.
unsigned half_of(const std::vector<unsigned>& words, unsigned first, unsigned row, unsigned column) {
  return words[first + row * 4 + column / 2] >> column % 2 * 16 & 0xffff;
}

}  // namespace

TEST_CASE("rows become columns") {
  const auto x = numbered_rows(1);
  const auto y = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto from, auto to) { to(block.thread.x) = tg::transpose_matrix(from(block.thread.x)); }, x);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) CHECK(half_of(y, 0, row, column) == half_of(x, 0, column, row));
}

TEST_CASE("twice is nothing, and several are transposed each by itself") {
  const auto x = numbered_rows(2);
  const auto once = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto both = tg::make_vec(from(block.thread.x), from(block.thread.x + 32_c));
        const auto moved = tg::transpose_matrix(both);
        to(block.thread.x) = moved(0);
        to(block.thread.x + 32_c) = tg::transpose_matrix(moved)(1);
      },
      x, 1);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      CHECK(half_of(once, 0, row, column) == half_of(x, 0, column, row));
      CHECK(half_of(once, 32, row, column) == half_of(x, 32, row, column));
    }
}

TEST_CASE("it is what ldmatrix does with .trans") {
  const auto y = word::run<tg::block_t<32>, unsigned>(
      [](auto block, auto from, auto to) {
        const auto tile = tg::shared<unsigned>(tg::shape<8, 4>);
        tile(block.thread.x / 4_c, block.thread.x % 4_c) = from(block.thread.x);
        block.sync();
        const auto row = block.thread.x % 8_c;
        to(block.thread.x) = tg::transpose_matrix(tg::load_matrix<1>(tile, row, 0_c))(0) ^ from(block.thread.x);
      },
      numbered_rows(1));
  const auto x = numbered_rows(1);
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column)
      CHECK((half_of(y, 0, row, column) ^ half_of(x, 0, row, column)) == half_of(x, 0, column, row));
}

TEST_CASE("a transposition is one instruction, of words and of pairs") {
  const auto r = recording::of<tg::block_t<32>>([](auto, recording::parameters p) {
    static_assert(std::is_same_v<decltype(tg::transpose_matrix(tg::bit_cast<tg::f16x2>(p.n))), tg::value<tg::f16x2>>);
    (void)tg::transpose_matrix(p.n);
  });
  CHECK(r.text.ends_with("movmatrix.sync.aligned.m8n8.trans.b16"));
}

TEST_CASE("a warp that is not full transposes nothing") {
  const auto partial = [](auto, recording::parameters p) { (void)tg::transpose_matrix(p.n); };
  CHECK(recording::error_of<tg::block_t<48>>(partial) == recording::at(117, __LINE__ - 1));
}
