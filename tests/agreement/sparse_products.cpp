// Products with a sparse left operand against CUDA C++: mma.sp whose metadata are put where the ISA's figures say.
#include <tests/agreement/kernels_of.hpp>

#include <utility>

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/matrix/load_fragment.hpp>
#include <tg/dsl/matrix/mma_sparse.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/let.hpp>

#include <tests/agreement/small_numbers.hpp>

namespace {

using namespace tg::literals;
using agreement::bits_of, agreement::packed_lines, agreement::small_number;
using s8 = signed char;
using u8 = unsigned char;
using words = std::vector<unsigned>;

/// D = C + A x B of 8 columns, where half of each row of A is kept.
template <int K, class A, class B, class Sum, int Selector> struct product {
  static constexpr int depth = K;
  using left = A;
  using right = B;
  using sum = Sum;
  using metadata = tg::sparse_metadata<K, A, Selector>;
};

template <int K, class A, class B, class Sum, int Selector>
using each_pair = std::tuple<product<K, A, A, Sum, Selector>, product<K, A, B, Sum, Selector>, product<K, B, A, Sum, Selector>,
                             product<K, B, B, Sum, Selector>>;
template <int K, int Selector>
using halves = std::tuple<product<K, tg::f16, tg::f16, float, Selector>, product<K, tg::f16, tg::f16, tg::f16, Selector>,
                          product<K, tg::bf16, tg::bf16, float, Selector>, product<K / 2, tg::tf32, tg::tf32, float, Selector>>;
// In the order in which the program of nvcc does them.
using of_16_bytes =
    decltype(std::tuple_cat(halves<16, 3>{}, each_pair<32, s8, u8, int, 1>{}, each_pair<64, tg::s4, tg::u4, int, 1>{}));
using of_32_bytes = decltype(std::tuple_cat(halves<32, 1>{}, each_pair<64, tg::f8e4m3, tg::f8e5m2, float, 0>{},
                                            each_pair<64, s8, u8, int, 0>{}, each_pair<128, tg::s4, tg::u4, int, 0>{}));

template <class P, class Block, class Tile, class Other>
void multiply(const Block& block, const Tile& left, const Other& right, const tg::in<unsigned>& metadata,
              const tg::out<unsigned>& d, unsigned first) {
  using A = tg::a_fragment<16, P::depth / 2, typename P::left>;
  using B = tg::b_fragment<P::depth, 8, typename P::right>;
  using C = tg::accumulator<16, 8, typename P::sum>;
  const auto lane = block.warp().lane;
  C sums = typename C::register_type{};
  tg::mma_sparse(sums, tg::load_fragment<A>(left, 0_c, 0_c, lane), tg::load_fragment<B>(right, 0_c, 0_c, lane),
                 typename P::metadata(metadata(block.thread.x)));
  tg::unroll<C::elements / 2>([&](auto i) {
    const auto at = C::place_of(lane, tg::constant<2 * i>{});
    const auto to = at.row * 8_c + at.column + first;
    if constexpr (C::packed == 2) d.vec<2>(to) = tg::make_vec(tg::let(sums(i) & 0xffffu), tg::let(sums(i) >> 16));
    else d.vec<2>(to) = tg::make_vec(tg::bit_cast<unsigned>(sums(2 * i)), tg::bit_cast<unsigned>(sums(2 * i + 1)));
  });
}

/// The kernel of all products of which so many bytes of each line of A are kept.
template <int Bytes, class... P> std::string text_of(std::tuple<P...>) {
  const auto kernel = tg::kernel<"products">(
      tg::block<32>, [](auto block, tg::in<unsigned> a, tg::in<unsigned> b, tg::in<unsigned> e, tg::out<unsigned> d) {
        const auto fill = [&](const auto& tile, const auto& from, auto columns, unsigned count) {
          for (unsigned i = 0; i < count; i += 32) {
            const auto at = tg::let(block.thread.x + i);
            tile(at / columns, at % columns, tg::allow<tg::TG201>("filled once")) = from(at);
          }
        };
        const auto left = tg::shared<unsigned>(tg::shape<16, Bytes / 4>, tg::pitch<(Bytes == 16 ? 4 : 12)>);
        const auto right = tg::shared<unsigned>(tg::shape<8, Bytes / 2>, tg::pitch<Bytes / 2 + 4>);
        fill(left, a, tg::constant<Bytes / 4>{}, 4 * Bytes);
        fill(right, b, tg::constant<Bytes / 2>{}, 4 * Bytes);
        block.sync();
        unsigned first = 0;
        ((multiply<P>(block, left, right, e, d, first), first += 128), ...);
      });
  return tg::lower(kernel).ptx;
}

/// The matrices of a product; which quarters of a chunk are kept differs from chunk to chunk.
template <class P> struct inputs {
  using metadata = typename P::metadata;
  static constexpr int half = metadata::chunk / 2;

  static std::pair<int, int> kept(int row, int chunk) {
    constexpr std::pair<int, int> all[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    const unsigned mixed = static_cast<unsigned>(row * 31 + chunk * 7 + 1) * 2654435761u >> 20;
    return metadata::chunk == 2 ? std::pair(static_cast<int>(mixed % 2), 0) : all[mixed % 6];
  }
  static int column(int row, int k) {
    const int chunk = k / half, i = k % half;
    const auto [first, second] = kept(row, chunk);
    constexpr int quarter = metadata::chunk == 8 ? 2 : 1;
    return chunk * metadata::chunk + (i < quarter ? first : second) * quarter + i % quarter;
  }
  static unsigned bits(int row, int chunk) { return metadata::kept(kept(row, chunk).first, kept(row, chunk).second); }

  static int left(int m, int k) { return small_number<typename P::left>(m * 67 + k * 3 + 1); }
  static int right(int k, int n) { return small_number<typename P::right>(k * 41 + n * 5 + 2); }

  static words a() { return packed_lines<typename P::left>(16, P::depth / 2, left); }
  static words b() {
    return packed_lines<typename P::right>(8, P::depth, [](int n, int k) { return right(k, n); });
  }
  static words lanes() {
    std::array<unsigned, 32> out{};
    metadata::add_to(out, bits);
    return words(out.begin(), out.end());
  }
  static std::vector<unsigned char> rows() {
    std::vector<unsigned char> out(256);
    for (int row = 0; row < 16; ++row)
      for (int chunk = 0; chunk < metadata::chunks; ++chunk)
        out[static_cast<std::size_t>(row * 16 + chunk)] = static_cast<unsigned char>(bits(row, chunk));
    return out;
  }
  static words expected() {
    words out;
    for (int m = 0; m < 16; ++m)
      for (int n = 0; n < 8; ++n) {
        int sum = 0;
        for (int k = 0; k < P::depth / 2; ++k) sum += left(m, k) * right(column(m, k), n);
        out.push_back(bits_of<typename P::sum>(sum));
      }
    return out;
  }
};

words part(const words& all, std::size_t number) {
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(128 * number);
  return words(first, first + 128);
}

template <int Bytes, class... P> void check(const std::string& name, std::tuple<P...> list) {
  agreement::kernels_of own(text_of<Bytes>(list)), nvcc(agreement::nvcc_text("fragments"));
  std::size_t number = 0;
  const auto check_one = [&]<class Q>(std::type_identity<Q>) {
    using in = inputs<Q>;
    CAPTURE(number);
    words a = in::a(), b = in::b(), c(128), lanes = in::lanes(), mine(128 * sizeof...(P)), theirs(mine.size());
    auto rows = in::rows();
    own("products", a, b, lanes, mine);
    nvcc(name, a, b, rows, c, theirs);
    CHECK(part(mine, number) == part(theirs, number));
    CHECK(part(mine, number) == in::expected());
    ++number;
  };
  (check_one(std::type_identity<P>{}), ...);
}

}  // namespace

TEST_CASE("sparse products of every shape and pair of types are those of metadata placed by hand") {
  check<16>("sparse_products_of_16_bytes", of_16_bytes{});
  check<32>("sparse_products_of_32_bytes", of_32_bytes{});
}
