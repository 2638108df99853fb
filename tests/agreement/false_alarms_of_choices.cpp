// Everyday indices that choose, count, share or go around a ring, and are no cause for alarm.
#include <doctest/doctest.h>

#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/break_.hpp>

#include "false_alarms.hpp"

using namespace false_alarms;

// clang-format off
TEST_CASE("a choice among patterns has a verdict") {
  check("x(select(c(i), i - 1, n - 1))", place::view,
        tg::kernel<"line_16">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<float> c, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(tg::select(c(i) > 0.0f, i - 1_c, n - 1u));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto c = gpu.upload(coins()); at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 33; n < 1200; n += 17) run(8, v, out, c, n); });
        });
  check("x(select(forward, i, n - 1 - i)), forward in all threads", place::view,
        tg::kernel<"line_17">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
          const auto i = tg::let(block.global_index());
          y(i) = x(tg::select(m > 0u, i, n - 1u - i));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 512; n < 580; ++n) for (const unsigned m : {0u, 1u}) run(8, v, out, n, m); });
        });
  check("x(select(c(i), i, i + n))", place::view,
        tg::kernel<"line_18">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<float> c, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(tg::select(c(i) > 0.0f, i, i + n));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto c = gpu.upload(coins()); at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 33; n < 1200; n += 17) run(8, v, out, c, n); });
        });
  check("x(select(thread.x < 4, 0, i))", place::view,
        tg::kernel<"line_19">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned>) {
          const auto i = tg::let(block.global_index());
          y(i) = x(tg::select(block.thread.x < 4_c, 0u, i));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
}

TEST_CASE("a variable has a verdict") {
  check("while_(j < n) s += x(j), j += 64", place::view,
        tg::kernel<"line_20">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          tg::var<unsigned> j = block.thread.x; tg::var<float> s = 0.0f; tg::while_([&] { return j < n; }, [&] { s += x(j); j += 64u; }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 100; n < 900; n += 13) run(2, v, out, n); });
        });
  check("while_(j < n) s += x(j), break_ where c(j) > 0, j += 64", place::view,
        tg::kernel<"line_32">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<float> c, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          tg::var<unsigned> j = block.thread.x; tg::var<float> s = 0.0f;
          tg::while_([&] { return j < n; }, [&] { s += x(j); tg::if_(c(j) > 0.0f, [&] { tg::break_(); }); j += 64u; });
          y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto c = gpu.upload(coins()); at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 100; n < 900; n += 13) run(2, v, out, c, n); });
        });
  check("while_(j < n) s += x(j), j += step", place::view,
        tg::kernel<"line_21">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
          const auto i = tg::let(block.global_index());
          tg::var<unsigned> j = block.thread.x; tg::var<float> s = 0.0f; tg::while_([&] { return j < n; }, [&] { s += x(j); j += m; }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned m = 1; m < 70; m += 3) run(2, v, out, 600u, m); });
        });
  check("for_(k < 9) s += x(at), at += n", place::view,
        tg::kernel<"line_22">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          tg::var<unsigned> at = i; tg::var<float> s = 0.0f; tg::for_(tg::range(9_c), [&](auto) { s += x(at); at += n; }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("at = i, or i + n where c(i): x(at)", place::view,
        tg::kernel<"line_23">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<float> c, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          tg::var<unsigned> at = i; tg::if_(c(i) > 0.0f, [&] { at = i + n; }); y(i) = x(at);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto c = gpu.upload(coins()); at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 33; n < 1200; n += 17) run(8, v, out, c, n); });
        });
  check("for_(range(-R, R + 1)) s += x(i + k)", place::view,
        tg::kernel<"line_24">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          tg::var<float> s = 0.0f; tg::for_(tg::range(-3, 4), [&](auto k) { s += x(i + n + tg::cast<unsigned>(k)); }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 3; n < 70; ++n) run(8, v, out, n); });
        });
  check("for_(range(-R, R + 1)) s += x(clamp(i + k, 0, n - 1))", place::view,
        tg::kernel<"line_25">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<int> n, tg::scalar<int> m) {
          const auto i = tg::let(block.global_index());
          tg::var<float> s = 0.0f; tg::for_(tg::range(-m, m + 1), [&](auto k) { s += x(tg::clamp(tg::cast<int>(i) + k, 0, n - 1)); }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (int n = 1; n < 600; n += 7) for (const int r : {1, 3}) run(8, v, out, n, r); });
        });
}

