// Convolutions of pictures over all channels and their gradients on the host, in double precision.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace tg::kernels::reference {

/// Sizes of a convolution, in the order in which kernels take them, and how far the window moves.
struct conv2d_sizes {
  unsigned pictures, channels, outs, height, width, out_height, out_width, window_height, window_width, top, left, stride = 1;

  unsigned places() const { return window_height * window_width; }
  unsigned pixels() const { return pictures * height * width; }
  unsigned out_pixels() const { return pictures * out_height * out_width; }
};

/// Sums of products, and the sums of their magnitudes.
struct conv2d_sums {
  std::vector<double> value, size;

  explicit conv2d_sums(std::size_t count) : value(count), size(count) {}
  void add(std::size_t at, double term) { value[at] += term, size[at] += std::abs(term); }
};

/// Calls `f(out, in, place)` for each pixel of y and each pixel of x that lies under a place of its window.
template <class F> void for_each_pixel_under(const conv2d_sizes& s, F f) {
  for (unsigned out = 0; out < s.out_pixels(); ++out)
    for (unsigned place = 0; place < s.places(); ++place) {
      const unsigned picture = out / (s.out_height * s.out_width), in_picture = out % (s.out_height * s.out_width);
      const int line = int(in_picture / s.out_width * s.stride + place / s.window_width) - int(s.top);
      const int column = int(in_picture % s.out_width * s.stride + place % s.window_width) - int(s.left);
      if (line < 0 || column < 0 || line >= int(s.height) || column >= int(s.width)) continue;
      f(std::size_t{out}, (std::size_t{picture} * s.height + unsigned(line)) * s.width + unsigned(column), std::size_t{place});
    }
}

/// y of x and w, without gaps between rows.
template <class T> conv2d_sums conv2d(const std::vector<T>& x, const std::vector<T>& w, const conv2d_sizes& s) {
  conv2d_sums y(std::size_t{s.out_pixels()} * s.outs);
  for_each_pixel_under(s, [&](std::size_t out, std::size_t in, std::size_t place) {
    for (std::size_t o = 0; o < s.outs; ++o)
      for (std::size_t c = 0; c < s.channels; ++c)
        y.add(out * s.outs + o, double(x[in * s.channels + c]) * double(w[(o * s.places() + place) * s.channels + c]));
  });
  return y;
}
/// The gradient of x, of that of y and w.
template <class T> conv2d_sums conv2d_data_gradient(const std::vector<T>& dy, const std::vector<T>& w, const conv2d_sizes& s) {
  conv2d_sums dx(std::size_t{s.pixels()} * s.channels);
  for_each_pixel_under(s, [&](std::size_t out, std::size_t in, std::size_t place) {
    for (std::size_t o = 0; o < s.outs; ++o)
      for (std::size_t c = 0; c < s.channels; ++c)
        dx.add(in * s.channels + c, double(dy[out * s.outs + o]) * double(w[(o * s.places() + place) * s.channels + c]));
  });
  return dx;
}
/// The gradient of w, of that of y and x.
template <class T>
conv2d_sums conv2d_weight_gradient(const std::vector<T>& dy, const std::vector<T>& x, const conv2d_sizes& s) {
  conv2d_sums dw(std::size_t{s.outs} * s.places() * s.channels);
  for_each_pixel_under(s, [&](std::size_t out, std::size_t in, std::size_t place) {
    for (std::size_t o = 0; o < s.outs; ++o)
      for (std::size_t c = 0; c < s.channels; ++c)
        dw.add((o * s.places() + place) * s.channels + c, double(dy[out * s.outs + o]) * double(x[in * s.channels + c]));
  });
  return dw;
}

}  // namespace tg::kernels::reference
