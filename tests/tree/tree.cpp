#include <tg/tree/tree.hpp>

#include <doctest/doctest.h>

namespace {

/// A kind of trees that names what it would make.
struct counted_kind;
struct counted : tg::detail::tree_node {
  using kind = counted_kind;
  int operands = 0;
};
struct counted_kind {
  template <class F, class... X> static counted map(F, const X&...) { return {{}, int(sizeof...(X))}; }
};

static_assert(tg::tree_like<counted> && tg::tree_like<const counted&> && !tg::tree_like<float>);
static_assert(tg::detail::tree_operands<counted, float> && !tg::detail::tree_operands<float, float>);

}  // namespace

TEST_CASE("the first tree of some operands says what is made of them") {
  CHECK(tg::map([](auto...) {}, 1.0f, counted{}, 2).operands == 3);
  CHECK(tg::map([](auto...) {}, counted{}).operands == 1);
}

TEST_CASE("operands keep their order, up to three and beyond") {
  const auto digits = [](const auto&... each) {
    int out = 0;
    ((out = 10 * out + each), ...);
    return out;
  };
  CHECK(tg::detail::node_operands<int>{1}.pass_to(digits) == 1);
  CHECK(tg::detail::node_operands<int, int>{1, 2}.pass_to(digits) == 12);
  CHECK(tg::detail::node_operands<int, int, int>{1, 2, 3}.pass_to(digits) == 123);
  CHECK(tg::detail::node_operands<int, int, int, int, int>{1, 2, 3, 4, 5}.pass_to(digits) == 12345);
}
