#include <tg/dsl/value/hana_constants.hpp>

#include <doctest/doctest.h>

#include <boost/hana/integral_constant.hpp>

#include <string>
#include <type_traits>

#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/memory/element.hpp>
#include <tg/dsl/value/var.hpp>

namespace {

// The same statements with the constants that `c` makes.
template <class Constants> std::string text_with(Constants c) {
  const auto kernel =
      tg::kernel<"constants">(tg::block<64>, [=](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
        const auto i = block.thread.x;
        tg::var<unsigned> k = x(i * c(std::integral_constant<int, 1>{}) + c(std::integral_constant<int, 64>{}));
        const auto two = c(std::integral_constant<int, 2>{});
        k = (two * k + two) % (n + two) + (two - k) / (n - two) + (k & two) + (two | k) + (k ^ two) + (k << two) +
            (two >> (n >> two));
        k += tg::select(k < two, k, n) + tg::select(two <= n, k, n) + tg::select(k > two || two >= n, k, n) +
             tg::select(k == two && two != n, k, n);
        y(c(std::integral_constant<int, 64>{}) * block.index.x + i) = x(i) * two + k;
      });
  return tg::to_ptx(kernel);
}

}  // namespace

TEST_CASE("constants of Hana mean what those of tg mean, on both sides of every operator") {
  CHECK(text_with([]<int N>(std::integral_constant<int, N>) { return boost::hana::int_c<N>; }) ==
        text_with([]<int N>(std::integral_constant<int, N>) { return tg::constant<N>{}; }));
}

TEST_CASE("what the compiler knows of an index stays in its type") {
  using namespace boost::hana::literals;
  const tg::value<unsigned, tg::index::single<tg::index::thread<'x', 64, 1, 1>>> i{tg::ptx::operand{}};
  CHECK(std::is_same_v<decltype(i * 33_c + 4_c)::form, decltype(i * tg::constant<33>{} + tg::constant<4>{})::form>);
}
