#include <tg/dsl/matrix/mma.hpp>

#include <tg/dsl/value/bit_cast.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

namespace {

using s8 = signed char;
using u8 = unsigned char;

/// How many numbers from 0 on the type holds exactly.
template <class T> inline constexpr int exact_numbers = 1024;
template <> inline constexpr int exact_numbers<tg::bf16> = 256;
template <> inline constexpr int exact_numbers<s8> = 128;
template <> inline constexpr int exact_numbers<u8> = 256;
template <> inline constexpr int exact_numbers<tg::f8e4m3> = 16;
template <> inline constexpr int exact_numbers<tg::f8e5m2> = 8;
template <> inline constexpr int exact_numbers<tg::s4> = 8;
template <> inline constexpr int exact_numbers<tg::u4> = 16;
template <class T> inline constexpr bool is_signed = !std::is_same_v<T, u8> && !std::is_same_v<T, tg::u4>;

/// The bits of a small integer in an operand.
template <class T> std::uint64_t bits_of(int number) {
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<std::uint64_t>(static_cast<double>(number));
  else if constexpr (requires { T(1.0).bits; }) return T(static_cast<double>(number)).bits;
  else return static_cast<std::uint64_t>(number) & ((1u << tg::mma_element<T>::bits) - 1);
}

template <class T> std::uint64_t sum_bits(int number) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<std::uint32_t>(static_cast<float>(number));
  else if constexpr (std::is_same_v<T, int>) return static_cast<std::uint32_t>(number);
  else return bits_of<T>(number);
}

template <class T> double number_of(std::uint64_t bits) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(bits);
  else if constexpr (std::is_same_v<T, int>) return static_cast<std::int32_t>(bits);
  else return static_cast<double>(T::from_bits(static_cast<std::uint16_t>(bits)));
}

/// D = A x B + C on the emulator, one warp, the matrices laid into the registers where the fragments say.
template <int M, int K, class TA, class TB, class T> class product {
  static constexpr int N = 8;
  using a = tg::a_fragment<M, K, TA>;
  using b = tg::b_fragment<K, N, TB>;
  using c = tg::accumulator<M, N, T>;
  using word = std::conditional_t<std::is_same_v<TA, double>, double, unsigned>;
  static constexpr int word_bits = 8 * sizeof(word);

 public:
  product()
      : lowered_(tg::lower(
            tg::kernel<"product">(tg::block<32>, [](auto block, tg::in<word> x, tg::out<word> y, tg::scalar<unsigned>) {
              const auto lane = block.thread.x;
              const auto at = [&](int number) { return x(lane + static_cast<unsigned>(32 * number)).get(); };
              auto left = a::unfilled();
              auto right = b::unfilled();
              for (int r = 0; r < a::registers; ++r) left.parts.parts[static_cast<std::size_t>(r)] = at(r).operand;
              for (int r = 0; r < b::registers; ++r)
                right.parts.parts[static_cast<std::size_t>(r)] = at(a::registers + r).operand;
              c sums = typename c::register_type{};
              for (int r = 0; r < c::registers; ++r)
                sums(r) = tg::bit_cast<typename c::register_type>(at(a::registers + b::registers + r));
              tg::mma(sums, left, right);
              for (int r = 0; r < c::registers; ++r) y(lane + static_cast<unsigned>(32 * r)) = tg::bit_cast<word>(sums(r));
            }))) {}

  const tg::lowered_kernel& lowered() const { return lowered_; }

  /// `left(m, k)`, `right(k, n)` and `start(m, n)` are the elements; D row by row.
  template <class Left, class Right, class Start> std::vector<double> operator()(Left left, Right right, Start start) const {
    std::vector<word> x(32 * (a::registers + b::registers + c::registers)), y(32 * c::registers);
    for (int lane = 0; lane < 32; ++lane) {
      for (int e = 0; e < a::elements; ++e) put(x, 0, lane, e, a::packed, bits_of<TA>(at(left, a::place(lane, e))));
      for (int e = 0; e < b::elements; ++e) put(x, a::registers, lane, e, b::packed, bits_of<TB>(at(right, b::place(lane, e))));
      for (int e = 0; e < c::elements; ++e)
        put(x, a::registers + b::registers, lane, e, c::packed, sum_bits<T>(at(start, c::place(lane, e))));
    }
    accuracy::run(lowered_.ptx, x.data(), x.size() * sizeof(word), y.data(), y.size() * sizeof(word), 32);
    std::vector<double> out(M * N);
    for (int lane = 0; lane < 32; ++lane)
      for (int e = 0; e < c::elements; ++e) {
        const auto [row, column] = c::place(lane, e);
        const auto bits = bits_in(y[static_cast<std::size_t>(e / c::packed * 32 + lane)]) >> (e % c::packed * 16);
        out[static_cast<std::size_t>(row * N + column)] = number_of<T>(bits);
      }
    return out;
  }

 private:
  template <class Matrix> static int at(Matrix matrix, tg::matrix_place place) { return matrix(place.row, place.column); }
  static std::uint64_t bits_in(word w) {
    if constexpr (std::is_same_v<word, double>) return std::bit_cast<std::uint64_t>(w);
    else return w;
  }
  static void put(std::vector<word>& x, int first, int lane, int e, int packed, std::uint64_t bits) {
    word& to = x[static_cast<std::size_t>((first + e / packed) * 32 + lane)];
    const std::uint64_t all = bits_in(to) | bits << (e % packed * (word_bits / packed));
    if constexpr (std::is_same_v<word, double>) to = std::bit_cast<double>(all);
    else to = static_cast<unsigned>(all);
  }

  tg::lowered_kernel lowered_;
};

