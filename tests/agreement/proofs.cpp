// Proofs and refutations where numbers wrap around, blocks meet, and data decides: the analysis and the emulator's
// checkers agree on a faulty kernel and its clean twin.
#include "verdicts.hpp"

using verdicts::check_clean;
using verdicts::check_faulty;
using namespace tg::literals;

namespace {

auto tile_of_64() { return tg::shared<float>(tg::shape<64>); }

/// Threads exchange elements of a tile; `meets`: with a barrier between.
template <class B, class X, class Y> void mirror(const B& b, const X& x, const Y& y, bool meets) {
  const auto tile = tile_of_64();
  tile(b.thread.x) = x(b.thread.x);
  if (meets) b.sync();
  y(b.global_index()) = tile(63_c - b.thread.x);
}

}  // namespace

TEST_CASE("blocks are compared although no address reads their number") {
  check_faulty({}, [](auto b, auto, auto y, auto...) { y(b.thread.x) = tg::cast<float>(b.index.x); });
  check_clean({}, [](auto b, auto, auto y, auto...) { y(b.global_index()) = tg::cast<float>(b.index.x); });
}

TEST_CASE("blocks that take tickets share what they all write") {
  check_faulty({}, [](auto b, auto, auto y, auto, auto u, auto...) {
    const auto ticket = tg::let(tg::atomic_add(u(0_c), 1u));
    y(b.thread.x) = tg::cast<float>(ticket);
  });
  check_clean({}, [](auto b, auto, auto y, auto, auto u, auto...) {
    const auto ticket = tg::let(tg::atomic_add(u(0_c), 1u));
    y(b.global_index()) = tg::cast<float>(ticket);
  });
}

TEST_CASE("a kernel that never looks at its blocks is proved for one, and says so") {
  const auto kernel = verdicts::kernel_of<64>([](auto b, auto x, auto y, auto...) { y(b.thread.x) = x(b.thread.x); });
  const auto answers = tg::analyze(kernel);
  CHECK(answers.race_free());
  CHECK(answers.assumed().one_block_x);
  CHECK(answers.assumed().text() == "one block along x and y and z");
  CHECK(answers.text().find("assumed: one block along x and y and z") != std::string::npos);
  CHECK_FALSE(verdicts::is_found(kernel, {.grid = 1}));
  CHECK(verdicts::is_found(kernel, {.grid = 2}) == false);  // both write what they read at the same place
  const auto grid =
      tg::analyze(verdicts::kernel_of<64>([](auto b, auto x, auto y, auto...) { y(b.global_index()) = x(b.global_index()); }));
  CHECK_FALSE(grid.assumed().one_block_x);
  CHECK(grid.assumed().one_block_y);
  CHECK_FALSE(grid.assumed().no_overflow);
}

TEST_CASE("unsigned literals from 2^31 on are large") {
  for (const bool meets : {false, true}) {
    const auto judge = [&](auto statements) {
      if (meets) check_clean({}, statements);
      else check_faulty({}, statements);
    };
    judge([=](auto b, auto x, auto y, auto, auto, auto n, auto) { tg::if_(n < 0x80000000u, [&] { mirror(b, x, y, meets); }); });
    judge(
        [=](auto b, auto x, auto y, auto, auto, auto n, auto) { tg::if_(n <= 0xfffffffeu, [&] { mirror(b, x, y, meets); }); });
    judge([=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      const auto tile = tile_of_64();
      tg::for_(tg::range(0_c, tg::min(n.get(), 0xffff0000u), 64_c), [&](auto i) {
        tile(b.thread.x) = x(i + b.thread.x);
        if (meets) b.sync();
        y(b.global_index()) = tile(63_c - b.thread.x);
        if (meets) b.sync();
      });
    });
    judge([=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      tg::if_(n >= 0x80000000u, [&] { y(b.global_index()) = 1.0f; }).else_([&] { mirror(b, x, y, meets); });
    });
  }
}

TEST_CASE("one block reads backwards from the end of the grid what another writes") {
  check_faulty({}, [](auto b, auto x, auto y, auto z, auto...) {
    const auto g = tg::let(b.global_index());
    y(g) = x(g);
    b.sync();
    z(g) = y(tg::gather(b.grid.x * 64u - 1u - g));
  });
  check_clean({}, [](auto b, auto x, auto y, auto z, auto...) {
    const auto g = tg::let(b.global_index());
    y(g) = x(g);
    b.sync();
    z(g) = y(tg::gather(b.index.x * 64u + 63u - b.thread.x));
  });
}

