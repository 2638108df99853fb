#include <tg/dsl/recorder/products_in_flight.hpp>

#include "../recording.hpp"

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>

using namespace tg::literals;

namespace {

using group = tg::block_t<128>;
/// The number of the error that recording ends with; 0 for none.
template <class Statements> int refused(Statements statements) {
  const std::string found = recording::error_of<group>(statements);
  return found == "none" ? 0 : std::stoi(found);
}

using sums = tg::group_accumulator<64, 8, float>;

auto operand(int) { return tg::k_major(tg::shared<tg::f16>(tg::shape<2, 64, 8>)); }
auto columns(int) { return tg::k_major(tg::shared<tg::f16>(tg::shape<2, 8, 8>)); }

/// Statements around a product that is under way: `in` before the wait, `after` behind it.
template <class In, class After> int around(In in, After after) {
  return refused([=](auto, recording::parameters p) {
    sums sum = 0.0f;
    auto flight = tg::wgmma(std::move(sum), operand(0), columns(0));
    in(sum, p);
    auto done = flight.wait();
    after(sum, p);
    p.y(0_c) = done(0);
  });
}

const auto nothing = [](auto&, auto&) {};
const auto reads = [](auto& sum, auto& p) { p.y(1_c) = sum(1); };
const auto writes = [](auto& sum, auto&) { sum(1) = 2.0f; };
const auto reads_in_branch = [](auto& sum, auto& p) { tg::if_(p.n > 1u, [&] { p.y(1_c) = sum(1); }); };

}  // namespace

TEST_CASE("registers are touched before and behind, not while a product is under way") {
  CHECK(around(nothing, nothing) == 0);
  CHECK(around(nothing, reads) == 0);
  CHECK(around(nothing, writes) == 0);
  CHECK(around(reads, nothing) == 152);
  CHECK(around(writes, nothing) == 152);
  CHECK(around(reads_in_branch, nothing) == 152);
}

TEST_CASE("the line of the touch is named") {
  const auto early = [](auto, recording::parameters p) {
    sums sum = 0.0f;
    auto flight = tg::wgmma(std::move(sum), operand(0), columns(0));
    p.y(1_c) = sum(1);
    p.y(0_c) = flight.wait()(0);
  };
  CHECK(recording::error_of<group>(early) == recording::at(152, __LINE__ - 3));
}

TEST_CASE("a loop whose next iteration touches what the one before left under way") {
  const auto loop = [](bool waits) {
    return refused([=](auto, recording::parameters p) {
      sums sum = 0.0f, other = 0.0f;
      tg::for_(tg::range(p.n), [&](auto i) {
        p.y(tg::scatter(i)) = other(0);
        auto flight = tg::wgmma(std::move(other), operand(0), columns(0));
        if (waits) (void)flight.wait();
      });
      tg::detail::wait_for_products(0, tg::source_location::current());
      p.y(0_c) = sum(0);
    });
  };
  CHECK(loop(true) == 0);
  CHECK(loop(false) == 152);
}

TEST_CASE("the copies of a fragment belong to the product; the fragment itself does not") {
  CHECK(refused([](auto block, recording::parameters p) {
          auto a = tg::a_fragment<16, 16, tg::f16>::unfilled();
          for (auto& part : a.parts.parts) part = p.u(block.thread.x).get().operand;
          sums sum = 0.0f;
          auto flight = tg::wgmma(std::move(sum), a, columns(0));
          p.u(block.thread.x) = a(0);
          auto more = flight.then(a, columns(0));
          p.y(block.thread.x) = more.wait()(0);
        }) == 0);
}

TEST_CASE("sums without numbers are overwritten first") {
  const auto first = [](bool keep) {
    return refused([=](auto, recording::parameters p) {
      sums sum;
      p.y(0_c) = tg::wgmma(std::move(sum), operand(0), columns(0), keep).wait()(0);
    });
  };
  CHECK(first(false) == 0);
  CHECK(first(true) == 315);
}
