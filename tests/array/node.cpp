#include <tg/array/node.hpp>

#include <set>
#include <thread>

#include <tg/array/matmul.hpp>
#include <tg/array/norms.hpp>
#include <tg/array/pad.hpp>

#include "../random_seed.hpp"
#include "../unqualified.hpp"
#include "arrays.hpp"

using arrays::host;

namespace users {

// Functions of the same names are in tg::detail.
template <class X> auto centred(const X& x) { return x - 2.0f; }
template <class A, class B> auto combined(const A& a, const B& b) { return a * b; }
template <class X> auto centred_twice(const X& x) { return combined(centred(x), x); }

}  // namespace users

namespace {

template <int Rank> std::vector<std::int64_t> random_shape(std::mt19937& random, std::int64_t most) {
  static const std::int64_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 31, 32, 33, 64, 127, 128, 130, 256, 257, 1000, 1024, 4099};
  std::vector<std::int64_t> out(Rank);
  do
    for (auto& e : out) e = sizes[random() % std::size(sizes)];
  while (static_cast<std::int64_t>(host::count_of(out)) > most);
  if (random() % 10 == 0) out[random() % Rank] = 0;
  return out;
}

/// a * b + c * 2, with b and c broadcast in any way, each in any layout.
template <class T, int Rank> void check_broadcasts(int turns, double tolerance) {
  tg::device gpu;
  std::mt19937 random(random_seed());
  for (int turn = 0; turn < turns; ++turn) {
    const auto shape = random_shape<Rank>(random, 20000);
    const auto with_ones = [&] {
      auto out = shape;
      for (auto& e : out)
        if (random() % 3 == 0) e = 1;
      return out;
    };
    const auto layout = [&] { return arrays::all_layouts[random() % 5]; };
    const host a = arrays::random_numbers<T>(shape, random), b = arrays::random_numbers<T>(with_ones(), random);
    const host c = arrays::random_numbers<T>({shape.back()}, random);
    const arrays::on_device<T, Rank> da(gpu, a, layout()), db(gpu, b, layout());
    const arrays::on_device<T, 1> dc(gpu, c, layout());
    arrays::on_device<T, Rank> dy(gpu, host(shape, 1), layout());
    dy.view = da.view * db.view + dc.view * T(2);
    const host product = arrays::map([](double x, double y) { return x * y; }, a, b);
    const host wanted = arrays::map([](double x, double y) { return x + 2 * y; }, product, c);
    CHECK(arrays::excess(dy.read(), wanted, tolerance) <= 1);
  }
}

}  // namespace

TEST_CASE("elements of arrays of any shape and layout") {
  check_broadcasts<float, 1>(40, 1e-6);
  check_broadcasts<float, 2>(80, 1e-6);
  check_broadcasts<float, 3>(40, 1e-6);
  check_broadcasts<float, 5>(40, 1e-6);
  check_broadcasts<double, 2>(30, 1e-15);
  check_broadcasts<int, 2>(30, 1e-12);
  check_broadcasts<std::int64_t, 3>(30, 1e-12);
  check_broadcasts<tg::f16, 2>(30, 4e-3);
  check_broadcasts<tg::bf16, 2>(30, 3e-2);
}

TEST_CASE("a fused expression is what its steps are") {
  tg::device gpu;
  std::mt19937 random(random_seed());
  const host a = arrays::random_numbers<float>({33, 65}, random);
  const tg::array<float, 2> x(gpu, {33, 65}, a.numbers);
  const tg::array<float, 2> fused = tg::tanh(tg::max(x, 0.0f) - tg::abs(x)) * tg::exp(-x);
  const tg::array<float, 2> larger = tg::max(x, 0.0f), size = tg::abs(x), difference = larger - size;
  const tg::array<float, 2> bent = tg::tanh(difference), power = tg::exp(-x), product = bent * power;
  CHECK(fused.to_host() == product.to_host());
  const auto part = [](const auto& y) { return y(tg::range(3, 20), tg::range(1, 60, 3)); };
  const tg::array<float, 2> of_slice = tg::exp(part(x)) + part(x), whole = tg::exp(x) + x;
  CHECK(of_slice.to_host() == part(whole).to_host());
}

