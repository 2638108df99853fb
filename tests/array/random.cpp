#include <tg/array/random.hpp>

#include "arrays.hpp"

TEST_CASE("random numbers depend on seed and place, not on layout") {
  tg::device gpu;
  const tg::array<float, 2> dense(gpu, {60, 50});
  const tg::array<unsigned, 2> bits = tg::random_bits(dense, 7);
  for (const auto how : arrays::all_layouts) {
    const arrays::on_device<float, 2> x(gpu, arrays::host({60, 50}), how);
    CHECK(tg::eval(tg::random_bits(x.view, 7)).to_host() == bits.to_host());
  }
  CHECK(tg::eval(tg::random_bits(dense, 8)).to_host() != bits.to_host());
  CHECK(tg::eval(tg::random_bits(dense, std::uint64_t{7} << 32)).to_host() != bits.to_host());
  // Of the first place and seed 0 the words are those of counter 0 and key 0.
  CHECK(tg::eval(tg::random_bits(dense, 0)).to_host()[0] == 0x6627e8d5u);
  const tg::array<float, 1> line(gpu, {3000});
  CHECK(tg::eval(tg::random_bits(line, 7)).to_host() == bits.to_host());
}

TEST_CASE("distributions have their moments") {
  tg::device gpu;
  const tg::array<float, 2> shape(gpu, {200, 300});
  const double n = 60000;
  const auto near = [&](float got, double wanted, double deviation) {
    CHECK(std::abs(static_cast<double>(got) - wanted) < 5 * deviation / std::sqrt(n));
  };
  const tg::array<float, 2> u = tg::uniform(shape, 1), z = tg::normal(shape, 2);
  CHECK(tg::eval(tg::min(u)).item() >= 0.0f);
  CHECK(tg::eval(tg::max(u)).item() < 1.0f);
  near(tg::eval(tg::mean(u)).item(), 0.5, std::sqrt(1.0 / 12));
  near(tg::eval(tg::mean(u * u)).item(), 1.0 / 3, std::sqrt(4.0 / 45));
  near(tg::eval(tg::mean(z)).item(), 0, 1);
  near(tg::eval(tg::mean(z * z)).item(), 1, std::sqrt(2.0));
  near(tg::eval(tg::mean(z * z * z * z)).item(), 3, std::sqrt(96.0));
  near(tg::eval(tg::mean(z(tg::full_extent, tg::range(0, 299)) * z(tg::full_extent, tg::range(1, 300)))).item(), 0, 1);
  near(tg::eval(tg::mean(tg::cast<float>(tg::uniform(shape, 3) < 0.25f))).item(), 0.25, std::sqrt(0.1875));
}

TEST_CASE("random numbers of a row or a column stand for all") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {4, 6}, arrays::counted(24));
  for (const auto& shape : {std::array<std::int64_t, 2>{4, 1}, {1, 6}, {1, 1}}) {
    const tg::array<float, 2> z(gpu, {shape[0], shape[1]});
    const tg::array<float, 2> own = tg::uniform(z, 5), numbers = tg::normal(z, 6);
    CHECK(tg::eval(tg::uniform(z, 5) + x).to_host() == tg::eval(own + x).to_host());
    CHECK(tg::eval(x * tg::normal(z, 6)).to_host() == tg::eval(x * numbers).to_host());
  }
}
