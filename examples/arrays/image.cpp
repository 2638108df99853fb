// Filters of a photograph, with slices
//
// Grey, blurred, its edges, brightened: each is an expression over slices of the picture.
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <examples/picture.hpp>
#include <tg/array.hpp>

int main(int count, char** arguments) {
  tg::device gpu;
  const auto photo = examples::load_picture(count > 1 ? arguments[1] : "examples/pictures/chelsea.png");
  const std::int64_t rows = photo.height, columns = photo.width;
  const tg::array<std::uint8_t, 3> picture(gpu, {rows, columns, 3}, photo.rgb);

  const auto channel = [&](int c) { return tg::cast<float>(picture(tg::full_extent, tg::full_extent, c)); };
  const tg::array<float, 2> grey = channel(0) * 0.299f + channel(1) * 0.587f + channel(2) * 0.114f;
  const auto along = [&](const auto& x) { return tg::shifted<1>(x, -1) * 0.25f + x * 0.5f + tg::shifted<1>(x, 1) * 0.25f; };
  const auto down = [&](const auto& x) { return tg::shifted<0>(x, -1) * 0.25f + x * 0.5f + tg::shifted<0>(x, 1) * 0.25f; };
  const tg::array<float, 2> half = along(grey), soft = down(half);
  const tg::array<float, 2> edges = tg::sqrt((tg::shifted<1>(soft, 1) - soft) * (tg::shifted<1>(soft, 1) - soft) +
                                             (tg::shifted<0>(soft, 1) - soft) * (tg::shifted<0>(soft, 1) - soft));
  const tg::array<std::uint8_t, 2> bright = tg::cast<std::uint8_t>(tg::min(edges / tg::max(edges) * 255.0f * 2.0f, 255.0f));

  const float mean = tg::eval(tg::mean(grey)).item(), of_soft = tg::eval(tg::mean(soft)).item();
  std::printf("%lld x %lld, mean grey %.2f, %.2f when blurred, brightest edge %d\n", static_cast<long long>(rows),
              static_cast<long long>(columns), static_cast<double>(mean), static_cast<double>(of_soft),
              tg::eval(tg::max(bright)).item());
  return std::abs(mean - of_soft) < 1 && tg::eval(tg::max(bright)).item() == 255 ? 0 : 1;
}