TEST_CASE("operators and functions of all kinds") {
  tg::device gpu;
  const tg::array<int, 1> i(gpu, std::vector<int>{-7, 0, 3, 12});
  const tg::array<float, 1> x(gpu, std::vector<float>{0.25f, 1, 2, 9});
  CHECK(tg::eval((i * 3 - 1) % 5).to_host() == std::vector<int>{-2, -1, 3, 0});
  CHECK(tg::eval((i & 6) | (i << 1)).to_host() == std::vector<int>{-14, 0, 6, 28});
  CHECK(tg::eval(-i ^ 1).to_host() == std::vector<int>{6, 1, -4, -11});
  CHECK(tg::eval(tg::where(i > 2 && i != 12, i, 100)).to_host() == std::vector<int>{100, 100, 3, 100});
  CHECK(tg::eval(tg::where(!(i < 0) || i == -7, 1, 0)).to_host() == std::vector<int>{1, 1, 1, 1});
  CHECK(tg::eval(tg::sqrt(x)).to_host() == std::vector<float>{0.5f, 1, std::sqrt(2.0f), 3});
  CHECK(tg::eval(tg::fma(x, x, 1.0f)).to_host() == std::vector<float>{1.0625f, 2, 5, 82});
  CHECK(tg::eval(tg::cast<float>(i) / x).to_host() == std::vector<float>{-28, 0, 1.5f, 12.0f / 9});
  CHECK(tg::eval(2.0f / x).to_host() == std::vector<float>{8, 2, 1, 2.0f / 9});
  CHECK(tg::eval(tg::relu(tg::cast<float>(i))).to_host() == std::vector<float>{0, 0, 3, 12});
  CHECK(tg::eval(i * tg::constant<2>{}).to_host() == std::vector<int>{-14, 0, 6, 24});
}

TEST_CASE("elements of any width are shifted by numbers and by elements") {
  tg::device gpu;
  const auto check = [&]<class T>(T high) {
    const tg::array<T, 1> x(gpu, std::vector<T>{1, 5, high});
    const tg::array<T, 1> by(gpu, std::vector<T>{0, 2, 3});
    CHECK(tg::eval((x >> 2) + (x << 1u)).to_host() == std::vector<T>{2, T(1 + 10), static_cast<T>((high >> 2) + (high << 1))});
    CHECK(tg::eval(x >> by).to_host() == std::vector<T>{1, 1, static_cast<T>(high >> 3)});
  };
  check(std::int32_t{-1000});
  check(std::uint32_t{1} << 30);
  check(std::int64_t{-1} << 40);
  check(std::uint64_t{1} << 62);
}

TEST_CASE("functions of the user, and numbers as arguments") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{1, 2, 3});
  const tg::array<unsigned, 1> n(gpu, std::vector<unsigned>{1, 2, 3});
  const auto power = tg::map(
      [](auto a, auto k) {
        auto out = tg::var<float>(1.0f);
        tg::for_(tg::range(k), [&](auto) { out *= a; });
        return out.get();
      },
      x, n);
  CHECK(tg::eval(power).to_host() == std::vector<float>{1, 4, 27});
  CHECK(tg::eval(tg::map([](auto a, auto b, auto c, auto d) { return a + b * c - d; }, x, x, 2.0f, 1.0f)).to_host() ==
        std::vector<float>{2, 5, 8});
}

TEST_CASE("numbers that several threads make have origins of their own") {
  std::set<std::uint64_t> all;
  for (int t = 0; t < 4; ++t) {
    std::thread([&] {
      for (int k = 0; k < 100; ++k) all.insert(tg::detail::new_scalar_origin());
    }).join();
  }
  CHECK(all.size() == 400);
}

TEST_CASE("a user's functions of arrays do not meet those of tg::detail") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {2, 2}, std::vector<float>{1, 2, 3, 4});
  const auto twice = users::centred_twice(x);
  unqualified::require_no_detail(x, twice, -x, x < 1.0f, tg::exp(x), tg::cast<tg::bf16>(x), tg::where(x < 1.0f, x, 0.0f),
                                 tg::sum<1>(x), tg::argmax<1>(x), tg::mean<1>(x, tg::keep), tg::variance<1>(x),
                                 tg::softmax<1>(x), tg::transpose(x), tg::expand<1>(tg::sum<1>(x)), tg::index_of<0>(x),
                                 tg::uniform(x, 5), tg::cumsum<1>(x), tg::map([](auto a) { return a; }, x),
                                 tg::reduce<1>(
                                     x, 0.0f, [](auto a, auto b) { return a + b; }),
                                 tg::take<0>(x, tg::cast<int>(tg::sum<1>(x))), tg::matmul(x, x), tg::pad(x, {1, 1}, {1, 1}),
                                 tg::layer_norm(x, tg::sum<0>(x), tg::sum<0>(x)));
  const tg::array<float, 2> y = twice;
  CHECK(y.to_host() == std::vector<float>{-1, 0, 3, 8});
}