/// Digit `digit` of the number of an element, in the base of what both types hold.
constexpr int digit_of(int number, int base, int digit) {
  for (; digit > 0; --digit) number /= base;
  return number % base;
}

/// Each element of A comes out where its coordinates say when B is a piece of the identity, and the other way round.
template <int M, int K, class TA, class TB, class T> void check_places(const product<M, K, TA, TB, T>& run) {
  constexpr int base = std::min(exact_numbers<TA>, exact_numbers<TB>);
  const auto zero = [](int, int) { return 0; };
  for (int digit = 0, range = 1; range < M * K; ++digit, range *= base) {
    const auto coordinate = [&](int row, int column) { return digit_of(row * K + column, base, digit); };
    for (int first = 0; first < K; first += 8) {
      const auto d = run(coordinate, [&](int k, int n) { return k == first + n ? 1 : 0; }, zero);
      for (int m = 0; m < M; ++m)
        for (int n = 0; n < 8 && first + n < K; ++n) CHECK(d[static_cast<std::size_t>(m * 8 + n)] == coordinate(m, first + n));
    }
  }
  for (int digit = 0, range = 1; range < 8 * K; ++digit, range *= base) {
    const auto coordinate = [&](int row, int column) { return digit_of(row * 8 + column, base, digit); };
    for (int first = 0; first < K; first += M) {
      const auto d = run([&](int m, int k) { return k == first + m ? 1 : 0; }, coordinate, zero);
      for (int m = 0; m < M && first + m < K; ++m)
        for (int n = 0; n < 8; ++n) CHECK(d[static_cast<std::size_t>(m * 8 + n)] == coordinate(first + m, n));
    }
  }
}

