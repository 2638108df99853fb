// Products by derived fragments against CUDA C++: mma.sync whose fragments are filled and stored as the ISA's figures
// say, and nvcuda::wmma, whose fragments nobody knows. All get the same bytes and must give the same bits.
#include <tests/agreement/kernels_of.hpp>

#include <utility>

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/matrix/load_fragment.hpp>
#include <tg/dsl/matrix/mma_bits.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/let.hpp>

#include <tests/agreement/small_numbers.hpp>

namespace {

using namespace tg::literals;
using agreement::bits_of, agreement::packed_lines, agreement::small_number;
using s8 = signed char;
using u8 = unsigned char;
using words = std::vector<unsigned>;

enum class operation { multiply, both, either };

/// D = C + A x B of 8 columns.
template <int Rows, int K, class A, class B, class Sum, operation What = operation::multiply> struct product {
  static constexpr int rows = Rows, depth = K;
  static constexpr operation what = What;
  using left = A;
  using right = B;
  using sum = Sum;
};

// In the order in which the program of nvcc does them.
template <int K>
using halves = std::tuple<product<16, K, tg::f16, tg::f16, float>, product<16, K, tg::f16, tg::f16, tg::f16>,
                          product<16, K, tg::bf16, tg::bf16, float>, product<16, K / 2, tg::tf32, tg::tf32, float>>;
template <int Rows, int K, class A, class B, class Sum>
using each_pair = std::tuple<product<Rows, K, A, A, Sum>, product<Rows, K, A, B, Sum>, product<Rows, K, B, A, Sum>,
                             product<Rows, K, B, B, Sum>>;
template <int Rows, int K>
using bits = std::tuple<product<Rows, K, tg::b1, tg::b1, int, operation::both>,
                        product<Rows, K, tg::b1, tg::b1, int, operation::either>>;

template <int Bytes>
using sixteen_rows =
    decltype(std::tuple_cat(halves<Bytes / 2>{}, each_pair<16, Bytes, tg::f8e4m3, tg::f8e5m2, float>{},
                            each_pair<16, Bytes, tg::f8e4m3, tg::f8e5m2, tg::f16>{}, each_pair<16, Bytes, s8, u8, int>{},
                            each_pair<16, 2 * Bytes, tg::s4, tg::u4, int>{}, bits<16, 8 * Bytes>{}));
using eight_rows =
    decltype(std::tuple_cat(each_pair<8, 16, s8, u8, int>{}, each_pair<8, 32, tg::s4, tg::u4, int>{}, bits<8, 128>{}));

enum class defect { none, registers, rows };

/// Column of the place's left neighbour of two, after `row` rows of 8.
template <class Place> auto index_of(const Place& at) { return at.row * 8_c + at.column; }

template <class P, defect Defect, class Tile, class Other, class Block>
void multiply(const Block& block, const Tile& left, const Other& right, const tg::in<unsigned>& c, const tg::out<unsigned>& d,
              unsigned first) {
  using A = tg::a_fragment<P::rows, P::depth, typename P::left>;
  using B = tg::b_fragment<P::depth, 8, typename P::right>;
  using C = tg::accumulator<P::rows, 8, typename P::sum>;
  using word = typename C::register_type;
  const auto lane = block.warp().lane;
  C sums = word{};
  tg::unroll<C::elements / 2>([&](auto i) {
    const auto two = c.vec<2>(index_of(C::place_of(lane, tg::constant<2 * i>{}))).get();
    if constexpr (C::packed == 2) {
      sums(i) = two(0) | two(1) << 16;
    } else {
      sums(2 * i) = tg::bit_cast<word>(two(0));
      sums(2 * i + 1) = tg::bit_cast<word>(two(1));
    }
  });
  auto a = tg::load_fragment<A>(left, 0_c, 0_c, lane);
  const auto b = tg::load_fragment<B>(right, 0_c, 0_c, lane);
  if constexpr (Defect == defect::registers) std::swap(a.parts.parts[1], a.parts.parts[2]);
  if constexpr (P::what == operation::multiply) tg::mma(sums, a, b);
  else if constexpr (P::what == operation::both) tg::mma_and(sums, a, b);
  else tg::mma_xor(sums, a, b);
  tg::unroll<C::elements / 2>([&](auto i) {
    constexpr int from = Defect == defect::rows ? 2 * i ^ 2 : 2 * i;
    const auto to = index_of(C::place_of(lane, tg::constant<2 * i>{})) + first;
    if constexpr (C::packed == 2) d.vec<2>(to) = tg::make_vec(tg::let(sums(from / 2) & 0xffffu), tg::let(sums(from / 2) >> 16));
    else d.vec<2>(to) = tg::make_vec(tg::bit_cast<unsigned>(sums(from)), tg::bit_cast<unsigned>(sums(from + 1)));
  });
}

/// The kernel of all products whose operands have lines of so many bytes.
template <int Rows, int Bytes, defect Defect, class... P> std::string text_of(std::tuple<P...>) {
  const auto kernel = tg::kernel<"products">(
      tg::block<32>, [](auto block, tg::in<unsigned> a, tg::in<unsigned> b, tg::in<unsigned> c, tg::out<unsigned> d) {
        constexpr tg::constant<Bytes / 4> columns{};
        constexpr auto rows = tg::pitch<(Bytes == 16 ? 4 : 12)>;
        const auto fill = [&](const auto& tile, const auto& from, unsigned count) {
          for (unsigned i = 0; i < count; i += 32) {
            const auto at = tg::let(block.thread.x + i);
            tile(at / columns, at % columns, tg::allow<tg::TG201>("filled once")) = from(at);
          }
        };
        const auto left = tg::shared<unsigned>(tg::shape<Rows, Bytes / 4>, rows);
        const auto right = tg::shared<unsigned>(tg::shape<8, Bytes / 4>, rows);
        fill(left, a, Rows * Bytes / 4);
        fill(right, b, 2 * Bytes);
        block.sync();
        unsigned first = 0;
        ((multiply<P, Defect>(block, left, right, c, d, first), first += Rows * 8), ...);
      });
  return tg::lower(kernel).ptx;
}

/// The matrices of a product with `Columns` columns, of small numbers.
template <class P, int Columns> struct inputs {
  static int left(int m, int k) { return small_number<typename P::left>(m * 67 + k * 3 + 1); }
  static int right(int k, int n) { return small_number<typename P::right>(k * 41 + n * 5 + 2); }
  static int start(int m, int n) { return small_number<int>(m * 13 + n * 7 + 3) * 9; }

  static words a() { return packed_lines<typename P::left>(P::rows, P::depth, left); }
  static words b(int first = 0, int count = Columns) {
    return packed_lines<typename P::right>(count, P::depth, [&](int n, int k) { return right(k, first + n); });
  }
  static words c(int first = 0, int count = Columns) {
    words out;
    for (int m = 0; m < P::rows; ++m)
      for (int n = 0; n < count; ++n) out.push_back(bits_of<typename P::sum>(start(m, first + n)));
    return out;
  }
  static words expected() {
    words out;
    for (int m = 0; m < P::rows; ++m)
      for (int n = 0; n < Columns; ++n) {
        int sum = start(m, n);
        for (int k = 0; k < P::depth; ++k)
          sum += P::what == operation::either ? left(m, k) ^ right(k, n) : left(m, k) * right(k, n);
        out.push_back(bits_of<typename P::sum>(sum));
      }
    return out;
  }
};

/// What a kernel makes of the matrices of product number `number` of its list.
template <class P>
words result(agreement::kernels_of& kernels, const std::string& name, std::size_t number, std::size_t all, words a, words b,
             words c) {
  const std::size_t elements = P::rows * 8;
  words d(all * elements);
  kernels(name, a, b, c, d);
  return words(d.begin() + static_cast<std::ptrdiff_t>(number * elements),
               d.begin() + static_cast<std::ptrdiff_t>((number + 1) * elements));
}

template <int Rows, int Bytes, class... P> void check_program(const std::string& name, std::tuple<P...> list) {
  agreement::kernels_of own(text_of<Rows, Bytes, defect::none>(list)), nvcc(agreement::nvcc_text("fragments"));
  std::size_t number = 0;
  const auto check = [&]<class Q>(std::type_identity<Q>) {
    using in = inputs<Q, 8>;
    CAPTURE(number);
    const auto mine = result<Q>(own, "products", number, sizeof...(P), in::a(), in::b(), in::c());
    const auto theirs = result<Q>(nvcc, name, number, sizeof...(P), in::a(), in::b(), in::c());
    CHECK(mine == theirs);
    CHECK(mine == in::expected());
    ++number;
  };
  (check(std::type_identity<P>{}), ...);
}

/// The product of 8 columns, as often as wmma has columns.
template <class P, int Columns, int Bytes> void check_wmma(const std::string& kernel) {
  CAPTURE(kernel);
  using in = inputs<P, Columns>;
  static agreement::kernels_of nvcc(agreement::nvcc_text("wmma_products"));
  agreement::kernels_of own(text_of<P::rows, Bytes, defect::none>(std::tuple<P>{}));
  words a = in::a(), b = in::b(), c = in::c(), theirs(c.size());
  if constexpr (std::is_same_v<typename P::sum, tg::f16>) {
    std::vector<std::uint16_t> start(c.begin(), c.end()), out(c.size());
    nvcc(kernel, a, b, start, out);
    theirs.assign(out.begin(), out.end());
  } else {
    nvcc(kernel, a, b, c, theirs);
  }
  words mine(c.size());
  for (int first = 0; first < Columns; first += 8) {
    const auto part = result<P>(own, "products", 0, 1, a, in::b(first, 8), in::c(first, 8));
    for (int i = 0; i < P::rows * 8; ++i)
      mine[static_cast<std::size_t>(i / 8 * Columns + first + i % 8)] = part[static_cast<std::size_t>(i)];
  }
  CHECK(mine == theirs);
  CHECK(mine == in::expected());
}

// --- doubles, which ldmatrix does not move

template <int Rows, int K>
std::vector<double> product_of_doubles(std::vector<double> a, std::vector<double> b, std::vector<double> c) {
  const auto kernel = tg::kernel<"doubles">(
      tg::block<32>, [](auto block, tg::in<double> a, tg::in<double> b, tg::in<double> c, tg::out<double> d) {
        using A = tg::a_fragment<Rows, K, double>;
        using B = tg::b_fragment<K, 8, double>;
        using C = tg::accumulator<Rows, 8, double>;
        constexpr tg::allow<tg::TG202> excuse("as it comes");
        const auto lane = block.warp().lane;
        auto left = A::unfilled();
        auto right = B::unfilled();
        C sums = 0.0;
        tg::unroll<A::registers>([&](auto i) {
          const auto at = A::place_of(lane, i);
          left.parts.parts[i] = a(at.row * tg::constant<K>{} + at.column, excuse).get().operand;
        });
        tg::unroll<B::registers>([&](auto i) {
          const auto at = B::place_of(lane, i);
          right.parts.parts[i] = b(at.column * tg::constant<K>{} + at.row, excuse).get().operand;
        });
        tg::unroll<C::registers>([&](auto i) { sums(i) = c(index_of(C::place_of(lane, i)), excuse); });
        tg::mma(sums, left, right);
        tg::unroll<C::registers>([&](auto i) { d(index_of(C::place_of(lane, i)), excuse) = sums(i); });
      });
  std::vector<double> d(c.size());
  agreement::kernels_of(tg::lower(kernel).ptx)("doubles", a, b, c, d);
  return d;
}

template <int Rows, int K> void check_doubles(const std::string& program, const std::string& kernel) {
  CAPTURE(kernel);
  using in = inputs<product<Rows, K, double, double, double>, 8>;
  std::vector<double> a, b, c, wanted;
  for (int i = 0; i < Rows * K; ++i) a.push_back(in::left(i / K, i % K));
  for (int i = 0; i < 8 * K; ++i) b.push_back(in::right(i % K, i / K));
  for (int i = 0; i < Rows * 8; ++i) {
    c.push_back(in::start(i / 8, i % 8));
    wanted.push_back(c.back());
    for (int k = 0; k < K; ++k) wanted.back() += in::left(i / 8, k) * in::right(k, i % 8);
  }
  std::vector<double> theirs(c.size());
  agreement::kernels_of nvcc(agreement::nvcc_text(program));
  nvcc(kernel, a, b, c, theirs);
  const auto mine = product_of_doubles<Rows, K>(a, b, c);
  CHECK(mine == theirs);
  CHECK(mine == wanted);
}

}  // namespace

