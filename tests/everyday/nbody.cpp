// Gravity between bodies: structs of four numbers, read once per block into a tile of structs.
#include "checked.hpp"

#include <cmath>

#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/structs/struct_element.hpp>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;

namespace everyday {

struct particle { float x, y, z, m; };
struct acceleration { float x, y, z; };

}  // namespace everyday

BOOST_HANA_ADAPT_STRUCT(everyday::particle, x, y, z, m);
BOOST_HANA_ADAPT_STRUCT(everyday::acceleration, x, y, z);

namespace {

using everyday::acceleration;
using everyday::particle;

constexpr unsigned tile_size = 128;
constexpr float softening = 1e-2f;

inline constexpr auto attract = tg::kernel<"attract">(
    tg::block<tile_size>, [](auto block, tg::in<particle> bodies, tg::out<acceleration> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      const auto t = block.thread.x;
      const auto own = tg::let(bodies(tg::min(i, n - 1u)));
      auto tile = tg::shared<particle>(tg::shape<tile_size>);
      tg::var<float> ax = 0.0f, ay = 0.0f, az = 0.0f;
      tg::for_(tg::range(0u, n, tg::constant<tile_size>{}), [&](auto first) {
        const auto j = tg::let(first + t);
        tg::if_(j < n, [&] { tile(t) = bodies(j); }).else_([&] {
          tile(t) = tg::make_struct<particle>(0.0f, 0.0f, 0.0f, 0.0f);
        });
        block.sync();
        tg::for_(tg::range(tile_size), [&](auto k) {
          const auto other = tg::let(tile(k));
          const auto dx = other(&particle::x) - own(&particle::x), dy = other(&particle::y) - own(&particle::y),
                     dz = other(&particle::z) - own(&particle::z);
          const auto r = tg::rsqrt(dx * dx + dy * dy + dz * dz + softening);
          const auto pull = other(&particle::m) * r * r * r;
          ax += dx * pull;
          ay += dy * pull;
          az += dz * pull;
        });
        block.sync();
      });
      tg::if_(i < n, [&] { a(i) = tg::make_struct<acceleration>(ax, ay, az); });
    });

}  // namespace

TEST_CASE("n bodies, as structs of their coordinates and mass") {
  for (const unsigned n : {1u, tile_size - 1, tile_size, tile_size + 1, 307u}) {
    CAPTURE(n);
    checked_device on;
    const auto at = random_numbers(4 * n, -1, 1, 5);
    std::vector<particle> h;
    for (unsigned i = 0; i < n; ++i) h.push_back({at[4 * i], at[4 * i + 1], at[4 * i + 2], 1 + at[4 * i + 3]});
    const auto bodies = on.gpu.upload(h);
    auto a = on.gpu.upload(std::vector<acceleration>(n, {NAN, NAN, NAN}));
    on.gpu.launch(attract, tg::cover(n), bodies, a, n);
    const auto out = a.to_host();
    for (unsigned i = 0; i < n; ++i) {
      double x = 0, y = 0, z = 0, size = 0;
      for (const particle& p : h) {
        const double dx = double(p.x) - h[i].x, dy = double(p.y) - h[i].y, dz = double(p.z) - h[i].z;
        const double pull = p.m / std::pow(dx * dx + dy * dy + dz * dz + softening, 1.5);
        x += dx * pull;
        y += dy * pull;
        z += dz * pull;
        size += pull;
      }
      const double error = std::abs(out[i].x - x) + std::abs(out[i].y - y) + std::abs(out[i].z - z);
      CHECK(error <= 1e-5 * (1 + size));
    }
  }
}

TEST_CASE("a body is one access of sixteen bytes") {
  const auto text = tg::lower(attract).ptx;
  const auto count = [&](const char* what) {
    std::size_t out = 0;
    for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++out;
    return out;
  };
  CHECK(count("ld.global.nc.v4.f32") == 2);
  CHECK(count("st.shared.v4.f32") == 2);
  CHECK(count("ld.shared.v4.f32") >= 1);
  CHECK(count("st.global.f32") == 3);
}
