// Everyday indices of which the type of the index does not say what they cost: each is recorded without a finding, and its
// verdict is the most that the emulator counts over many values of what is not known. What is said and what is counted have
// nothing in common but the kernel.
#include <tests/kernels/ledger.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

namespace {

using namespace tg::literals;

constexpr std::size_t elements = std::size_t{1} << 17;

/// What is judged of a kernel: the accesses to its first view, or the loads from its tile.
enum class place { view, tile };

/// One line of code. `launches(run)` calls `run(grid, arguments...)` for many values of what is not known.
template <class K, class Launches> void check(const char* text, place where, const K& kernel, Launches launches) {
  tg::device gpu("emulator");
  ledger counted(kernel);
  launches(gpu, [&](unsigned blocks, auto&&... arguments) {
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), arguments...); });
  });
  int rows = 0;
  for (const ledger_row& row : counted.rows()) {
    const tg::access& a = row.access;
    if (where == place::tile ? !a.is_shared || a.is_write : a.is_shared || a.parameter != 0) continue;
    ++rows;
    const auto said = row.compiled();
    std::printf("  %-64s %4u %7u\n", text, said, row.most);
    CAPTURE(std::string(text));
    CAPTURE(row.text());
    CHECK((a.verdict == tg::verdict::proved || a.verdict == tg::verdict::traced));
    CHECK((a.is_shared ? a.shared.good : a.global.good));
    CHECK(row.requests > 0);
    CHECK(row.most == said);
  }
  CHECK(rows > 0);
}

/// Divisors around the lanes of a warp, and some far from them.
const std::vector<unsigned>& divisors() {
  static const std::vector<unsigned> all = [] {
    std::vector<unsigned> out;
    for (unsigned u = 1; u <= 136; ++u) out.push_back(u);
    for (const unsigned u : {255u, 257u, 1000u}) out.push_back(u);
    return out;
  }();
  return all;
}

/// Calls `see` with the buffer at each place in a sector where a view may begin.
template <class T, class See> void at_each_place(tg::device& gpu, See see) {
  auto all = gpu.zeros<T>(elements);
  for (std::size_t bytes = 0; bytes < 32; bytes += 16) see(all.part(bytes / sizeof(T), elements - 64));
}

/// Numbers above and below 0 in no order.
std::vector<float> coins() {
  std::vector<float> out(elements);
  std::uint32_t x = 1;
  for (float& c : out) x = x * 1664525u + 1013904223u, c = (x >> 16 & 3) == 0 ? 1.0f : -1.0f;
  out[0] = -1.0f;
  return out;
}

/// Where rows of 0 to 90 elements begin.
std::vector<unsigned> row_starts() {
  std::vector<unsigned> out(2048);
  std::uint32_t x = 7, at = 64;
  for (unsigned& start : out) {
    start = at;
    x = x * 1664525u + 1013904223u;
    at += (x >> 16) % 91;
  }
  return out;
}

using lines = tg::out<float>;

}  // namespace

// clang-format off
TEST_CASE("a division by a run-time number has a verdict") {
  check("bias(i % cols)", place::view,
        tg::kernel<"line_1">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("table(i / cols)", place::view,
        tg::kernel<"line_2">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i / n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("bias(i / pixels % channels)", place::view,
        tg::kernel<"line_3">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
          const auto i = tg::let(block.global_index());
          y(i) = x(i / n % m);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned w : divisors()) for (const unsigned u : {1u, 2u, 3u, 7u, 31u, 32u, 33u, 40u, 100u, 1000u}) run(8, v, out, u, w); });
        });
  check("x((i + shift) % n)", place::view,
        tg::kernel<"line_4">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n, tg::scalar<unsigned> m) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + m) % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) for (unsigned shift = 0; shift < 8; ++shift) run(8, v, out, u, shift); });
        });
  check("x((i + n - 1) % n)", place::view,
        tg::kernel<"line_5">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n - 1u) % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("x(i % n), bytes", place::view,
        tg::kernel<"line_6">(tg::block<64>, [](auto block, tg::in<unsigned char> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = tg::cast<float>(x(i % n));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<unsigned char>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(64, v, out, u); });
        });
  check("x(i % n), doubles", place::view,
        tg::kernel<"line_7">(tg::block<64>, [](auto block, tg::in<double> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = tg::cast<float>(x(i % n));
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<double>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("x(i % n), signed", place::view,
        tg::kernel<"line_8">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<int> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x(tg::cast<int>(i) % n);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u); });
        });
  check("x.vec<4>(i * 4 % n), n a multiple of 4", place::view,
        tg::kernel<"line_9">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned, tg::multiple_of<4>> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x.template vec<4>(i * 4_c % n)(0);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (const unsigned u : divisors()) run(8, v, out, u * 4); });
        });
}

TEST_CASE("a division by a constant has a verdict") {
  check("x((i + shift) % 1024_c)", place::view,
        tg::kernel<"line_10">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) % 1024_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x(i + shift & 1023_c)", place::view,
        tg::kernel<"line_11">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) & 1023_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x((i + shift) % 12_c)", place::view,
        tg::kernel<"line_12">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) % 12_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x((i + shift) / 3_c)", place::view,
        tg::kernel<"line_13">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) / 3_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x(i + shift >> 2)", place::view,
        tg::kernel<"line_14">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = x((i + n) >> 2_c);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
  check("x(i % 100 of a number that plain C++ gives)", place::view,
        tg::kernel<"line_15">(tg::block<64>, [](auto block, tg::in<float> x, lines y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          int hundred = 100; y(i) = x((i + n) % hundred);
        }),
        [](auto& gpu, auto run) {
          auto out = gpu.template zeros<float>(elements);
          at_each_place<float>(gpu, [&](auto v) { for (unsigned n = 0; n < 70; ++n) run(8, v, out, n); for (unsigned n = 960; n < 1030; ++n) run(2, v, out, n); });
        });
}

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
