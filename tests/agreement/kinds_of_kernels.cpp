// Kernels of the kinds that people write, each judged by the analysis and by the emulator's checkers; the share of
// answers that stay open.
#include "verdicts.hpp"

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/memory/fence.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>

using namespace tg::literals;

namespace {

std::size_t answers = 0, open = 0;

template <int Threads = 64, class Statements>
void judge(const char* name, bool is_clean, const verdicts::launch& with, Statements statements) {
  CAPTURE(name);
  const auto kernel = verdicts::kernel_of<Threads>(statements);
  const auto found = tg::analyze(kernel);
  INFO(found.text());
  answers += found.verdicts().size();
  open += found.unknown().size();
  CHECK(verdicts::is_found(kernel, with) != is_clean);
  if (is_clean) CHECK(found.refuted().empty());
  else CHECK_FALSE((found.refuted().empty() && found.unknown().empty()));
}

auto tile_of_64() { return tg::shared<float>(tg::shape<64>); }

/// The sum of a block's 64 values in tile(0).
template <class B, class Tile> void add_up(const B& b, const Tile& tile, bool meets) {
  tg::unroll<6>([&](auto l) {
    constexpr auto d = tg::constant<(32 >> l.value)>{};
    if (meets) b.sync();
    tg::if_(b.thread.x < d, [&] { tile(b.thread.x) += tile(b.thread.x + d); });
  });
  b.sync();
}

}  // namespace

TEST_CASE("rows and reductions") {
  for (const bool is_clean : {true, false}) {
    judge("layer norm", is_clean, {.n = 200}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      const auto tile = tile_of_64();
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(b.thread.x, n, 64_c), [&](auto i) { sum += x(b.index.x * 256_c + i); });
      tile(b.thread.x) = sum;
      add_up(b, tile, is_clean);
      const auto mean = tg::let(tile(0_c) / tg::cast<float>(n));
      b.sync();
      tg::var<float> squares = 0.0f;
      tg::for_(tg::range(b.thread.x, n, 64_c), [&](auto i) {
        const auto d = tg::let(x(b.index.x * 256_c + i) - mean);
        squares += d * d;
      });
      tile(b.thread.x) = squares;
      add_up(b, tile, true);
      const auto scale = tg::let(tg::rsqrt(tile(0_c) / tg::cast<float>(n) + 1e-5f));
      tg::if_(n <= 256u, [&] {
        tg::for_(tg::range(b.thread.x, n, 64_c),
                 [&](auto i) { y(b.index.x * 256_c + i) = (x(b.index.x * 256_c + i) - mean) * scale; });
      });
    });
    judge("softmax of a row", is_clean, {.n = 64}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tile_of_64();
      const auto own = tg::let(x(b.global_index()));
      tile(b.thread.x) = own;
      b.sync();
      tg::var<float> most = own;
      tg::for_(tg::range(64_c), [&](auto i) { most = tg::max(most.get(), tile(i)); });
      if (is_clean) b.sync();
      tile(b.thread.x) = tg::exp(own - most);
      b.sync();
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(64_c), [&](auto i) { sum += tile(i); });
      y(b.global_index()) = tg::exp(own - most) / sum;
    });
    judge("grid-stride sum with one atomic per block", is_clean, {.n = 500},
          [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
            const auto tile = tile_of_64();
            tg::var<float> sum = 0.0f;
            tg::for_(tg::range(b.global_index(), n, b.grid.x * 64_c), [&](auto i) { sum += x(i); });
            tile(b.thread.x) = sum;
            add_up(b, tile, is_clean);
            tg::if_(b.thread.x == 0u, [&] { tg::atomic_add(y(0_c), tile(0_c)); });
          });
    judge("grid-stride copy", is_clean, {.n = 500}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      tg::for_(tg::range(b.global_index(), n, b.grid.x * (is_clean ? 64u : 32u)),
               [&](auto i) { y(tg::scatter(i)) = x(tg::gather(i)) + tg::cast<float>(b.index.x); });
    });
    judge("histogram in shared memory", is_clean, {.n = 500}, [=](auto b, auto, auto y, auto, auto u, auto n, auto) {
      const auto bins = tg::shared<unsigned>(tg::shape<64>);
      bins(b.thread.x) = 0u;
      if (is_clean) b.sync();
      tg::for_(tg::range(b.global_index(), n, b.grid.x * 64_c),
               [&](auto i) { tg::atomic_add(bins(tg::scatter((u(tg::gather(i)) + 1u) & 63u)), 1u); });
      b.sync();
      tg::atomic_add(y(b.thread.x), tg::cast<float>(bins(b.thread.x)));
    });
  }
}