TEST_CASE("a cast to fewer bits lets indices collide") {
  check_faulty<512>({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    y(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned char>(b.thread.x + n)))) = x(b.thread.x);
  });
  check_clean<512>({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    y(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned short>(b.thread.x + n)))) = x(b.thread.x);
  });
  check_clean<256>({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    y(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned char>(b.thread.x + n)))) = x(b.thread.x);
  });
  check_faulty({.grid = 1025, .seeds = {0}}, [](auto b, auto x, auto y, auto...) {
    y(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned short>(b.global_index())))) = x(b.global_index());
  });
  check_faulty<512>({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    y(tg::scatter(tg::cast<int>(tg::cast<signed char>(b.thread.x + n)) + 128)) = x(b.thread.x);
  });
  check_clean<256>({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    y(tg::scatter(tg::cast<int>(tg::cast<signed char>(b.thread.x + n)) + 128)) = x(b.thread.x);
  });
}

TEST_CASE("what one thread's data says is nothing that another thread's data says") {
  check_faulty({.grid = 1}, [](auto b, auto x, auto y, auto, auto u, auto...) {
    const auto tile = tile_of_64();
    const auto mine = tg::let(u(b.thread.x));
    tg::if_(mine < 40u, [&] { tile(b.thread.x) = x(b.thread.x); });
    b.sync();
    tg::if_(mine < 40u, [&] { y(b.thread.x) = tile(63_c - b.thread.x); });
  });
  check_clean({.grid = 1}, [](auto b, auto x, auto y, auto, auto u, auto...) {
    const auto tile = tile_of_64();
    const auto mine = tg::let(u(b.thread.x));
    tg::if_(mine < 40u, [&] { tile(b.thread.x) = x(b.thread.x); });
    b.sync();
    tg::if_(mine < 40u, [&] { y(b.thread.x) = tile(b.thread.x); });
  });
}

TEST_CASE("scalars of 64 bits are as large as 64 bits") {
  const verdicts::launch large{.w = 1ull << 33};
  for (const bool meets : {false, true}) {
    const auto judge = [&](auto statements) {
      if (meets) check_clean(large, statements);
      else check_faulty(large, statements);
    };
    judge([=](auto b, auto x, auto y, auto, auto, auto, auto w) {
      tg::if_(w >= 0x100000000ull, [&] { mirror(b, x, y, meets); });
    });
    judge([=](auto b, auto x, auto y, auto, auto, auto, auto w) {
      tg::if_(w < 0x100000000ull, [&] { y(b.global_index()) = 1.0f; }).else_([&] { mirror(b, x, y, meets); });
    });
  }
  check_clean({.w = 64}, [](auto b, auto x, auto y, auto, auto, auto, auto w) {
    const auto i = tg::let(tg::cast<unsigned long long>(b.global_index()));
    tg::if_(i < w, [&] { y(i) = x(i); });
  });
}

TEST_CASE("a barrier with a number that too few threads reach") {
  check_faulty({.grid = 1}, [](auto b, auto x, auto y, auto...) {
    tg::if_(b.thread.x < 32u, [&] { tg::barrier<1>(b, 64_c).sync(); });
    y(b.thread.x) = x(b.thread.x);
  });
  check_clean({.grid = 1}, [](auto b, auto x, auto y, auto...) {
    tg::if_(b.thread.x < 32u, [&] { tg::barrier<1>(b, 32_c).sync(); });
    y(b.thread.x) = x(b.thread.x);
  });
  check_clean<96>({.grid = 1}, [](auto b, auto x, auto y, auto...) {
    const auto full = tg::barrier<1>(b, 96_c);
    tg::if_(b.thread.x < 32u, [&] { full.sync(); }).else_([&] { full.arrive(); });
    y(b.thread.x) = x(b.thread.x);
  });
  check_faulty<96>({.grid = 1}, [](auto b, auto x, auto y, auto...) {
    const auto full = tg::barrier<1>(b, 96_c);
    tg::if_(b.thread.x < 32u, [&] { full.sync(); });
    tg::if_(b.thread.x >= 64u, [&] { full.arrive(); });
    y(b.thread.x) = x(b.thread.x);
  });
  check_clean({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::for_(tg::range(n), [&](auto) { tg::barrier<1>(b, 64_c).sync(); });
    y(b.thread.x) = x(b.thread.x);
  });
  check_faulty({.grid = 1}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    tg::for_(tg::range(n), [&](auto) { tg::if_(b.thread.x < 32u, [&] { tg::barrier<1>(b, 64_c).sync(); }); });
    y(b.thread.x) = x(b.thread.x);
  });
}

