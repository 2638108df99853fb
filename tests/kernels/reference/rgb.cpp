#include <kernels/reference/rgb.hpp>

#include <doctest/doctest.h>

using namespace tg::kernels::reference;

TEST_CASE("a picture goes on beyond its edge") {
  const std::vector<std::uint8_t> bytes{0, 51, 102, 153, 204, 255, 1, 2, 3, 4, 5, 6};  // two rows of two pixels
  const auto picture = to_picture(bytes, 2, 2);
  CHECK(picture.at(0, 1, 2) == 1.0);
  CHECK(picture.at(1, 0, 1) == 2 / 255.0);
  CHECK(picture.at(-5, 7, 0) == picture.at(0, 1, 0));
  CHECK(picture.at(9, -1, 2) == picture.at(1, 0, 2));
  CHECK(picture.at(0, 0, 0) != picture.at(0, 1, 0));
}

TEST_CASE("map visits each sample in its place") {
  const auto picture = to_picture(std::vector<std::uint8_t>(18), 3, 2).map([](int row, int pixel, int channel) {
    return 100.0 * row + 10.0 * pixel + channel;
  });
  CHECK(picture.samples.size() == 18);
  CHECK(picture.at(1, 2, 1) == 121.0);
  CHECK(picture.samples[3] == 10.0);
}
