#include <tg/array/element.hpp>

#include "../random_seed.hpp"
#include "arrays.hpp"

using tg::detail::code_for;

namespace {

template <class T> void check_copies() {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (const std::int64_t n : {1, 7, 16, 255, 256, 1000}) {
    const arrays::host numbers = arrays::random_numbers<T>({n}, random);
    for (const auto how : arrays::all_layouts) {
      arrays::on_device<T, 1> x(gpu, numbers, how), y(gpu, arrays::host({n}, 1), how);
      y.view = x.view;
      CHECK(arrays::excess(y.read(), numbers, 1e-300) == 0);
      tg::array<float, 1> as_float = tg::cast<float>(x.view);
      const auto got = as_float.to_host();
      for (std::size_t k = 0; k < got.size(); ++k)
        CHECK(static_cast<double>(got[k]) == doctest::Approx(numbers.numbers[k]).epsilon(1e-6));
    }
  }
}

}  // namespace

TEST_CASE("types have numbers, and numbers have types") {
  static_assert(tg::detail::is_array_element<long long> && tg::detail::is_array_element<tg::bf16>);
  static_assert(!tg::detail::is_array_element<tg::tf32> && !tg::detail::is_array_element<char>);
  static_assert(code_for<long> == code_for<long long>);
  for (int k = 0; k <= static_cast<int>(tg::detail::element_code::boolean); ++k) {
    const auto code = static_cast<tg::detail::element_code>(k);
    tg::detail::with_element_type(code, [&]<class T>(std::type_identity<T>) {
      CHECK(code_for<T> == code);
      CHECK(tg::detail::bytes_of(code) == static_cast<int>(sizeof(T)));
    });
  }
}

TEST_CASE("elements of all types are read and written, in all layouts") {
  check_copies<float>();
  check_copies<double>();
  check_copies<tg::f16>();
  check_copies<tg::bf16>();
  check_copies<std::int8_t>();
  check_copies<std::uint8_t>();
  check_copies<std::int16_t>();
  check_copies<std::uint16_t>();
  check_copies<int>();
  check_copies<unsigned>();
  check_copies<std::int64_t>();
  check_copies<std::uint64_t>();
}

TEST_CASE("bool and bytes of floats") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{-2, 0.5f, 3, 0, 1, -1, 8, 9, 10});
  tg::array<bool, 1> is_positive = x > 0.0f;
  CHECK(is_positive.to<std::vector>() == std::vector<bool>{false, true, true, false, true, false, true, true, true});
  tg::array<tg::f8e4m3, 1> bytes = tg::cast<tg::f8e4m3>(x);
  CHECK(tg::eval(tg::cast<float>(bytes)).to_host() == x.to_host());
  const tg::array<float, 1> chosen = tg::where(is_positive, tg::cast<float>(bytes), 100.0f);
  CHECK(chosen.to_host() == std::vector<float>{100, 0.5f, 3, 100, 1, 100, 8, 9, 10});
}