TEST_CASE("a flag that a pipelined loop carries") {
  check_clean({}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    const auto tile = tile_of_64();
    tg::var<unsigned> has = 0u;
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(n), [&](auto i) {
      tg::if_(has != 0u, [&] { sum += tile(63_c - b.thread.x); });
      b.sync();
      tile(b.thread.x) = x(i * 64_c + b.thread.x);
      has = 1u;
      b.sync();
    });
    y(b.global_index()) = sum;
  });
  check_faulty({}, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    const auto tile = tile_of_64();
    tg::var<unsigned> has = 0u;
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(n), [&](auto i) {
      tg::if_(has != 0u, [&] { sum += tile(63_c - b.thread.x); });
      tile(b.thread.x) = x(i * 64_c + b.thread.x);
      has = 1u;
      b.sync();
    });
    y(b.global_index()) = sum;
  });
  // Every other iteration writes; the others read.
  check_clean(
      {},
      [](auto b, auto x, auto y, auto, auto, auto n, auto) {
        const auto tile = tile_of_64();
        tg::var<unsigned> phase = 0u;
        tg::var<float> sum = 0.0f;
        tile(b.thread.x) = 0.0f;
        b.sync();
        tg::for_(tg::range(n), [&](auto i) {
          tg::if_(phase == 0u, [&] { tile(b.thread.x) = x(i * 64_c + b.thread.x); }).else_([&] {
            sum += tile(63_c - b.thread.x);
          });
          phase = 1u - phase;
          b.sync();
        });
        y(b.global_index()) = sum;
      },
      1);
}

TEST_CASE("one block hands another what it wrote: release, then acquire") {
  check_clean(
      {},
      [](auto b, auto x, auto y, auto z, auto u, auto...) {
        tg::if_(b.index.x == 0u, [&] {
          y(b.thread.x) = x(b.thread.x);
          b.sync();
          tg::if_(b.thread.x == 0u, [&] { tg::atomic_store<tg::order::release>(u(0_c), 1u); });
        }).else_([&] {
          tg::if_(b.thread.x == 0u, [&] {
            tg::var<unsigned> seen = 0u;
            tg::while_([&] { return seen == 0u; }, [&] { seen = tg::atomic_load<tg::order::acquire>(u(0_c)); });
          });
          b.sync();
          z(b.thread.x) = y(tg::gather(63u - b.thread.x));
        });
      },
      2);
  check_faulty({}, [](auto b, auto x, auto y, auto z, auto...) {
    tg::if_(b.index.x == 0u, [&] { y(b.thread.x) = x(b.thread.x); }).else_([&] {
      z(b.thread.x) = y(tg::gather(63u - b.thread.x));
    });
  });
}

TEST_CASE("a shift to the right of a negative number rounds down") {
  const auto halves = [](auto b, auto x, auto y, int start, bool is_clean) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = tg::let(tg::cast<int>(b.thread.x) + start);
    // From -64 up, halves rounded down are -32 to -1 in pairs, so even threads have elements of their own.
    tg::if_(b.thread.x % 2u <= (is_clean ? 0u : 1u), [&] { tile(tg::scatter((t >> 1) + 32)) = x(b.thread.x); });
    (void)y;
  };
  check_clean({.grid = 1}, [=](auto b, auto x, auto y, auto...) { halves(b, x, y, -64, true); });
  check_faulty({.grid = 1}, [=](auto b, auto x, auto y, auto...) { halves(b, x, y, -64, false); });
  // -1 >> 1 is -1: with division it would be 0, which thread 1 has.
  check_clean<32>({.grid = 1}, [](auto b, auto x, auto, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = tg::let(tg::cast<int>(b.thread.x) * 2 - 1);
    tile(tg::scatter((t >> 1) + 1)) = x(b.thread.x);
  });
  check_clean<32>({.grid = 1, .n = 9}, [](auto b, auto x, auto, auto, auto, auto n, auto) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto t = tg::let(tg::cast<int>(n % 16u) - 16);
    tg::if_(t < 0, [&] { tile(tg::scatter(tg::cast<int>(b.thread.x) + 32 + (t >> 31))) = x(b.thread.x); });
  });
}

