#include <tg/dsl/value/bits.hpp>

#include "../accuracy.hpp"

namespace {

std::vector<std::uint32_t> words() {
  std::mt19937 random(5);
  std::vector<std::uint32_t> out = {0, 1, 0x80000000, 0xffffffff};
  while (out.size() < 300) out.push_back(static_cast<std::uint32_t>(random()) >> (out.size() % 32));
  return out;
}

template <class T, class R, class F, class Host> void check(const std::vector<T>& x, F f, Host host) {
  const auto kernel = accuracy::lowered<T, R>(f);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  const auto y = accuracy::run<R>(kernel.ptx, x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK(y[i] == host(x[i]));
}

template <class T> T reversed(T x) {
  T out = 0;
  for (std::size_t k = 0; k < sizeof(T) * 8; ++k) out = static_cast<T>(out << 1 | ((x >> k) & 1));
  return out;
}

}  // namespace

TEST_CASE("words of 32 bits") {
  using u32 = std::uint32_t;
  const auto x = words();
  check<u32, u32>(x, [](auto v) { return tg::popcount(v); }, [](u32 v) { return static_cast<u32>(std::popcount(v)); });
  check<u32, u32>(x, [](auto v) { return tg::leading_zeros(v); }, [](u32 v) { return static_cast<u32>(std::countl_zero(v)); });
  check<u32, u32>(x, [](auto v) { return tg::trailing_zeros(v); }, [](u32 v) { return static_cast<u32>(std::countr_zero(v)); });
  check<u32, u32>(x, [](auto v) { return tg::bit_width(v); }, [](u32 v) { return static_cast<u32>(32 - std::countl_zero(v)); });
  for (const u32 by : {0u, 1u, 13u, 31u, 32u, 45u}) {
    check<u32, u32>(
        x, [=](auto v) { return tg::rotate_left(v, by); }, [=](u32 v) { return std::rotl(v, static_cast<int>(by % 32)); });
    check<u32, u32>(
        x, [=](auto v) { return tg::rotate_right(v, by); }, [=](u32 v) { return std::rotr(v, static_cast<int>(by % 32)); });
  }
  check<u32, u32>(x, [](auto v) { return tg::reverse_bits(v); }, reversed<u32>);
  check<u32, u32>(
      x, [](auto v) { return tg::mul_high(v, 0xdeadbeefu); },
      [](u32 v) { return static_cast<u32>((std::uint64_t{v} * 0xdeadbeefu) >> 32); });
  check<int, int>({-7, 7, -2147483647 - 1}, [](auto v) { return tg::mul_high(v, 1 << 30); }, [](int v) { return v >> 2; });
}

TEST_CASE("words of 64 bits") {
  using u64 = std::uint64_t;
  std::vector<u64> x;
  for (const auto v : words()) x.push_back(v * 0x9e3779b97f4a7c15ull >> (v % 64));
  check<u64, unsigned>(
      x, [](auto v) { return tg::popcount(v); }, [](u64 v) { return static_cast<unsigned>(std::popcount(v)); });
  check<u64, unsigned>(
      x, [](auto v) { return tg::leading_zeros(v); }, [](u64 v) { return static_cast<unsigned>(std::countl_zero(v)); });
  check<u64, unsigned>(
      x, [](auto v) { return tg::trailing_zeros(v); }, [](u64 v) { return static_cast<unsigned>(std::countr_zero(v)); });
  check<u64, u64>(
      x, [](auto v) { return tg::rotate_left(v, tg::cast<unsigned>(v) & 255u); },
      [](u64 v) { return std::rotl(v, static_cast<int>(v % 64)); });
  check<u64, u64>(
      x, [](auto v) { return tg::rotate_right(v, tg::cast<unsigned>(v) & 255u); },
      [](u64 v) { return std::rotr(v, static_cast<int>(v % 64)); });
  check<u64, u64>(x, [](auto v) { return tg::reverse_bits(v); }, reversed<u64>);
  check<u64, u64>(x, [](auto v) { return tg::mul_high(v, u64{1} << 63); }, [](u64 v) { return v >> 1; });
}

TEST_CASE("a funnel shift takes bits from the neighbour") {
  using u32 = std::uint32_t;
  const auto x = words();
  for (const u32 amount : {0u, 1u, 13u, 31u, 32u, 45u}) {
    check<u32, u32>(
        x, [=](auto v) { return tg::funnel_shift_left(v, ~v, amount); },
        [=](u32 v) { return static_cast<u32>((std::uint64_t{v} << 32 | u32{~v}) << (amount % 32) >> 32); });
    check<u32, u32>(
        x, [=](auto v) { return tg::funnel_shift_right(v, ~v, amount); },
        [=](u32 v) { return static_cast<u32>((std::uint64_t{v} << 32 | u32{~v}) >> (amount % 32)); });
  }
}
