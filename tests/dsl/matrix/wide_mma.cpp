#include <tg/dsl/matrix/wide_mma.hpp>

#include <tg/dsl/value/bit_cast.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

namespace {

/// Sums are in `Sum`, in registers of unsigned or the like; elements are small integers.
template <int M, int N, int K, class A, class B, class Sum> void check_product() {
  using a = tg::a_fragment<M, K, A>;
  using b = tg::b_fragment<K, N, B>;
  using c = tg::accumulator<M, N, Sum>;
  const auto lowered = tg::lower(
      tg::kernel<"wide">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::scalar<unsigned>) {
        const auto at = [&](int number) { return tg::let(x(block.thread.x + static_cast<unsigned>(32 * number))); };
        auto left = a::unfilled();
        auto right = b::unfilled();
        for (int r = 0; r < a::registers; ++r) left.parts.parts[static_cast<std::size_t>(r)] = at(r).operand;
        for (int r = 0; r < b::registers; ++r) right.parts.parts[static_cast<std::size_t>(r)] = at(a::registers + r).operand;
        c sums = typename c::register_type{};
        tg::mma(sums, left, right);
        for (int r = 0; r < c::registers; ++r)
          y(block.thread.x + static_cast<unsigned>(32 * r)) = tg::bit_cast<unsigned>(sums(r));
      }));
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");

  const auto left = [](int m, int k) { return (m * 7 + k * 3) % 5 - 2; };
  const auto right = [](int k, int n) { return (k * 5 + n * 2) % 7 - 3; };
  std::vector<unsigned> x(32 * (a::registers + b::registers)), y(32 * c::registers);
  const auto put = [&](int first, int lane, int e, int packed, auto element) {
    const auto bits = [&] {
      if constexpr (requires { element.bits; }) return unsigned{element.bits};
      else return static_cast<unsigned>(element) & 0xffu;
    }();
    x[static_cast<std::size_t>((first + e / packed) * 32 + lane)] |= bits << e % packed * (32 / packed);
  };
  for (int lane = 0; lane < 32; ++lane) {
    for (int e = 0; e < a::elements; ++e)
      put(0, lane, e, a::packed, static_cast<A>(double(left(a::place(lane, e).row, a::place(lane, e).column))));
    for (int e = 0; e < b::elements; ++e)
      put(a::registers, lane, e, b::packed, static_cast<B>(double(right(b::place(lane, e).row, b::place(lane, e).column))));
  }
  accuracy::run(lowered.ptx, x.data(), x.size() * 4, y.data(), y.size() * 4, 32);
  for (int lane = 0; lane < 32; ++lane)
    for (int e = 0; e < c::elements; ++e) {
      const auto [row, column] = c::place(lane, e);
      int sum = 0;
      for (int k = 0; k < K; ++k) sum += left(row, k) * right(k, column);
      const unsigned bits = y[static_cast<std::size_t>(e / c::packed * 32 + lane)] >> e % c::packed * 16;
      if constexpr (std::is_same_v<Sum, float>) CHECK(std::bit_cast<float>(bits) == sum);
      else if constexpr (std::is_same_v<Sum, int>) CHECK(static_cast<int>(bits) == sum);
      else CHECK(double(Sum::from_bits(static_cast<std::uint16_t>(bits))) == sum);
    }
}

}  // namespace

static_assert(tg::detail::mma_block_of<32, 48, tg::bf16>.rows == 16 && tg::detail::mma_block_of<32, 48, tg::bf16>.depth == 16);
static_assert(tg::detail::mma_block_of<24, 48, signed char>.rows == 8 &&
              tg::detail::mma_block_of<24, 48, signed char>.depth == 16);
static_assert(tg::detail::mma_block_of<8, 16, tg::bf16>.rows == 0);

TEST_CASE("products of several instructions have each element where the fragments say") {
  check_product<32, 24, 32, tg::bf16, tg::bf16, float>();
  check_product<16, 16, 24, tg::f16, tg::f16, tg::f16>();
  check_product<48, 16, 64, signed char, signed char, int>();
}

TEST_CASE("a product that no instruction divides stays refused") {
  using tg::detail::is_wide_product;
  using sums = tg::accumulator<16, 16, float>;
  static_assert(is_wide_product<tg::a_fragment<16, 16, tg::bf16>, tg::b_fragment<16, 16, tg::bf16>, sums>);
  static_assert(!is_wide_product<tg::a_fragment<16, 16, tg::bf16>, tg::b_fragment<16, 16, tg::f16>, sums>);
  static_assert(!is_wide_product<tg::a_fragment<16, 32, tg::bf16>, tg::b_fragment<16, 16, tg::bf16>, sums>);
  static_assert(
      !is_wide_product<tg::a_fragment<16, 16, tg::bf16>, tg::b_fragment<16, 8, tg::bf16>, tg::accumulator<16, 8, float>>);
  const std::string text =
      recording::of([](auto, recording::parameters) {
        sums own = 0.0f;
        tg::mma(own, tg::a_fragment<16, 32, tg::bf16>::unfilled(), tg::b_fragment<32, 16, tg::bf16>::unfilled());
      }).text;
  std::size_t products = 0;
  for (auto at = text.find("mma.sync"); at != text.npos; at = text.find("mma.sync", at + 1)) ++products;
  CHECK(products == 4);
}
