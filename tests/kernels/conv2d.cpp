#include <kernels/conv2d.hpp>

#include <kernels/reference/conv2d.hpp>

#include "inputs.hpp"

using namespace tg::kernels;
using reference::conv2d_sizes;
using reference::conv2d_sums;

namespace {

/// Sizes from the window, the zeros around a picture and the stride.
conv2d_sizes sizes(unsigned pictures, unsigned channels, unsigned outs, unsigned height, unsigned width, unsigned window,
                   unsigned zeros, unsigned stride = 1) {
  return {pictures,
          channels,
          outs,
          height,
          width,
          (height + 2 * zeros - window) / stride + 1,
          (width + 2 * zeros - window) / stride + 1,
          window,
          window,
          zeros,
          zeros,
          stride};
}

template <class T> std::vector<T> numbers(inputs::generator& random, std::size_t count) {
  std::vector<T> out;
  for (const float x : random.floats(count)) out.push_back(T(x));
  return out;
}

/// How far sums of `terms` products may be off, rounded to a type of which `unit` is half a unit in the last place.
auto bound(const conv2d_sums& wanted, double terms, double unit) {
  return [&wanted, terms, unit](std::size_t i) {
    return (terms + 2) * 0x1p-23 * wanted.size[i] + unit * std::abs(wanted.value[i]) + 0x1p-25;
  };
}

/// One convolution and its gradients on a device.
template <class T, unsigned Stride> class trial {
 public:
  explicit trial(const conv2d_sizes& s) : s_(s) {}

  void check() {
    INFO("seed ", random_.seed, ", channels ", s_.channels, " to ", s_.outs, ", ", s_.height, " x ", s_.width, " by ",
         s_.window_height, " x ", s_.window_width, ", stride ", Stride, ", zeros ", s_.top);
    check_forward();
    check_data_gradient();
    for (const unsigned parts : {1u, 3u}) check_weight_gradient(parts);
  }

 private:
  static constexpr double unit = std::is_same_v<T, tg::bf16> ? 0x1p-8 : 0x1p-11;

  template <class... A> void launch(const auto& kernel, const tg::placement& grid, A&&... arguments) {
    gpu_.launch(kernel, grid, arguments..., s_.pictures, s_.channels, s_.outs, s_.height, s_.width, s_.out_height, s_.out_width,
                s_.window_height, s_.window_width, s_.top, s_.left);
  }
  inputs::rows<T> placed(const std::vector<T>& dense, std::size_t columns) {
    return {gpu_, dense, dense.size() / columns, columns, columns + 8};
  }
  void compare(const inputs::rows<T>& found, const conv2d_sums& wanted, double terms) {
    CHECK(inputs::largest_excess<T>(found.to_host(), wanted.value, bound(wanted, terms, unit)) <= 0);
  }

  void check_forward() {
    inputs::rows<T> on_x = placed(x_, s_.channels), on_w = placed(w_, s_.channels);
    inputs::rows<T> y(gpu_, s_.out_pixels(), s_.outs, s_.outs + 8);
    launch(conv2d<T, Stride>(gemm_sums), conv2d_grid(s_.out_pixels(), s_.outs), on_x.matrix(), on_w.matrix(), y.matrix());
    compare(y, reference::conv2d(x_, w_, s_), s_.places() * s_.channels);
  }
  void check_data_gradient() {
    inputs::rows<T> on_dy = placed(dy_, s_.outs), on_w = placed(w_, s_.channels);
    inputs::rows<T> dx(gpu_, s_.pixels(), s_.channels, s_.channels + 8);
    launch(conv2d_data_gradient<T, Stride>, conv2d_grid(s_.pixels(), s_.channels), on_dy.matrix(), on_w.matrix(), dx.matrix());
    compare(dx, reference::conv2d_data_gradient(dy_, w_, s_), s_.places() * s_.outs);
  }
  void check_weight_gradient(unsigned parts) {
    inputs::rows<T> on_dy = placed(dy_, s_.outs), on_x = placed(x_, s_.channels);
    const std::size_t width = std::size_t{s_.places()} * s_.channels;
    inputs::rows<float> dw(gpu_, std::size_t{parts} * s_.outs, width, width + 4);
    launch(conv2d_weight_gradient<T, Stride>, conv2d_weight_grid(s_.channels, s_.outs, s_.places(), parts), on_dy.matrix(),
           on_x.matrix(), dw.matrix(), parts);
    const auto found = dw.to_host();
    const auto wanted = reference::conv2d_weight_gradient(dy_, x_, s_);
    std::vector<float> sum(wanted.value.size());
    for (std::size_t i = 0; i < found.size(); ++i) sum[i % sum.size()] += found[i];
    CHECK(inputs::largest_excess<float>(sum, wanted.value, bound(wanted, s_.out_pixels() + parts, 0x1p-23)) <= 0);
  }

  conv2d_sizes s_;
  inputs::generator random_;
  tg::device gpu_;
  std::vector<T> x_ = numbers<T>(random_, std::size_t{s_.pixels()} * s_.channels),
                 w_ = numbers<T>(random_, std::size_t{s_.outs} * s_.places() * s_.channels),
                 dy_ = numbers<T>(random_, std::size_t{s_.out_pixels()} * s_.outs);
};

}  // namespace

