#include <kernels/mandelbrot.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/mandelbrot.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> void check(T left, T top, T step) {
  tg::device gpu;
  for (const int width : {1, 31, 32, 33, 61})
    for (const int height : {1, 7, 8, 9, 17})
      for (const unsigned limit : {0u, 1u, 200u}) {
        CAPTURE(width);
        CAPTURE(height);
        CAPTURE(limit);
        inputs::rows<unsigned> counts(gpu, std::size_t(height), std::size_t(width), std::size_t(width) + 3);
        gpu.launch(mandelbrot<T>, tg::cover(width, height), counts.matrix(), width, height, left, top, step, limit);
        std::vector<unsigned> wanted;
        for (int r = 0; r < height; ++r)
          for (int c = 0; c < width; ++c) wanted.push_back(reference::mandelbrot(c, r, left, top, step, limit));
        CHECK((counts.to_host() == wanted));
      }
}

}  // namespace

TEST_CASE("counts are those of the host, to the last step") {
  inputs::generator random;
  INFO("seed ", random.seed);
  check<float>(-2 + random.between(-0.1f, 0.1f), -1, 0.05f);
  check<double>(-0.75, 0.1 + random.between(-1e-3f, 1e-3f), 1e-4);
}
