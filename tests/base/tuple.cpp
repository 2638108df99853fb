#include <tg/base/tuple.hpp>

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace {

using namespace tg::detail;

/// It is not copied: parts are made where they stay.
struct pinned {
  int number;
  explicit pinned(int number) : number(number) {}
  pinned(const pinned&) = delete;
};

}  // namespace

TEST_CASE("parts by number and all at once") {
  const auto made = to_tuple(3, std::string("text"), 2.5);
  CHECK(std::is_same_v<decltype(made), const tuple<int, std::string, double>>);
  CHECK(get<0>(made) == 3);
  CHECK(get<1>(made) == "text");
  CHECK(get<2>(made) == 2.5);
  CHECK(tg::detail::apply([](int a, const std::string& b, double c) { return a + b.size() + c; }, made) == 9.5);
  CHECK(std::is_same_v<tuple_element<1, tuple<int, std::string>>, std::string>);
}

TEST_CASE("two parts of one type, none at all, references, and what is not copied") {
  CHECK(get<1>(to_tuple(1, 2)) == 2);
  CHECK(tg::detail::apply([](const auto&... parts) { return sizeof...(parts); }, tuple<>{}) == 0);
  int own = 1;
  const tuple<int&> refers{{{own}}};
  own = 5;
  CHECK(get<0>(refers) == 5);
  const tuple<pinned, pinned> fixed{{{pinned(1)}, {pinned(2)}}};
  CHECK(get<1>(fixed).number == 2);
}