TEST_CASE("products of every shape and pair of types are those of fragments filled by hand") {
  check_program<16, 16>("products_of_16_bytes", sixteen_rows<16>{});
  check_program<16, 32>("products_of_32_bytes", sixteen_rows<32>{});
  check_program<8, 16>("products_of_8_rows", eight_rows{});
}

TEST_CASE("products are those of wmma") {
  check_wmma<product<16, 16, tg::f16, tg::f16, float>, 16, 32>("wmma_f16_f32");
  check_wmma<product<16, 16, tg::f16, tg::f16, tg::f16>, 16, 32>("wmma_f16_f16");
  check_wmma<product<16, 16, tg::bf16, tg::bf16, float>, 16, 32>("wmma_bf16");
  check_wmma<product<16, 8, tg::tf32, tg::tf32, float>, 16, 32>("wmma_tf32");
  check_wmma<product<16, 16, s8, s8, int>, 16, 16>("wmma_s8");
  check_wmma<product<16, 16, u8, u8, int>, 16, 16>("wmma_u8");
  check_wmma<product<8, 32, tg::s4, tg::s4, int>, 8, 16>("wmma_s4");
  check_wmma<product<8, 32, tg::u4, tg::u4, int>, 8, 16>("wmma_u4");
  check_wmma<product<8, 128, tg::b1, tg::b1, int, operation::both>, 8, 16>("wmma_and");
  check_wmma<product<8, 128, tg::b1, tg::b1, int, operation::either>, 8, 16>("wmma_xor");
}

TEST_CASE("products of doubles are those of fragments filled by hand, and of wmma") {
  check_doubles<8, 4>("fragments", "products_of_doubles_m8n8k4");
  check_doubles<16, 4>("fragments", "products_of_doubles_m16n8k4");
  check_doubles<16, 8>("fragments", "products_of_doubles_m16n8k8");
  check_doubles<16, 16>("fragments", "products_of_doubles_m16n8k16");
  check_doubles<8, 4>("wmma_products", "wmma_f64");
}

TEST_CASE("two exchanged registers or rows are another product") {
  using P = product<16, 16, tg::f16, tg::f16, float>;
  using in = inputs<P, 8>;
  const auto with = [&]<defect Defect>() {
    agreement::kernels_of own(text_of<16, 32, Defect>(std::tuple<P>{}));
    return result<P>(own, "products", 0, 1, in::a(), in::b(), in::c());
  };
  CHECK(with.template operator()<defect::none>() == in::expected());
  CHECK(with.template operator()<defect::registers>() != in::expected());
  CHECK(with.template operator()<defect::rows>() != in::expected());
}