TEST_CASE("a byte is below 256 whatever it was cast from") {
  check_clean({.n = 5}, [](auto b, auto, auto y, auto, auto u, auto n, auto) {
    const auto bins = tg::shared<unsigned>(tg::shape<256>);
    tg::unroll<4>([&](auto k) { bins(b.thread.x + tg::constant<k.value * 64>{}) = 0u; });
    b.sync();
    tg::atomic_add(bins(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned char>(u(b.global_index()) * n)))), 1u);
    tg::atomic_add(bins(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned char>(n << 20)))), 1u);
    b.sync();
    tg::unroll<4>([&](auto k) {
      const auto bin = b.thread.x + tg::constant<k.value * 64>{};
      tg::atomic_add(y(bin), tg::cast<float>(bins(bin)));
    });
  });
  check_faulty({.grid = 1, .n = 5}, [](auto b, auto x, auto, auto, auto, auto n, auto) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    tile(tg::scatter(tg::cast<unsigned>(tg::cast<unsigned char>(n * 51u)))) = x(0_c);
    (void)b;
  });
}

TEST_CASE("a sum that is cut to 32 bits is not taken for rows of a matrix") {
  // The low bits of 1 + w are 0 in this launch, so threads 0 and 1 write one element.
  check_faulty<32>({.grid = 1, .w = 0xffffffff}, [](auto b, auto, auto y, auto, auto, auto, auto w) {
    const auto cut = tg::let(tg::cast<unsigned>(tg::cast<unsigned long long>(b.thread.x) + w) << 2u);
    tg::if_(b.thread.x == 1u, [&] { y(tg::scatter(cut)) = 1.0f; });
    tg::if_(b.thread.x == 0u, [&] { y(b.thread.x) = 2.0f; });
  });
  check_clean<32>({.grid = 1, .w = 0xffffffff}, [](auto b, auto, auto y, auto, auto, auto, auto w) {
    const auto cut = tg::let((tg::cast<unsigned>(tg::cast<unsigned long long>(b.thread.x) + w) & 31u) << 2u);
    tg::if_(b.thread.x == 1u, [&] { y(tg::scatter(cut)) = 1.0f; });
    tg::if_(b.thread.x == 0u, [&] { y(b.thread.x + 1u) = 2.0f; });
  });
}

TEST_CASE("threads wait in a branch for what each of them copies") {
  const auto copies = [](bool waits) {
    return [=](auto b, auto x, auto y, auto, auto, auto n, auto) {
      auto tile = tg::shared<float>(tg::shape<32>);
      tg::async_copy(tile(b.thread.x), x(b.thread.x));
      tg::if_(b.thread.x < n, [&] {
        tg::async_groups groups;
        auto one = groups.commit();
        if (waits) (void)one.wait();
        y(b.thread.x) = tile(b.thread.x);
      });
    };
  };
  check_clean<32>({.grid = 1}, copies(true), 1);
  check_faulty<32>({.grid = 1}, copies(false));
}

TEST_CASE("an atomic of another thread that nothing orders may come too late to write what is read") {
  const auto counts = [](bool meets) {
    return [=](auto b, auto, auto y, auto...) {
      auto tile = tg::shared<unsigned>(tg::shape<64>);
      tg::atomic_store<tg::order::relaxed>(tile(b.thread.x), 0u);
      if (meets) b.sync();
      y(b.global_index()) = tg::cast<float>(tg::let(tg::atomic_add(tile(63_c - b.thread.x), 1u)));
    };
  };
  const auto faulty = tg::analyze(verdicts::kernel_of<64>(counts(false)));
  INFO(faulty.text());
  CHECK_FALSE(faulty.is_proved(tg::question::initialized));
  const auto clean = tg::analyze(verdicts::kernel_of<64>(counts(true)));
  INFO(clean.text());
  CHECK(clean.is_proved(tg::question::initialized));
}
