#include <tg/dsl/matrix/to_operand.hpp>

#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/cast.hpp>

#include "../accuracy.hpp"

namespace {

/// Sums that say where they are become the operand whose elements say so.
template <class T, int M, int N> void check_places() {
  using sums = tg::accumulator<M, N, float>;
  using operand = tg::a_fragment<M, N, T>;
  const auto lowered = tg::lower(
      tg::kernel<"operand">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<unsigned> y, tg::scalar<unsigned>) {
        sums own = 0.0f;
        for (int r = 0; r < sums::registers; ++r) own(r) = x(block.thread.x + static_cast<unsigned>(32 * r));
        const auto found = tg::to_operand<T>(own);
        for (int r = 0; r < operand::registers; ++r) y(block.thread.x + static_cast<unsigned>(32 * r)) = found(r);
      }));
  std::vector<float> x(32 * sums::registers);
  std::vector<unsigned> y(32 * operand::registers);
  const auto number = [](tg::matrix_place at) { return static_cast<float>(at.row * 8 - at.column); };
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < sums::elements; ++e) x[static_cast<std::size_t>(32 * e + lane)] = number(sums::place(lane, e));
  accuracy::run(lowered.ptx, x.data(), x.size() * 4, y.data(), y.size() * 4, 32);
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < operand::elements; ++e) {
      const unsigned bits = y[static_cast<std::size_t>(e / 2 * 32 + lane)] >> e % 2 * 16 & 0xffff;
      CHECK(bits == T(double(number(operand::place(lane, e)))).bits);
    }
}

}  // namespace

TEST_CASE("rounded sums lie where the left operand has them") {
  check_places<tg::f16, 16, 16>();
  check_places<tg::bf16, 32, 24>();
}
