#include <tg/dsl/value/argument.hpp>

#include "../recording.hpp"

TEST_CASE("an argument has the type of what it is read as") {
  using tg::detail::argument_type;
  static_assert(std::is_same_v<argument_type<int>::type, int>);
  static_assert(std::is_same_v<argument_type<tg::scalar<float>>::type, float>);
  static_assert(std::is_same_v<argument_type<tg::constant<3>>::type, unsigned>);
  static_assert(tg::detail::is_word32<int> && !tg::detail::is_word32<float> && !tg::detail::is_word32<short>);
  recording::of([](auto, auto p) {
    CHECK(tg::detail::argument<unsigned>(p.n) == p.n.get().operand);
    CHECK(tg::detail::argument<unsigned>(7) == tg::ptx::operand::integer(7));
  });
  CHECK(recording::error_of([](auto, auto) { tg::detail::argument<unsigned>(-1); }).starts_with("122 "));
}