TEST_CASE("a number that a warp shares has a verdict") {
  check("values(j), j in range(rows(r) + lane, rows(r + 1), 32)", place::view,
        tg::kernel<"line_26">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<unsigned> rows) {
          const auto i = tg::let(block.global_index());
          const auto row = tg::let(block.index.x * 2_c + block.warp().index); tg::var<float> s = 0.0f; tg::for_(tg::range(rows(row) + block.warp().lane, rows(row + 1_c), 32_c), [&](auto j) { s += x(j); }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto rows = gpu.upload(row_starts()); at_each_place<float>(gpu, [&](auto v) { run(8, v, out, rows); });
        });
  check("values(j + lane), while_ over a row", place::view,
        tg::kernel<"line_27">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<unsigned> rows) {
          const auto i = tg::let(block.global_index());
          const auto row = tg::let(block.index.x * 2_c + block.warp().index); tg::var<float> s = 0.0f; tg::var<unsigned> j = rows(row); const auto end = tg::let(rows(row + 1_c)); tg::while_([&] { return j < end; }, [&] { s += x(j + block.warp().lane); j += 32u; }); y(i) = s;
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto rows = gpu.upload(row_starts()); at_each_place<float>(gpu, [&](auto v) { run(8, v, out, rows); });
        });
  check("x(assume_warp_uniform(rows(gather(w))) + lane)", place::view,
        tg::kernel<"line_28">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<unsigned> rows) {
          const auto i = tg::let(block.global_index());
          const auto first = tg::assume_warp_uniform(rows(tg::gather(block.thread.x / 32_c))); y(i) = x(first + block.warp().lane);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto rows = gpu.upload(row_starts()); at_each_place<float>(gpu, [&](auto v) { run(8, v, out, rows); });
        });
  check("x(shuffle(rows(i), 0) + lane)", place::view,
        tg::kernel<"line_29">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::in<unsigned> rows) {
          const auto i = tg::let(block.global_index());
          tg::var<unsigned> first = 0u; first = tg::assume_warp_uniform(block.warp().shuffle(rows(block.thread.x), 0u)); y(i) = x(first + block.warp().lane);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          auto rows = gpu.upload(row_starts()); at_each_place<float>(gpu, [&](auto v) { run(8, v, out, rows); });
        });
}

