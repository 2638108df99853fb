// A bilateral filter on an image of three bytes per pixel: near pixels of like colour count, edges stay.
#include "checked.hpp"

#include <algorithm>
#include <cmath>

#include <tg/dsl/structs/struct_element.hpp>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_words;

namespace everyday {

struct rgb8 { std::uint8_t r, g, b; };

}  // namespace everyday

BOOST_HANA_ADAPT_STRUCT(everyday::rgb8, r, g, b);

namespace {

using everyday::rgb8;

constexpr int radius = 2;
constexpr float near_pixels = 1.0f / (2 * 1.5f * 1.5f), like_colours = 1.0f / (2 * 30.0f * 30.0f);

inline constexpr auto bilateral = tg::kernel<"bilateral">(
    tg::block<32, 4>, [](auto block, tg::in2<rgb8> image, tg::out2<rgb8> out, tg::scalar<int> width, tg::scalar<int> height) {
      const auto x = tg::let(tg::cast<int>(block.global_index()));
      const auto y = tg::let(tg::cast<int>(block.index.y * 4_c + block.thread.y));
      tg::if_(x < width && y < height, [&] {
        const auto centre = tg::let(image(y, x));
        const auto number = [](const auto& byte) { return tg::cast<float>(byte); };
        const auto r = number(centre(&rgb8::r)), g = number(centre(&rgb8::g)), b = number(centre(&rgb8::b));
        tg::var<float> weights = 0.0f, red = 0.0f, green = 0.0f, blue = 0.0f;
        tg::for_(tg::range(-radius, radius + 1), [&](auto dy) {
          tg::unroll<2 * radius + 1>([&](auto k) {
            constexpr int dx = static_cast<int>(decltype(k)::value) - radius;
            const auto p = tg::let(image(tg::clamp(y + dy, 0, height - 1), tg::clamp(x + dx, 0, width - 1)));
            const auto pr = number(p(&rgb8::r)), pg = number(p(&rgb8::g)), pb = number(p(&rgb8::b));
            const auto far = tg::cast<float>(dy * dy + dx * dx) * near_pixels;
            const auto unlike = ((pr - r) * (pr - r) + (pg - g) * (pg - g) + (pb - b) * (pb - b)) * like_colours;
            const auto w = tg::exp(-(far + unlike));
            weights += w;
            red += w * pr;
            green += w * pg;
            blue += w * pb;
          });
        });
        const auto byte = [&](const auto& sum) { return tg::cast<std::uint8_t>(sum / weights + 0.5f); };
        out(y, x) = tg::make_struct<rgb8>(byte(red), byte(green), byte(blue));
      });
    });

}  // namespace

TEST_CASE("a bilateral filter on pixels of three bytes") {
  for (const auto& size : {std::array<int, 2>{1, 1}, {3, 31}, {4, 32}, {5, 33}, {7, 61}}) {
    const int h = size[0], w = size[1];
    CAPTURE(h);
    CAPTURE(w);
    checked_device on;
    const auto bytes = random_words(static_cast<std::size_t>(3 * h * w), 256, 7);
    std::vector<rgb8> in;
    for (std::size_t k = 0; k < bytes.size(); k += 3)
      in.push_back({std::uint8_t(bytes[k]), std::uint8_t(bytes[k + 1] / 4), std::uint8_t(bytes[k + 2] / 16 + 100)});
    const auto image = on.gpu.upload(in);
    auto out = on.gpu.upload(std::vector<rgb8>(in.size(), {1, 2, 3}));
    on.gpu.launch(bilateral, tg::grid((w + 31) / 32, (h + 3) / 4), tg::matrix(image, h, w), tg::matrix(out, h, w), w, h);
    const auto got = out.to_host();
    int worst = 0;
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        const auto at = [&](int row, int column) {
          return in[static_cast<std::size_t>(std::clamp(row, 0, h - 1) * w + std::clamp(column, 0, w - 1))];
        };
        double weights = 0, sums[3] = {};
        for (int dy = -radius; dy <= radius; ++dy)
          for (int dx = -radius; dx <= radius; ++dx) {
            const rgb8 p = at(y + dy, x + dx), c = at(y, x);
            const double unlike = std::pow(p.r - c.r, 2) + std::pow(p.g - c.g, 2) + std::pow(p.b - c.b, 2);
            const double weight = std::exp(-(dx * dx + dy * dy) * double(near_pixels) - unlike * double(like_colours));
            weights += weight;
            sums[0] += weight * p.r;
            sums[1] += weight * p.g;
            sums[2] += weight * p.b;
          }
        const rgb8 own = got[static_cast<std::size_t>(y * w + x)];
        const int colours[] = {own.r, own.g, own.b};
        for (int c = 0; c < 3; ++c) worst = std::max(worst, std::abs(colours[c] - static_cast<int>(sums[c] / weights + 0.5)));
      }
    CHECK(worst <= 1);  // a mean that lies between two bytes may go either way
  }
}