TEST_CASE("convolutions over all channels and their gradients") {
  trial<tg::bf16, 1>(sizes(1, 8, 8, 1, 1, 1, 0)).check();
  trial<tg::bf16, 1>(sizes(2, 16, 24, 7, 9, 3, 1)).check();
  trial<tg::f16, 1>(sizes(1, 40, 136, 5, 28, 3, 0)).check();
  trial<tg::bf16, 1>(sizes(3, 8, 16, 6, 5, 5, 2)).check();
}

TEST_CASE("windows that move by two and by three pixels") {
  trial<tg::bf16, 2>(sizes(2, 24, 16, 9, 8, 3, 1, 2)).check();
  trial<tg::f16, 2>(sizes(1, 8, 8, 13, 11, 1, 0, 2)).check();
  trial<tg::f16, 3>(sizes(1, 16, 8, 10, 13, 5, 2, 3)).check();
}

TEST_CASE("what is no number reaches only the pixels whose window has it") {
  tg::device gpu;
  const conv2d_sizes s = sizes(1, 8, 8, 9, 9, 3, 1);
  std::vector<tg::bf16> x(s.pixels() * s.channels, tg::bf16(1.0f)), w(s.outs * s.places() * s.channels, tg::bf16(0.5f));
  x[(4 * s.width + 4) * s.channels] = tg::bf16(std::numeric_limits<float>::quiet_NaN());
  const auto on_x = gpu.upload(x), on_w = gpu.upload(w);
  auto y = gpu.zeros<tg::bf16>(s.out_pixels() * s.outs);
  gpu.launch(conv2d<tg::bf16>(gemm_sums), conv2d_grid(s.out_pixels(), s.outs), tg::matrix(on_x, s.pixels(), s.channels),
             tg::matrix(on_w, s.outs * s.places(), s.channels), tg::matrix(y, s.out_pixels(), s.outs), s.pictures, s.channels,
             s.outs, s.height, s.width, s.out_height, s.out_width, s.window_height, s.window_width, s.top, s.left);
  const auto found = y.to_host();
  for (unsigned pixel = 0; pixel < s.out_pixels(); ++pixel) {
    const int line = int(pixel / s.width), column = int(pixel % s.width);
    CHECK(std::isnan(float(found[pixel * s.outs])) == (std::abs(line - 4) <= 1 && std::abs(column - 4) <= 1));
  }
}

TEST_CASE("an epilogue adds a bias and takes the larger of the sum and zero") {
  tg::device gpu;
  const conv2d_sizes s = sizes(1, 8, 16, 4, 4, 3, 1);
  const auto kernel = conv2d<tg::f16, 1, tg::in<float>>(
      [](const auto& sum, const auto& at, auto bias) { return tg::max(sum + at.of_columns(bias), 0.0f); });
  inputs::generator random;
  const auto x = numbers<tg::f16>(random, s.pixels() * s.channels),
             w = numbers<tg::f16>(random, s.outs * s.places() * s.channels);
  const auto bias = random.floats(s.outs);
  const auto on_x = gpu.upload(x), on_w = gpu.upload(w);
  const auto on_bias = gpu.upload(bias);
  auto y = gpu.zeros<tg::f16>(s.out_pixels() * s.outs);
  gpu.launch(kernel, conv2d_grid(s.out_pixels(), s.outs), tg::matrix(on_x, s.pixels(), s.channels),
             tg::matrix(on_w, s.outs * s.places(), s.channels), tg::matrix(y, s.out_pixels(), s.outs), s.pictures, s.channels,
             s.outs, s.height, s.width, s.out_height, s.out_width, s.window_height, s.window_width, s.top, s.left, on_bias);
  const auto found = y.to_host();
  const auto wanted = reference::conv2d(x, w, s);
  for (std::size_t i = 0; i < found.size(); ++i)
    CHECK(double(found[i]) == doctest::Approx(std::max(wanted.value[i] + bias[i % s.outs], 0.0)).epsilon(0.01));
}
