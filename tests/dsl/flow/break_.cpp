#include <tg/dsl/flow/break_.hpp>

#include <cstdint>
#include <optional>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/lazy.hpp>
#include <tg/dsl/flow/unroll.hpp>
#include <tg/dsl/flow/while_.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

namespace {

using u32 = std::uint32_t;
using tg::range;
using namespace tg::literals;

std::vector<u32> numbers() {
  std::vector<u32> out;
  for (u32 k = 0; k < 300; ++k) out.push_back(k * 7 % 61);
  return out;
}

/// The device's f of each number is the host's, and the text is what ptxas and the parser take.
template <class F, class Host> void check(F f, Host host) {
  const auto x = numbers();
  const auto kernel = accuracy::lowered<u32, u32>(f);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  const auto y = accuracy::run<u32>(kernel.ptx, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(x[i]);
    CHECK(y[i] == host(x[i]));
  }
}

}  // namespace

TEST_CASE("lanes leave a loop one by one") {
  check(
      [](auto v) {
        tg::var<unsigned> s = 0u;
        tg::for_(range(v), [&](auto j) {
          tg::if_(j * j > v, [] { tg::break_(); });
          s += j;
        });
        return s.get();
      },
      [](u32 v) {
        u32 s = 0;
        for (u32 j = 0; j < v; ++j) {
          if (j * j > v) break;
          s += j;
        }
        return s;
      });
}

TEST_CASE("lanes go on with the next iteration") {
  check(
      [](auto v) {
        tg::var<unsigned> s = 0u;
        tg::for_(range(v), [&](auto j) {
          tg::if_(j % 3u == 0u, [] { tg::continue_(); });
          s += j;
        });
        return s.get();
      },
      [](u32 v) {
        u32 s = 0;
        for (u32 j = 0; j < v; ++j) {
          if (j % 3 == 0) continue;
          s += j;
        }
        return s;
      });
}

TEST_CASE("jumps from branches in branches, and in both arms") {
  check(
      [](auto v) {
        tg::var<unsigned> s = 0u;
        tg::for_(range(0u, v, 2_c), [&](auto j) {
          tg::if_(j % 3u == 0u, [&] {
            tg::if_(j % 5u == 4u, [] { tg::break_(); }).else_([&] {
              s += 3u;
              tg::if_((s & 1u) != 0u, [] { tg::continue_(); });
              s += 100u;
            });
            s += 7u;
          }).else_([&] {
            tg::if_(s > 900u, [] { tg::break_(); });
            s += 11u;
          });
          s += j;
          tg::if_(s % 4u == 1u, [&] { s += 1u; }).else_([] { tg::continue_(); });
          s += 1000u;
        });
        return s.get();
      },
      [](u32 v) {
        u32 s = 0;
        for (u32 j = 0; j < v; j += 2) {
          if (j % 3 == 0) {
            if (j % 5 == 4) break;
            s += 3;
            if ((s & 1) != 0) continue;
            s += 100;
            s += 7;
          } else {
            if (s > 900) break;
            s += 11;
          }
          s += j;
          if (s % 4 == 1) s += 1;
          else continue;
          s += 1000;
        }
        return s;
      });
}

TEST_CASE("a jump leaves the innermost loop only; unrolled statements are the loop's own") {
  check(
      [](auto v) {
        tg::var<unsigned> s = 0u;
        tg::for_(range(v), [&](auto j) {
          tg::for_(range(j, v), [&](auto k) {
            tg::if_(k * j > 40u, [&] { tg::if_((k & 1u) != 0u, [] { tg::break_(); }); });
            tg::unroll<3>([&](auto n) {
              s += k;
              tg::if_(s % 7u == n, [] { tg::continue_(); });
            });
            s += 1u;
          });
          tg::if_(s > 5000u, [] { tg::break_(); });
          s += 2u;
        });
        return s.get();
      },
      [](u32 v) {
        u32 s = 0;
        for (u32 j = 0; j < v; ++j) {
          for (u32 k = j; k < v; ++k) {
            if (k * j > 40 && (k & 1) != 0) break;
            bool goes_on = true;
            for (u32 n = 0; n < 3 && goes_on; ++n) {
              s += k;
              goes_on = s % 7 != n;
            }
            if (goes_on) s += 1;
          }
          if (s > 5000) break;
          s += 2;
        }
        return s;
      });
}

TEST_CASE("behind break_ the condition of tg::while_ is not computed, behind continue_ it is") {
  check(
      [](auto v) {
        tg::var<unsigned> k = v, s = 0u;
        tg::while_(
            [&] {
              s += 1000u;
              return k != 0u;
            },
            [&] {
              k >>= 1;
              tg::if_(k == 5u, [] { tg::break_(); });
              tg::if_((k & 1u) != 0u, [] { tg::continue_(); });
              s += k;
            });
        return s.get();
      },
      [](u32 v) {
        u32 k = v, s = 0;
        const auto goes_on = [&] {
          s += 1000;
          return k != 0;
        };
        while (goes_on()) {
          k >>= 1;
          if (k == 5) break;
          if ((k & 1) != 0) continue;
          s += k;
        }
        return s;
      });
}

TEST_CASE("a body that ends with a jump in any case runs once") {
  check(
      [](auto v) {
        tg::var<unsigned> s = 0u;
        tg::for_(range(v), [&](auto j) {
          s += j + 5u;
          tg::if_(s > 3u, [&] { s += 1u; });
          tg::break_();
        });
        return s.get();
      },
      [](u32 v) { return v > 0 ? 6u : 0u; });
}

TEST_CASE("TG182: a jump outside of a loop, statements behind one") {
  const auto outside = [](auto, recording::parameters p) { tg::if_(p.n < 3, [] { tg::break_(); }); };
  CHECK(recording::error_of(outside) == recording::at(182, __LINE__ - 1));
  const auto next = [](auto, recording::parameters) { tg::continue_(); };
  CHECK(recording::error_of(next) == recording::at(182, __LINE__ - 1));
  const auto behind = [](auto, recording::parameters p) {
    tg::for_(range(p.n), [&](auto j) {
      tg::break_();
      p.y(j) = 1.0f;
    });
  };
  CHECK(recording::error_of(behind).starts_with("182"));
  const auto behind_both = [](auto, recording::parameters p) {
    tg::for_(range(p.n), [&](auto j) {
      tg::if_(j < 3u, [] { tg::break_(); }).else_([] { tg::continue_(); });
      p.y(j) = 1.0f;
    });
  };
  CHECK(recording::error_of(behind_both).starts_with("182"));
}

TEST_CASE("a value that only lanes make that did not jump does not leave the loop: TG315") {
  const auto leaks = [](auto, recording::parameters p) {
    std::optional<tg::value<float>> last;
    tg::for_(range(p.n), [&](auto j) {
      tg::if_(j > 3u, [] { tg::break_(); });
      last.emplace(p.y(j) * 2.0f);
    });
    p.y(p.n) = *last;
  };
  CHECK(recording::error_of(leaks).starts_with("315"));
}
