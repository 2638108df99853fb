#include <tg/dsl/value/choose.hpp>

#include <type_traits>

#include "../recording.hpp"

static_assert(tg::choose<true>(1, 2.5) == 1 && tg::choose<false>(1, 2.5) == 2.5);
static_assert(std::is_same_v<decltype(tg::choose<true>(1, 2.5)), int>);

TEST_CASE("either expression keeps its form") {
  recording::of([](auto block, recording::parameters p) {
    const auto first = tg::choose<true>(block.thread.x + 1u, p.n + 2u);
    static_assert(std::is_same_v<decltype(first), const decltype(block.thread.x + 1u)>);
    const auto second = tg::choose<false>(block.thread.x + 1u, p.n + 2u);
    static_assert(std::is_same_v<decltype(second), const decltype(p.n + 2u)>);
  });
}