TEST_CASE("accesses that use each other's sectors has a verdict") {
  check("p(i * 3), p(i * 3 + 1), p(i * 3 + 2)", place::view,
        tg::kernel<"line_30">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned>) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i * 3_c) + x(i * 3_c + 1_c) + x(i * 3_c + 2_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("the same of bytes", place::view,
        tg::kernel<"line_31">(tg::block<64>, [](auto block, tg::in<unsigned char> x, lines y, tg::scalar<unsigned>) {
          const auto i = tg::let(block.global_index());
          y(i) = tg::cast<float>(tg::cast<unsigned>(x(i * 3_c)) + tg::cast<unsigned>(x(i * 3_c + 1_c)) + tg::cast<unsigned>(x(i * 3_c + 2_c)));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<unsigned char>(gpu, [&](auto v) { for (unsigned n = 0; n < 3; ++n) run(8, v, out, n); });
        });
}

TEST_CASE("rows and columns of one index have a verdict") {
  const auto image = [](auto& gpu, auto run) {
    auto all = gpu.template zeros<float>(elements);
    auto out = gpu.template zeros<float>(elements);
    for (const unsigned w : divisors())
      for (const unsigned leading : {w, w + 3, w + 8, w + 64})
        for (std::size_t at : {0, 4}) run(8, tg::matrix(all.part(at, elements - 64), 513 / w + 1, w, leading), out, w);
  };
  // A row of one element has a sector of its own.
  check("y(i / w, i % w), any w", place::view,
        tg::kernel<"image">(tg::block<64>, [](auto block, tg::in2<float> x, lines y, tg::scalar<unsigned> w) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i / w, i % w);
        }),
        image);
  check("y(i / w, i % w), w a multiple of 32", place::view,
        tg::kernel<"wide_image">(tg::block<64>, [](auto block, tg::in2<float> x, lines y, tg::scalar<unsigned, tg::multiple_of<32>> w, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) / w, (i + n) % w);
        }),
        [](auto& gpu, auto run) {
          auto all = gpu.template zeros<float>(elements);
          auto out = gpu.template zeros<float>(elements);
          for (const unsigned w : {32u, 64u, 96u, 128u})
            for (const unsigned more : {0u, 1u, 3u, 5u, 7u, 10u, 12u})
              for (unsigned n = 0; n < 32; ++n) run(8, tg::matrix(all.part(4, elements - 64), 20, w, w + more), out, w, n);
        });
  // What is gathered has no count; what stands beside it has one.
  check("y(i) = m(gather(r(i)), i % w)", place::view,
        tg::kernel<"rows">(tg::block<64>, [](auto block, tg::out<float> y, tg::in2<float> m, tg::in<unsigned> r, tg::scalar<unsigned> w) {
          const auto i = tg::let(block.global_index());
          y(i) = m(tg::gather(r(i)), i % w);
        }),
        [](auto& gpu, auto run) {
          auto all = gpu.template zeros<float>(elements);
          auto r = gpu.template zeros<unsigned>(elements);
          at_each_place<float>(gpu, [&](auto v) { run(8, v, tg::matrix(all, 32, 512), r, 40u); });
        });
  check("y(i / w, i % w), assume(w >= 32)", place::view,
        tg::kernel<"assumed_image">(tg::block<64>, [](auto block, tg::in2<float> x, lines y, tg::scalar<unsigned> w) {
          tg::assume(w >= 32u);
          const auto i = tg::let(block.global_index());
          y(i) = x(i / w, i % w);
        }),
        [](auto& gpu, auto run) {
          auto all = gpu.template zeros<float>(elements);
          auto out = gpu.template zeros<float>(elements);
          for (const unsigned w : divisors())
            for (const unsigned leading : {w, w + 3, w + 8, w + 13, w + 64})
              for (std::size_t at : {0, 4})
                if (w >= 32) run(8, tg::matrix(all.part(at, elements - 64), 513 / w + 1, w, leading), out, w);
        });
}

TEST_CASE("neighbours on a ring have a verdict") {
  const auto each = [](auto& gpu, auto run) {
    auto out = gpu.template zeros<float>(elements);
    at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
  };
  check("x((i % n + 1) % n)", place::view,
        tg::kernel<"right">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i % n + 1_c) % n);
        }),
        each);
  check("x((i % n + n - 1) % n)", place::view,
        tg::kernel<"left">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i % n + n - 1u) % n);
        }),
        each);
  check("tile((i % n + n - 1) % n)", place::tile,
        tg::kernel<"left_of_tile">(tg::block<64>, [](auto block, tg::in<float>, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          const auto tile = tg::shared<float>(tg::shape<1024>);
          y(i) = tile((i % n + (n - 1u)) % n);
        }),
        each);
}

TEST_CASE("tiles of which a warp reads around the end have a verdict") {
  const auto each = [](auto& gpu, auto run) {
    auto out = gpu.template zeros<float>(elements);
    for (const unsigned w : divisors())
      for (unsigned at = 0; at < 70; at += 3) run(4, out, w, at);
  };
  check("tile((i + n) % 256_c)", place::tile,
        tg::kernel<"ring">(tg::block<64>, [](auto block, lines y, tg::scalar<unsigned>, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          const auto tile = tg::shared<float>(tg::shape<1024>);
          y(i) = tile((i + n) % 256_c);
        }),
        each);
  check("tile((i + n) % w)", place::tile,
        tg::kernel<"any_ring">(tg::block<64>, [](auto block, lines y, tg::scalar<unsigned> w, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          const auto tile = tg::shared<float>(tg::shape<1024>);
          y(i) = tile((i + n) % w);
        }),
        each);
  check("tile((i + n) % w), doubles", place::tile,
        tg::kernel<"wide_ring">(tg::block<64>, [](auto block, lines y, tg::scalar<unsigned> w, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          const auto tile = tg::shared<double>(tg::shape<1024>);
          y(i) = tg::cast<float>(tile((i + n) % w));
        }),
        each);
}
// clang-format on
