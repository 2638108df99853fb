#include <tg/dsl/flow/body.hpp>

#include <string>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("TG128: a return guards nothing") {
  const auto wrong = [](auto block, recording::parameters p) {
    const auto i = block.thread.x;
    tg::if_(i >= p.n, [&] { return; });
    p.y(i) = p.x(i);
  };
  CHECK(recording::error_of(wrong) == recording::at(128, __LINE__ - 3));
  const std::string text = recording::message_of(wrong);
  CHECK(text.starts_with("TG128: the body of tg::if_ records nothing; a return leaves the body, not the kernel"));
  CHECK(text.find("tg::if_(i < n, [&] {...})") != std::string::npos);
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          tg::if_(i < p.n, [&] { p.y(i) = p.x(i); });
        }) == "none");
}

TEST_CASE("TG128: a C++ variable is changed once, not by the lanes") {
  CHECK(recording::error_of([](auto, recording::parameters p) {
          int k = 0;
          tg::for_(tg::range(p.n), [&](auto) { ++k; });
        }).starts_with("128"));
  CHECK(recording::error_of([](auto, recording::parameters p) {
          int k = 0;
          tg::if_(p.n < 3u, [&] { k = 1; });
          (void)k;
        }).starts_with("128"));
  CHECK(recording::error_of([](auto, recording::parameters p) {
          tg::var<unsigned> k = 0;
          tg::for_(tg::range(p.n), [&](auto) { k += 1u; });
        }) == "none");
}

TEST_CASE("TG128: the other side of a branch") {
  CHECK(recording::error_of([](auto, recording::parameters p) {
          tg::var<unsigned> k = 0;
          tg::if_(p.n < 3u, [&] { k = 1u; }).else_([&] { return; });
        }).starts_with("128"));
}

TEST_CASE("what only assigns, stores, waits or calls a barrier is a body") {
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          tg::var<unsigned> k = 0;
          const auto one = tg::let(p.n);
          tg::if_(p.n < 3u, [&] { k = one; }).else_([&] { k = one; });
          tg::for_(tg::range(p.n), [&](auto) { block.sync(); });
          tg::for_(tg::range(p.n), [&](auto j) { p.y(j) = 0.0f; });
        }) == "none");
}

TEST_CASE("a wait needs no body, a loop in which nothing changes is refused") {
  CHECK(recording::error_of([](auto block, recording::parameters) {
          const auto flag = tg::shared<unsigned>(tg::shape<1>);
          tg::if_(block.thread.x == 0u, [&] { flag(0_c) = 1u; });
          tg::while_([&] { return tg::atomic_load<tg::order::acquire>(flag(0_c)) == 0u; }, [] {});
        }) == "none");
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          tg::while_([&] { return block.thread.x < p.n; }, [] { return; });
        }).starts_with("128"));
}