/// Small numbers whose products and sums are exact everywhere, against sums of doubles.
template <int M, int K, class TA, class TB, class T> void check_numbers(const product<M, K, TA, TB, T>& run) {
  const auto small = [](int seed, bool has_sign) {
    return static_cast<int>(static_cast<unsigned>(seed) * 2654435761u >> 29) - (has_sign ? 4 : 0);
  };
  const auto left = [&](int m, int k) { return small(m * 67 + k * 3 + 1, is_signed<TA>); };
  const auto right = [&](int k, int n) { return small(k * 41 + n * 5 + 2, is_signed<TB>); };
  const auto start = [&](int m, int n) { return small(m * 13 + n * 7 + 3, true) * 9; };
  const auto d = run(left, right, start);
  for (int m = 0; m < M; ++m)
    for (int n = 0; n < 8; ++n) {
      double sum = start(m, n);
      for (int k = 0; k < K; ++k) sum += static_cast<double>(left(m, k)) * right(k, n);
      CHECK(d[static_cast<std::size_t>(m * 8 + n)] == sum);
    }
}

template <int M, int K, class TA, class TB, class T> void check_product(int sm) {
  const product<M, K, TA, TB, T> run;
  INFO(run.lowered().ptx);
  CHECK(run.lowered().module.sm == sm);
  check_places(run);
  check_numbers(run);
}

}  // namespace

TEST_CASE("products of 16-bit floats and of tf32") {
  check_product<16, 8, tg::f16, tg::f16, float>(75);
  check_product<16, 16, tg::f16, tg::f16, float>(80);
  check_product<16, 8, tg::f16, tg::f16, tg::f16>(75);
  check_product<16, 16, tg::f16, tg::f16, tg::f16>(80);
  check_product<16, 8, tg::bf16, tg::bf16, float>(80);
  check_product<16, 16, tg::bf16, tg::bf16, float>(80);
  check_product<16, 4, tg::tf32, tg::tf32, float>(80);
  check_product<16, 8, tg::tf32, tg::tf32, float>(80);
}

TEST_CASE("products of 8-bit floats") {
  check_product<16, 16, tg::f8e4m3, tg::f8e4m3, float>(89);
  check_product<16, 32, tg::f8e4m3, tg::f8e4m3, float>(89);
  check_product<16, 32, tg::f8e5m2, tg::f8e5m2, float>(89);
  check_product<16, 32, tg::f8e4m3, tg::f8e5m2, float>(89);
  check_product<16, 32, tg::f8e5m2, tg::f8e4m3, tg::f16>(89);
  check_product<16, 16, tg::f8e4m3, tg::f8e4m3, tg::f16>(89);
}

TEST_CASE("products of integers") {
  check_product<8, 16, s8, s8, int>(75);
  check_product<16, 16, s8, u8, int>(80);
  check_product<16, 32, s8, s8, int>(80);
  check_product<16, 32, u8, s8, int>(80);
  check_product<16, 32, u8, u8, int>(80);
  check_product<8, 32, tg::s4, tg::s4, int>(75);
  check_product<16, 32, tg::u4, tg::s4, int>(80);
  check_product<16, 64, tg::s4, tg::s4, int>(80);
  check_product<16, 64, tg::u4, tg::u4, int>(80);
}

TEST_CASE("products of doubles") {
  check_product<8, 4, double, double, double>(80);
  check_product<16, 4, double, double, double>(90);
  check_product<16, 8, double, double, double>(90);
  check_product<16, 16, double, double, double>(90);
}

TEST_CASE("a product is one instruction, which adds where the sums are") {
  const auto r = recording::of<tg::block_t<32>>([](auto, recording::parameters) {
    tg::accumulator<16, 8, float> sums = 0.0f;
    tg::mma(sums, tg::a_fragment<16, 8, tg::tf32>::unfilled(), tg::b_fragment<8, 8, tg::tf32>::unfilled());
  });
  CHECK(r.text.ends_with("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"));
}

TEST_CASE("a warp that is not full has no product") {
  const auto partial = [](auto, recording::parameters) {
    tg::accumulator<8, 8, double> sums = 0.0;
    tg::mma(sums, tg::a_fragment<8, 4, double>::unfilled(), tg::b_fragment<4, 8, double>::unfilled());
  };
  CHECK(recording::error_of<tg::block_t<48>>(partial) == recording::at(117, __LINE__ - 2));
}
