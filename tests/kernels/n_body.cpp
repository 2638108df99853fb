#include <kernels/n_body.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/n_body.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

std::vector<float> pulled(const std::vector<float>& bodies, float softening, float g) {
  tg::device gpu;
  const auto n = static_cast<unsigned>(bodies.size() / 4);
  const auto on_bodies = gpu.upload(bodies);
  auto pull = gpu.upload(std::vector<float>(bodies.size(), inputs::poison<float>()));
  gpu.launch(n_body, n_body_grid(n), on_bodies, pull, n, softening, g);
  return pull.to_host();
}

}  // namespace

TEST_CASE("bodies pull on each other") {
  inputs::generator random;
  for (const unsigned n : {1u, 2u, 255u, 256u, 257u, 512u, 1009u})
    for (const float softening : {0.001f, 0.1f, 3.0f}) {
      INFO("seed ", random.seed, ", n ", n, ", softening ", softening);
      const auto bodies = random.floats(std::size_t{4} * n, -10, 10);  // masses of both signs
      const auto wanted = reference::n_body(bodies, softening, 2.5f);
      CHECK(inputs::largest_excess<float>(pulled(bodies, softening, 2.5f), wanted.value, [&](std::size_t i) {
              return (24 + n) * inputs::unit_roundoff * wanted.size[i];
            }) <= 0);
    }
}

TEST_CASE("two equal bodies are pulled as strongly, each to the other; one alone is not pulled") {
  const auto two = pulled({-1, -1, -1, 3, 1, 1, 1, 3}, 0.5f, 1);
  for (std::size_t c = 0; c < 3; ++c) CHECK(two[c] == -two[4 + c]);
  CHECK(two[0] > 0);
  CHECK(two[3] == two[7]);
  CHECK((pulled({5, 6, 7, 8}, 0.25f, 1) == std::vector<float>{0, 0, 0, 0}));
}
