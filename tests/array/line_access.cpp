#include <tg/array/line_access.hpp>

#include <doctest/doctest.h>

TEST_CASE("accesses beside each other were judged by the compiler, and are as good as can be") {
  using index = tg::value<unsigned, tg::index::single<tg::index::thread<'x', 256, 1, 1>>>;
  using tg::detail::checked;
  using tg::detail::global_facts;
  using tg::detail::line_view;
  constexpr auto& words = global_facts<line_view<4, 1>, checked, 1, index>;
  CHECK(words.costs.worst->good);
  CHECK(words.costs.worst->sectors == 5);  // of a line that begins anywhere
  CHECK(words.element_bytes == 4);
}
