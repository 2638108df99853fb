#include <tg/dsl/matrix/mma_sparse.hpp>

#include <bit>

#include <tg/dsl/value/bit_cast.hpp>

#include "../recording.hpp"
#include "../word.hpp"

using namespace tg::literals;

namespace {

using s8 = signed char;
using u8 = unsigned char;

/// The bits of a small whole number.
template <class T> unsigned bits_of(int number) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<unsigned>(static_cast<float>(number));
  else if constexpr (requires { T(1.0).bits; }) return T(static_cast<double>(number)).bits;
  else if constexpr (std::is_same_v<T, int>) return static_cast<unsigned>(number);
  else return static_cast<unsigned>(number) & ((1u << tg::mma_element<T>::bits) - 1);
}

int mixed(int a, int b, int range) {
  return static_cast<int>((static_cast<unsigned>(a * 131 + b * 7 + 5) * 2654435761u >> 20) % static_cast<unsigned>(range));
}

/// A product of a matrix of which half of each chunk is kept, as `Metadata` describes.
template <int K, class TA, class TB, class T, int Selector> struct sparse_product {
  using a = tg::a_fragment<16, K / 2, TA>;
  using b = tg::b_fragment<K, 8, TB>;
  using c = tg::accumulator<16, 8, T>;
  using metadata = tg::sparse_metadata<K, TA, Selector>;
  static constexpr int half = metadata::chunk / 2;

  /// Which half of a chunk is kept: the positions of two quarters, or of one half.
  static std::pair<int, int> kept(int row, int chunk) {
    constexpr std::pair<int, int> all[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    return metadata::chunk == 2 ? std::pair(mixed(row, chunk, 2), 0) : all[mixed(row, chunk, 6)];
  }
  /// The column from which the kept element number `k` of a row is.
  static int column(int row, int k) {
    const int chunk = k / half, i = k % half;
    const auto [first, second] = kept(row, chunk);
    constexpr int quarter = metadata::chunk == 8 ? 2 : 1;
    return chunk * metadata::chunk + (i < quarter ? first : second) * quarter + i % quarter;
  }
  static int left(int row, int k) { return mixed(row, k, 4); }
  static int right(int k, int n) { return mixed(k, n + 50, 4); }

  /// D row by row, from registers filled by the places of the fragments; word number `wrong` of the metadata is
  /// changed.
  static std::vector<unsigned> run(int wrong = -1) {
    std::vector<unsigned> x(32 * (a::registers + b::registers + 1));
    const auto put = [&](int first, int lane, int e, int packed, unsigned bits) {
      x[static_cast<std::size_t>(32 * (first + e / packed) + lane)] |= bits << e % packed * (32 / packed);
    };
    std::array<unsigned, 32> words{};
    metadata::add_to(words, [](int row, int chunk) { return metadata::kept(kept(row, chunk).first, kept(row, chunk).second); });
    if (wrong >= 0) words[static_cast<std::size_t>(wrong)] ^= 0xcccc;
    for (int lane = 0; lane < 32; ++lane) {
      for (int e = 0; e < a::elements; ++e)
        put(0, lane, e, a::packed, bits_of<TA>(left(a::place(lane, e).row, a::place(lane, e).column)));
      for (int e = 0; e < b::elements; ++e)
        put(a::registers, lane, e, b::packed, bits_of<TB>(right(b::place(lane, e).row, b::place(lane, e).column)));
      put(a::registers + b::registers, lane, 0, 1, words[static_cast<std::size_t>(lane)]);
    }
    const auto y = word::run<tg::block_t<32>, unsigned>(
        [](auto block, auto from, auto to) {
          const auto at = [&](int number) { return tg::let(from(block.thread.x + static_cast<unsigned>(32 * number))); };
          auto left = a::unfilled();
          auto right = b::unfilled();
          for (int r = 0; r < a::registers; ++r) left.parts.parts[static_cast<std::size_t>(r)] = at(r).operand;
          for (int r = 0; r < b::registers; ++r) right.parts.parts[static_cast<std::size_t>(r)] = at(a::registers + r).operand;
          c sums = typename c::register_type{};
          tg::mma_sparse(sums, left, right, metadata(at(a::registers + b::registers)));
          for (int r = 0; r < c::registers; ++r)
            to(block.thread.x + static_cast<unsigned>(32 * r)) = tg::bit_cast<unsigned>(sums(r));
        },
        x, 1);
    std::vector<unsigned> out(128);
    for (int lane = 0; lane < 32; ++lane)
      for (int e = 0; e < c::elements; ++e) {
        const unsigned bits = y[static_cast<std::size_t>(32 * (e / c::packed) + lane)] >> e % c::packed * 16;
        out[static_cast<std::size_t>(c::place(lane, e).row * 8 + c::place(lane, e).column)] =
            c::packed == 2 ? bits & 0xffff : bits;
      }
    return out;
  }

  static std::vector<unsigned> expected() {
    std::vector<unsigned> out;
    for (int row = 0; row < 16; ++row)
      for (int n = 0; n < 8; ++n) {
        int sum = 0;
        for (int k = 0; k < K / 2; ++k) sum += left(row, k) * right(column(row, k), n);
        out.push_back(bits_of<T>(sum));
      }
    return out;
  }
};

template <int K, class TA, class TB, class T, int Selector = 0> void check() {
  using product = sparse_product<K, TA, TB, T, Selector>;
  CHECK(product::run() == product::expected());
}

}  // namespace

static_assert(tg::sparse_metadata<32, tg::f16>::kept(1, 3) == 0b1101 && tg::sparse_metadata<8, tg::tf32>::kept(1) == 0b1110);
static_assert(tg::detail::is_sparse_depth<64, tg::f8e4m3> && !tg::detail::is_sparse_depth<32, tg::f8e4m3>);
static_assert(!tg::detail::is_sparse_depth<16, double> && !tg::detail::is_sparse_depth<64, tg::f16>);

TEST_CASE("sparse products of floats") {
  check<16, tg::f16, tg::f16, float, 3>();
  check<16, tg::f16, tg::f16, tg::f16, 0>();
  check<32, tg::f16, tg::f16, float, 1>();
  check<32, tg::bf16, tg::bf16, float, 0>();
  check<8, tg::tf32, tg::tf32, float, 2>();
  check<16, tg::tf32, tg::tf32, float, 1>();
  check<64, tg::f8e4m3, tg::f8e5m2, float>();
}

TEST_CASE("sparse products of integers") {
  check<32, s8, u8, int, 1>();
  check<64, u8, s8, int>();
  check<64, tg::s4, tg::s4, int, 0>();
  check<128, tg::u4, tg::s4, int>();
}

TEST_CASE("metadata in a lane that is looked at matter, others do not") {
  using product = sparse_product<32, tg::f16, tg::f16, float, 1>;
  CHECK(product::run(6) != product::expected());
  CHECK(product::run(4) == product::expected());
}

TEST_CASE("a sparse product is one instruction") {
  const auto r = recording::of<tg::block_t<32>>([](auto, recording::parameters p) {
    tg::accumulator<16, 8, int> sums = 0;
    tg::mma_sparse(sums, tg::a_fragment<16, 32, s8>::unfilled(), tg::b_fragment<64, 8, u8>::unfilled(),
                   tg::sparse_metadata<64, s8>(p.n));
  });
  CHECK(r.text.ends_with("mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32"));
}
