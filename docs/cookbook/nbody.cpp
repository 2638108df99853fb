// N bodies: a tile of structs in shared memory
//
// Each block loads 128 bodies at a time, and each thread adds up their pull on its own body. All lanes read the same body at
// the same time: a broadcast, no bank conflict. Threads beyond the end take part in loads and barriers; only their store is
// left out.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/dsl/structs/struct_element.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;

struct particle { float x, y, z, m; };
struct acceleration { float x, y, z; };
BOOST_HANA_ADAPT_STRUCT(particle, x, y, z, m);
BOOST_HANA_ADAPT_STRUCT(acceleration, x, y, z);

inline constexpr auto attract = tg::kernel<"attract">(tg::block<128>, [](auto block, tg::in<particle> bodies,
                                                                         tg::out<acceleration> a, tg::scalar<unsigned> n) {
  const auto i = tg::let(block.global_index());
  const auto t = block.thread.x;
  const auto own = tg::let(bodies(tg::min(i, n - 1u)));
  auto tile = tg::shared<particle>(tg::shape<128>);
  tg::var<float> ax = 0.0f, ay = 0.0f, az = 0.0f;
  tg::for_(tg::range(0u, n, 128_c), [&](auto first) {
    const auto j = tg::let(first + t);
    tg::if_(j < n, [&] { tile(t) = bodies(j); }).else_([&] { tile(t) = tg::make_struct<particle>(0.0f, 0.0f, 0.0f, 0.0f); });
    block.sync();
    tg::for_(tg::range(128u), [&](auto k) {
      const auto other = tg::let(tile(k));
      const auto dx = other(&particle::x) - own(&particle::x), dy = other(&particle::y) - own(&particle::y),
                 dz = other(&particle::z) - own(&particle::z);
      const auto r = tg::rsqrt(dx * dx + dy * dy + dz * dz + 0.01f);
      const auto pull = tg::let(other(&particle::m) * r * r * r);
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    });
    block.sync();
  });
  tg::if_(i < n, [&] { a(i) = tg::make_struct<acceleration>(ax, ay, az); });
});

int main() {
  const unsigned n = 307;
  std::vector<particle> h(n);
  for (unsigned k = 0; k < n; ++k)
    h[k] = {std::sin(float(k)), std::cos(2 * float(k)), std::sin(3 * float(k)), 1 + float(k % 3)};
  tg::device gpu;
  const auto bodies = gpu.upload(h);
  auto a = gpu.zeros<acceleration>(n);
  gpu.launch(attract, tg::cover(n), bodies, a, n);
  const auto out = a.to_host();
  double worst = 0;
  for (unsigned i = 0; i < n; ++i) {
    double x = 0, size = 0;
    for (const particle& p : h) {
      const double dx = double(p.x) - h[i].x, dy = double(p.y) - h[i].y, dz = double(p.z) - h[i].z;
      const double pull = p.m / std::pow(dx * dx + dy * dy + dz * dz + 0.01, 1.5);
      x += dx * pull;
      size += pull;
    }
    worst = std::fmax(worst, std::fabs(double(out[i].x) - x) / (1 + size));
  }
  return std::printf("%u bodies, largest relative error %.1e\n", n, worst), worst < 1e-5 ? 0 : 1;
}
