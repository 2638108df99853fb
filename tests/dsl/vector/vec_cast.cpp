#include <tg/dsl/vector/vec_cast.hpp>

#include "../triples.hpp"

using namespace tg::literals;

static_assert(tg::vector_value<tg::vec<tg::f16, 8>> && tg::vector_value<tg::vector_element<float, 4, tg::mode::read>>);
static_assert(!tg::vector_value<tg::value<float>> && !tg::vector_value<int>);

namespace {

// N elements of From to as many of To in one thread, which takes that many `cvt` between floats.
template <class To, int N, class From> std::vector<To> check(const std::vector<From>& x, int conversions) {
  const auto kernel =
      tg::lower(tg::kernel<"vectors">(tg::block<32>, [](auto block, tg::in<From> from, tg::out<To> to, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n,
                [&] { to.template vec<N>(i * tg::constant<N>{}) = tg::cast<To>(from.template vec<N>(i * tg::constant<N>{})); });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  int found = 0;
  for (std::size_t at = kernel.ptx.find("cvt."); at != std::string::npos; at = kernel.ptx.find("cvt.", at + 1)) {
    const auto moves = [&](const char* text) { return kernel.ptx.compare(at, 11, text) == 0; };
    found += !moves("cvt.u16.u32") && !moves("cvt.u32.u16");
  }
  CHECK(found == conversions);
  std::vector<To> y(x.size());
  accuracy::run(kernel.ptx, x.data(), x.size() * sizeof(From), y.data(), y.size() * sizeof(To), x.size() / N);
  return y;
}

template <class To, class From> void check_equal(const std::vector<To>& y, const std::vector<From>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const To want(static_cast<float>(x[i]));
    if constexpr (std::is_same_v<To, float>) CHECK((y[i] == want || std::isnan(want)));
    else CHECK(y[i].bits == want.bits);
  }
}

std::vector<float> floats() {
  std::vector<float> out;
  std::mt19937 random(5);
  for (int k = 0; k < 320; ++k)
    out.push_back(std::ldexp(static_cast<float>(random()), static_cast<int>(random() % 60) - 60) * (k % 2 == 0 ? 1 : -1));
  return out;
}

template <class T> std::vector<T> every_byte() {
  std::vector<T> out;
  for (int k = 0; k < 256; ++k) out.push_back(T::from_bits(static_cast<decltype(T::bits)>(sizeof(T) == 1 ? k : k * 257)));
  return out;
}

}  // namespace

TEST_CASE("two elements are converted by one instruction where there is one") {
  const auto x = floats();
  check_equal(check<tg::f16, 4>(x, 2), x);
  check_equal(check<tg::bf16, 2>(x, 1), x);
  check_equal(check<tg::f8e4m3, 4>(x, 2), x);
  check_equal(check<tg::f8e5m2, 2>(x, 1), x);
  check_equal(check<float, 4>(every_byte<tg::f16>(), 4), every_byte<tg::f16>());
  check_equal(check<float, 4>(every_byte<tg::f8e4m3>(), 2 + 4), every_byte<tg::f8e4m3>());
  check_equal(check<tg::f16, 8>(every_byte<tg::f8e4m3>(), 4), every_byte<tg::f8e4m3>());
  check_equal(check<tg::f8e5m2, 8>(every_byte<tg::f16>(), 4), every_byte<tg::f16>());
}

TEST_CASE("other elements one by one") {
  const std::vector<std::int8_t> x = {-128, -1, 0, 127, 5, 6, -7, 8};
  const auto y = check<tg::f16, 8>(x, 8);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == tg::f16(x[i]));
  const std::vector<float> f = {1.7f, -3.2f, 300.0f, -300.0f};
  CHECK(check<std::int8_t, 4>(f, 4) == std::vector<std::int8_t>{1, -3, 127, -128});
}

TEST_CASE("the bits of a vector are other elements") {
  const auto kernel = tg::lower(
      tg::kernel<"bits">(tg::block<32>, [](auto block, tg::in<std::uint8_t> from, tg::out<float> to, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] {
          const auto words = tg::bit_cast<unsigned>(from.template vec<16>(i * 16_c));
          const auto halves = tg::bit_cast<std::uint16_t>(words);
          to.template vec<4>(i * 4_c) =
              tg::bit_cast<float>(tg::make_vec(words(0_c), words(1_c) + 1u, tg::cast<unsigned>(halves(5_c)), words(3_c)));
        });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<std::uint8_t> x(16);
  for (std::size_t k = 0; k < 16; ++k) x[k] = static_cast<std::uint8_t>(200 + k);
  std::vector<std::uint32_t> y(4), want(4);
  accuracy::run(kernel.ptx, x.data(), 16, y.data(), 16, 1);
  std::memcpy(want.data(), x.data(), 16);
  CHECK(y == std::vector<std::uint32_t>{want[0], want[1] + 1, want[2] >> 16, want[3]});
}