TEST_CASE("blocks that know of each other") {
  for (const bool is_clean : {true, false}) {
    judge("the last block adds up", is_clean, {.grid = 3}, [=](auto b, auto x, auto y, auto z, auto u, auto...) {
      y(b.global_index()) = x(b.global_index());
      if (is_clean) tg::fence<>();
      b.sync();
      const auto last = tg::shared<unsigned>(tg::shape<1>);
      tg::if_(b.thread.x == 0u, [&] { last(0_c) = tg::atomic_add<tg::order::acq_rel, tg::scope::gpu>(u(0_c), 1u); });
      b.sync();
      tg::if_(last(0_c) + (is_clean ? 1u : 2u) == b.grid.x, [&] {
        tg::var<float> sum = 0.0f;
        tg::for_(tg::range(b.grid.x), [&](auto k) { sum += y(k * 64_c + b.thread.x); });
        z(b.thread.x) = sum;
      });
    });
    judge("look back to the block before", is_clean, {.grid = 3}, [=](auto b, auto x, auto y, auto z, auto u, auto...) {
      const auto tile = tile_of_64();
      tile(b.thread.x) = x(b.global_index());
      add_up(b, tile, true);
      tg::if_(b.thread.x == 0u, [&] {
        tg::var<float> before = 0.0f;
        tg::if_(b.index.x > 0u, [&] {
          if (is_clean) {
            tg::var<unsigned> seen = 0u;
            tg::while_([&] { return seen < 1000000u; }, [&] { seen = tg::atomic_load<tg::order::acquire>(u(b.index.x)); });
          }
          before = y(b.index.x - 1u);
        });
        y(b.index.x) = before + tile(0_c);
        tg::atomic_store<tg::order::release>(u(b.index.x + 1u), 2000000u);
      });
      z(b.global_index()) = tile(0_c);
    });
    judge("tickets as places", is_clean, {.grid = 3}, [=](auto b, auto x, auto y, auto, auto u, auto...) {
      const auto ticket = tg::let(tg::atomic_add(u(0_c), is_clean ? 1u : 0u));
      y(tg::scatter(ticket & 1023u)) = x(b.global_index());
    });
    judge("neighbours' edges", is_clean, {.grid = 3}, [=](auto b, auto x, auto y, auto z, auto...) {
      const auto g = tg::let(b.global_index());
      const auto from = is_clean ? x(g + 1_c) : x(g + 2_c);
      y(g) = from;
      if (is_clean) z(g) = from + 1.0f;
      else z(g) = y(g + 1_c);
    });
  }
}

TEST_CASE("tiles that move") {
  for (const bool is_clean : {true, false}) {
    judge("two stages of copies", is_clean, {.n = 8}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      const auto ring = tg::shared<float>(tg::shape<2, 64>);
      ring(0_c, b.thread.x) = x(b.thread.x);
      b.sync();
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(1_c, n), [&](auto k) {
        ring(k % 2_c, b.thread.x) = x(k * 64_c + b.thread.x);
        sum += ring((k + 1_c) % 2_c, 63_c - b.thread.x);
        if (is_clean) b.sync();
      });
      y(b.global_index()) = sum;
    });
    judge("asynchronous copies in flight", is_clean, {.n = 8}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(n), [&](auto k) {
        tg::async_copy(tile(b.thread.x), x(k * 64_c + b.thread.x));
        auto first = tg::async_groups<>{}.commit();
        (void)first.wait(0_c);
        if (is_clean) b.sync();
        sum += tile(63_c - b.thread.x);
        b.sync();
      });
      y(b.global_index()) = sum;
    });
    judge<256>("transpose through a tile", is_clean, {.grid = 1}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<16 * 17>);
      const auto row = tg::let(b.thread.x / 16_c);
      const auto column = tg::let(b.thread.x % 16_c);
      tile(tg::scatter(row * 17u + column)) = x(b.thread.x);
      if (is_clean) b.sync();
      y(b.thread.x) = tile(tg::gather(column * 17u + row));
    });
    judge("one stage of a butterfly", is_clean, {.grid = 2, .n = 3}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<128>);
      tile(b.thread.x) = x(b.global_index());
      tile(b.thread.x + 64_c) = x(b.global_index() + 1024_c);
      b.sync();
      tg::unroll<6>([&](auto l) {
        constexpr unsigned half = 1u << l.value;
        const auto low = tg::let((b.thread.x / half) * (2u * half) + b.thread.x % half);
        const auto a = tg::let(tile(tg::gather(low)));
        const auto c = tg::let(tile(tg::gather(low + half)));
        if (is_clean) b.sync();
        tile(tg::scatter(low)) = a + c;
        tile(tg::scatter(is_clean ? low + half : low + half + half)) = a - c;
        b.sync();
      });
      y(b.global_index()) = tile(b.thread.x);
    });
    judge("bitonic step at run time", is_clean, {.n = 3}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tile_of_64();
      tile(b.thread.x) = x(b.global_index());
      tg::var<unsigned> d = 32u;
      tg::while_([&] { return d > 0u; },
                 [&] {
                   b.sync();
                   const auto other = tg::let(b.thread.x ^ d.get());
                   const auto mine = tg::let(tile(b.thread.x));
                   const auto yours = tg::let(tile(tg::gather(other)));
                   if (is_clean) b.sync();
                   tile(b.thread.x) = tg::select(b.thread.x < other, tg::min(mine, yours), tg::max(mine, yours));
                   d >>= 1;
                 });
      y(b.global_index()) = tile(b.thread.x);
    });
    judge("scan in two tiles", is_clean, {}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<2, 64>);
      tile(0_c, b.thread.x) = x(b.global_index());
      tg::unroll<6>([&](auto l) {
        constexpr int d = 1 << l.value;
        constexpr tg::constant<l.value % 2> from;
        constexpr tg::constant<(l.value + 1) % 2> to;
        if (is_clean || l.value != 3) b.sync();
        tg::var<float> sum = tile(from, b.thread.x);
        tg::if_(b.thread.x >= tg::constant<d>{}, [&] { sum += tile(from, b.thread.x - tg::constant<d>{}); });
        tile(to, b.thread.x) = sum;
      });
      y(b.global_index()) = tile(0_c, b.thread.x);
    });
    judge("stencil with a halo", is_clean, {}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<66>);
      tile(b.thread.x + 1_c) = x(b.global_index() + 1_c);
      tg::if_(b.thread.x == 0u, [&] { tile(0_c) = x(b.global_index()); });
      if (is_clean) tg::if_(b.thread.x == 63u, [&] { tile(65_c) = x(b.global_index() + 2_c); });
      b.sync();
      y(b.global_index()) = tile(b.thread.x) + tile(b.thread.x + 1_c) + tile(b.thread.x + 2_c);
    });
  }
}

