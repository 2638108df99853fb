#include <tg/dsl/value/dense.hpp>

#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/vector/packed.hpp>

#include <cstring>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;
using tg::detail::byte_selector;

// Byte k of prmt's first source is k, 4 is a zero of the second, 8 + k the sign of byte k.
static_assert(byte_selector(0, 1, false) == 0x4440 && byte_selector(3, 1, false) == 0x4443 &&
              byte_selector(1, 2, false) == 0x4432);
static_assert(byte_selector(0, 1, true) == 0x8880 && byte_selector(2, 1, true) == 0xaaa2 &&
              byte_selector(1, 2, true) == 0xbb32);

namespace {

/// The sum of (k + 1) times element k, and the elements in reverse order.
template <class T, int N> void check() {
  CAPTURE(N);
  const auto kernel =
      tg::lower(tg::kernel<"sums">(tg::block<32>, [](auto block, tg::in<T> x, tg::out<int> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] {
          const auto v = x.template vec<N>(i * tg::constant<N>{}).get();
          tg::var<int> sum = 0;
          for (int k = 0; k < N; ++k) sum += tg::cast<int>(v(k)) * (k + 1);
          y(i) = sum;
        });
      }));
  const auto turned =
      tg::lower(tg::kernel<"turned">(tg::block<32>, [](auto block, tg::in<T> x, tg::out<T> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] {
          const auto v = x.template vec<N>(i * tg::constant<N>{}).get();
          [&]<int... K>(std::integer_sequence<int, K...>) {
            y.template vec<N>(i * tg::constant<N>{}) = tg::make_vec(v(N - 1 - K)...);
          }(std::make_integer_sequence<int, N>{});
        });
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  CHECK(accuracy::complaints_from_its_sm_on(turned.ptx) == "");
  constexpr int bytes = N * int(sizeof(T));
  const std::string wide = bytes == 16 ? ".v4.b32" : bytes == 8 ? ".v2.b32" : bytes == 4 ? ".b32" : ".b16";
  CHECK(turned.ptx.find("ld.global.nc" + wide + " ") != std::string::npos);
  CHECK(turned.ptx.find("st.global" + wide + " ") != std::string::npos);

  std::mt19937 random(N);
  std::vector<unsigned char> raw(40 * sizeof(T) * N);
  for (auto& b : raw) b = static_cast<unsigned char>(std::is_same_v<T, bool> ? random() % 2 : random());
  const auto element = [&](std::size_t at) {
    T out;
    std::memcpy(&out, &raw[at * sizeof(T)], sizeof(T));
    return out;
  };
  std::vector<int> y(40);
  accuracy::run(kernel.ptx, raw.data(), raw.size(), y.data(), y.size() * sizeof(int), y.size());
  std::vector<unsigned char> z(raw.size());
  accuracy::run(turned.ptx, raw.data(), raw.size(), z.data(), z.size(), 40);
  for (std::size_t i = 0; i < 40; ++i) {
    int want = 0;
    for (std::size_t k = 0; k < N; ++k) {
      want += static_cast<int>(element(i * N + k)) * static_cast<int>(k + 1);
      CHECK(std::memcmp(&z[(i * N + k) * sizeof(T)], &raw[(i * N + N - 1 - k) * sizeof(T)], sizeof(T)) == 0);
    }
    CHECK(y[i] == want);
  }
}

}  // namespace

TEST_CASE("elements of 8 and 16 bits travel side by side, up to 16 bytes") {
  check<std::uint8_t, 2>();
  check<std::uint8_t, 8>();
  check<std::uint8_t, 16>();
  check<std::int8_t, 4>();
  check<std::int8_t, 16>();
  check<std::uint16_t, 2>();
  check<std::int16_t, 8>();
  check<bool, 8>();
}

TEST_CASE("halves of a word are two registers") {
  const auto text = [](auto f) { return recording::of([f](auto, recording::parameters p) { f(p); }).text; };
  CHECK(text([](auto p) { (void)tg::detail::from_word<tg::f16>((p.n + 0u).operand, 1); }) == "add.u32 mov.b32");
  CHECK(text([](auto p) { (void)tg::detail::from_word<std::int8_t>((p.n + 0u).operand, 1); }) == "add.u32 prmt.b32");
  CHECK(text([](auto p) {
          const auto h = tg::cast<tg::f16>(p.a);
          (void)tg::make_vec(h, h);
        }) == "cvt.rn.f16.f32 mov.b32");
}

TEST_CASE("a tile of halves in pieces of 16 bytes") {
  const auto kernel = tg::lower(
      tg::kernel<"staged">(tg::block<32>, [](auto block, tg::in<tg::f16> x, tg::out<tg::f16> y, tg::scalar<unsigned>) {
        const auto tile = tg::shared<tg::f16>(tg::shape<256>);
        tile.template vec<8>(block.thread.x * 8_c) = x.template vec<8>(block.thread.x * 8_c);
        block.sync();
        y.template vec<8>(block.thread.x * 8_c) = tile.template vec<8>((31_c - block.thread.x) * 8_c);
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  for (const tg::access& a : kernel.accesses) {
    CHECK(a.access_bytes == 16);
    CHECK((a.is_shared ? a.shared.wavefronts == 4 : a.global.good && a.global.sectors == 17));
  }
  std::vector<std::uint16_t> x(256), y(256);
  for (std::size_t k = 0; k < 256; ++k) x[k] = static_cast<std::uint16_t>(k * 263);
  accuracy::run(kernel.ptx, x.data(), 512, y.data(), 512, 32);
  for (std::size_t k = 0; k < 256; ++k) CHECK(y[k] == x[(31 - k / 8) * 8 + k % 8]);
}
