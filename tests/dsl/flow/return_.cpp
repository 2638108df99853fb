#include <tg/dsl/flow/return_.hpp>

#include <numeric>

#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/memory/fence.hpp>
#include <tg/dsl/value/var.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

TEST_CASE("threads end where they return") {
  const auto kernel = tg::lower(
      tg::kernel<"ends">(tg::block<256>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i >= n, [] { tg::return_(); });
        y(i) = 1u;
        const auto own = tg::let(x(i));
        tg::for_(tg::range(own), [&](auto j) {
          tg::if_(j == 9u, [&] {
            y(i) = 9u;
            tg::return_();
          });
          tg::if_(j * own == 42u, [] { tg::break_(); });
          y(i) = j + 100u;
        });
        y(i) = own + 1000u;
      }));
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  CHECK(kernel.ptx.find("exit") != std::string::npos);
  std::vector<std::uint32_t> x(300);
  std::iota(x.begin(), x.end(), 0u);
  for (auto& v : x) v %= 23;
  const auto y = accuracy::run<std::uint32_t>(kernel.ptx, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const bool ends = x[i] > 9 && x[i] != 14 && x[i] != 21;  // 14 · 3 and 21 · 2 are 42
    CAPTURE(x[i]);
    CHECK(y[i] == (ends ? 9 : x[i] + 1000));
  }
}

TEST_CASE("TG183: a barrier or an exchange behind a return of some threads") {
  const auto barrier = [](auto block, recording::parameters p) {
    tg::if_(block.thread.x < p.n, [] { tg::return_(); });
    p.u(block.thread.x) = 1u;
    block.sync();
  };
  CHECK(recording::error_of(barrier) == recording::at(183, __LINE__ - 2));
  const auto exchange = [](auto block, recording::parameters p) {
    tg::if_(p.x(block.thread.x) < 0.0f, [] { tg::return_(); });
    p.y(block.thread.x) = block.warp().sum(p.a);
  };
  CHECK(recording::error_of(exchange).starts_with("183"));
  const auto in_a_loop = [](auto block, recording::parameters p) {
    tg::for_(tg::range(p.n), [&](auto j) {
      block.sync();
      tg::if_(p.x(j) == 0.0f, [] { tg::return_(); });
    });
  };
  CHECK(recording::error_of(in_a_loop) == recording::at(183, __LINE__ - 3));
}

TEST_CASE("barriers behind a return of whole blocks, in front of one, and fences") {
  const auto blocks = [](auto block, recording::parameters p) {
    tg::if_(block.index.x * 4u >= p.n, [&] { tg::if_(p.s > 3, [] { tg::return_(); }); });
    block.sync();
  };
  CHECK(recording::error_of(blocks) == "none");
  const auto before = [](auto block, recording::parameters p) {
    block.sync();
    tg::if_(block.thread.x < p.n, [] { tg::return_(); });
    p.u(block.thread.x) = 1u;
  };
  CHECK(recording::error_of(before) == "none");
  const auto last = [](auto block, recording::parameters) {
    block.sync();
    tg::return_();
  };
  CHECK(recording::error_of(last) == "none");
}

TEST_CASE("TG182: a statement behind it") {
  const auto behind = [](auto, recording::parameters p) {
    tg::return_();
    p.u(p.n) = 1u;
  };
  CHECK(recording::error_of(behind).starts_with("182"));
}