TEST_CASE("indices that are computed") {
  for (const bool is_clean : {true, false}) {
    judge("pages of a cache", is_clean, {.n = 5}, [=](auto b, auto x, auto y, auto, auto u, auto n, auto) {
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(n), [&](auto k) {
        const auto page = tg::let(u(k + b.index.x * 8_c) & 15u);
        sum += x(tg::gather(page * 64u + b.thread.x));
      });
      if (is_clean) y(b.global_index()) = sum;
      else y(tg::scatter((u(b.index.x) & 1u) * 0u + b.thread.x)) = sum + tg::cast<float>(b.index.x);
    });
    judge("indices of 64 bits", is_clean, {.w = 120}, [=](auto b, auto x, auto y, auto, auto, auto, auto w) {
      const auto i = tg::let(tg::cast<unsigned long long>(b.index.x) * (is_clean ? 64ull : 32ull) +
                             tg::cast<unsigned long long>(b.thread.x));
      tg::if_(i < w, [&] { y(tg::scatter(i)) = x(tg::gather(i)) + tg::cast<float>(b.index.x); });
    });
    judge<96>("blocks of three warps", is_clean, {}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<96>);
      tile(b.thread.x) = x(b.global_index());
      if (is_clean) b.sync();
      else b.warp().sync();
      y(b.global_index()) = tile(95_c - b.thread.x);
    });
    judge<33>("blocks of a warp and one thread", is_clean, {}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<33>);
      tile(b.thread.x) = x(b.thread.x);
      if (is_clean) b.sync();
      y(b.global_index()) = tile(32_c - b.thread.x);
    });
    judge("reversed within what is there", is_clean, {.n = 100}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      const auto g = tg::let(b.global_index());
      tg::if_(g < n, [&] { y(tg::scatter(is_clean ? n - 1u - g : (n - 1u - g) >> 1)) = x(g); });
    });
    judge("several elements each", is_clean, {.n = 500}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      tg::unroll<4>([&](auto k) {
        const auto i = b.index.x * (is_clean ? 256u : 192u) + tg::constant<k.value * 64>{} + b.thread.x;
        tg::if_(i < n, [&] { y(i) = x(i) + tg::cast<float>(b.index.x); });
      });
    });
    judge("a padded convolution", is_clean, {.n = 100}, [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      const auto tile = tg::shared<float>(tg::shape<68>);
      tg::for_(tg::range(b.thread.x, 68_c, 64_c), [&](auto i) {
        const auto at = tg::let(b.index.x * 64u + i - 2u);
        tg::if_(at < n, [&] { tile(i) = x(tg::gather(at)); });
        if (is_clean) tg::if_(at >= n, [&] { tile(i) = 0.0f; });
      });
      b.sync();
      tg::var<float> sum = 0.0f;
      tg::unroll<5>([&](auto k) { sum += tile(b.thread.x + tg::constant<k.value>{}); });
      y(b.global_index()) = sum;
    });
    judge<128>("producers and consumers", is_clean, {.n = 4}, [=](auto b, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      const auto full = tg::barrier<1>(b, 128_c);
      tg::if_(b.thread.x < 64u, [&] {
        tile(b.thread.x) = x(b.thread.x);
        if (is_clean) full.arrive();
      }).else_([&] {
        full.sync();
        y(b.index.x * 64u + (127u - b.thread.x)) = tile(tg::gather(127u - b.thread.x));
      });
    });
  }
  MESSAGE("unknown: ", open, " of ", answers, " answers");
  CHECK(answers > 300);
  CHECK(open * 10 < answers);
}
