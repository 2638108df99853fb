#include <tg/dsl/value/value.hpp>

#include <type_traits>

#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using tg::detail::is_literal_of;
static_assert(is_literal_of<float, float>() && !is_literal_of<float, double>() && !is_literal_of<float, int>() &&
              is_literal_of<unsigned, int>());
static_assert(is_literal_of<unsigned, tg::constant<-5>>() && is_literal_of<unsigned, tg::constant<4294967295>>());
static_assert(!is_literal_of<unsigned, tg::constant<4294967296>>() && !is_literal_of<int, tg::constant<2147483648>>());
static_assert(is_literal_of<unsigned char, tg::constant<255>>() && !is_literal_of<unsigned char, tg::constant<256>>());
static_assert(is_literal_of<long long, tg::constant<5000000000>>() && !is_literal_of<float, tg::constant<2>>());

template <tg::detail::demand D, class A, class B> using found = typename tg::detail::operand_check<D, A, B>::type;
using tg::detail::demand;
namespace d = tg::diagnosis;
using f32 = tg::value<float>;
using u32 = tg::value<unsigned>;
static_assert(std::is_same_v<found<demand::arithmetic, f32, f32>, d::none>);
static_assert(std::is_same_v<found<demand::arithmetic, f32, u32>, d::same_types<false, d::types<float, unsigned>>>);
static_assert(std::is_same_v<found<demand::arithmetic, f32, double>, d::literal_fits<false, d::types<float, double>>>);
static_assert(std::is_same_v<found<demand::integers, f32, f32>, d::operation<false, float>>);
static_assert(std::is_same_v<found<demand::logic, u32, tg::value<bool>>, d::condition<false, d::types<u32, tg::value<bool>>>>);

template <class T, class N> bool fits(N number) {
  try {
    recording::of([number](auto, recording::parameters) { (void)tg::detail::checked_number<T>(number); });
    return true;
  } catch (const tg::error& e) {
    CHECK(e.number() == 122);
    return false;
  }
}

TEST_CASE("TG122: a C++ number fits its type or is refused") {
  CHECK(fits<unsigned>(4294967295u));
  CHECK(!fits<unsigned>(-1));
  CHECK(!fits<unsigned>(4294967296ll));
  CHECK(fits<int>(-2147483647 - 1));
  CHECK(!fits<int>(2147483648u));
  CHECK(fits<unsigned char>(255));
  CHECK(!fits<unsigned char>(256));
  CHECK(!fits<signed char>(-129));
  CHECK(fits<long long>(-1));
  CHECK(!fits<long long>(1ull << 63));
}

TEST_CASE("integers are written sign-extended from their register") {
  CHECK(tg::detail::immediate<unsigned>(4294967295u) == tg::ptx::operand::integer(-1));
  CHECK(tg::detail::immediate<unsigned char>(255) == tg::ptx::operand::integer(255));
}

namespace {

struct held { tg::value<unsigned> number; };
tg::value<unsigned> doubled(tg::value<unsigned> x) { return x + x; }

}  // namespace

using traced = tg::value<unsigned, tg::index::traced>;
static_assert(std::is_convertible_v<traced, u32> && !std::is_convertible_v<u32, traced>);
static_assert(std::is_convertible_v<tg::var<unsigned>, u32> && std::is_convertible_v<tg::scalar<float>, f32>);
static_assert(!std::is_convertible_v<traced, f32> && !std::is_convertible_v<tg::var<float>, u32>);

TEST_CASE("a member or a parameter takes any number of its type") {
  const auto found = recording::of([](auto block, recording::parameters p) {
    const held lane{block.thread.x};
    tg::var<unsigned> sum = doubled(lane.number);
    sum = doubled(sum);
    sum = doubled(p.n);
    sum = doubled(p.u(block.thread.x));
  });
  CHECK(found.text.find("ld.global.u32") != std::string::npos);
  std::size_t additions = 0;
  for (auto at = found.text.find("add.u32"); at != std::string::npos; at = found.text.find("add.u32", at + 1)) ++additions;
  CHECK(additions == 4);
}
