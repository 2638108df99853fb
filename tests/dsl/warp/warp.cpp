#include <tg/dsl/warp/warp.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/vector/narrow_float.hpp>

#include "../recording.hpp"
#include "../word.hpp"

TEST_CASE("a sum is five shuffles and five additions") {
  const std::string step = "shfl.sync.bfly.b32 add.u32";
  CHECK(recording::of([](auto block, recording::parameters p) {
          auto w = block.warp();
          auto start = p.n + 0u;
          (void)w.sum(start);
        }).text.ends_with(step + " " + step + " " + step + " " + step + " " + step));
}

TEST_CASE("64 bits travel as two words, a float as bits") {
  const auto text = [](auto f) {
    const std::string all = recording::of([f](auto block, recording::parameters p) { f(block.warp(), p); }).text;
    return all.substr(all.find("div.u32") + 8);
  };
  CHECK(text([](auto w, auto p) { (void)w.shuffle(p.a, 3); }) == "mov.b32 shfl.sync.idx.b32 mov.b32");
  CHECK(text([](auto w, auto p) { (void)w.shuffle_xor(tg::cast<double>(p.a), 1); }) ==
        "cvt.f64.f32 mov.b64 shfl.sync.bfly.b32 shfl.sync.bfly.b32 mov.b64");
  CHECK(text([](auto w, auto p) { (void)w.ballot(p.n < 3); }) == "setp.lt.u32 vote.sync.ballot.b32");
  CHECK(text([](auto w, auto p) { (void)w.any(p.n < 3); }) == "setp.lt.u32 vote.sync.any.pred");
  CHECK(text([](auto w, auto) { w.sync(); }) == "bar.warp.sync");
}

TEST_CASE("what another lane holds is data") {
  recording::of([](auto block, recording::parameters) {
    auto got = block.warp().shuffle(block.thread.x, 0);
    static_assert(std::is_same_v<typename decltype(got)::form, tg::index::data>);
    static_assert(tg::index::is_known_form<typename decltype(block.warp().lane)::form>);
  });
}

TEST_CASE("neighbours take as many steps as their number doubles") {
  const auto text = [](auto f) {
    const std::string all = recording::of([f](auto block, recording::parameters p) { f(block.warp(), p); }).text;
    return all.substr(all.find("div.u32") + 8);
  };
  using namespace tg::literals;
  CHECK(text([](auto w, auto p) { (void)w.max(p.n, 4_c); }) == "shfl.sync.bfly.b32 max.u32 shfl.sync.bfly.b32 max.u32");
  CHECK(text([](auto w, auto p) { (void)w.sum(p.n, 2_c); }) == "shfl.sync.bfly.b32 add.u32");
  CHECK(text([](auto w, auto p) { (void)w.min(p.n, 8_c); }).size() ==
        3 * std::string("shfl.sync.bfly.b32 min.u32 ").size() - 1);
}

TEST_CASE("a function over lanes may give a variable or a number of its own") {
  using namespace tg::literals;
  const std::string with_variable = recording::of([](auto block, recording::parameters p) {
                                      (void)block.warp().combine(
                                          p.n,
                                          [](auto a, auto b) {
                                            tg::var<unsigned> out = a;
                                            out += b;
                                            return out;
                                          },
                                          2_c);
                                    }).text;
  CHECK(with_variable.find("shfl.sync.bfly.b32") != std::string::npos);
  CHECK(with_variable.find("add.u32") != std::string::npos);
  const std::string of_zero = recording::of([](auto block, recording::parameters p) {
                                (void)block.warp().combine(p.n, [](auto, auto) { return 7u; }, 2_c);
                              }).text;
  CHECK(of_zero.ends_with("shfl.sync.bfly.b32"));
}

TEST_CASE("a C++ number is one that each lane has") {
  using namespace tg::literals;
  const auto run = []<class T>(T, auto f) {
    return word::run<tg::block_t<64>, T>([f](auto block, auto, auto to) { to(block.global_index()) = f(block.warp()); },
                                         std::vector<T>(64));
  };
  const auto all = [](auto number) { return std::vector<decltype(number)>(64, number); };
  CHECK(run(0.0f, [](auto w) { return w.sum(1.0f); }) == all(32.0f));
  CHECK(run(0.0, [](auto w) { return w.sum(0.5, 4_c); }) == all(2.0));
  CHECK(run(0, [](auto w) { return w.max(-3) + w.min(-4) + w.combine(1, [](auto a, auto b) { return a + b; }); }) == all(25));
  CHECK(run(0u, [](auto w) { return w.sum(3_c); }) == all(96u));
  CHECK(run(0.0f, [](auto w) { return w.shuffle_down(1.0f, 1u) + w.shuffle_up(2.0f, 1u) + w.shuffle_xor(3.0f, 1); }) ==
        all(6.0f));
  CHECK(run(0ll, [](auto w) { return w.shuffle(1ll << 40, 3); }) == all(1ll << 40));
  CHECK(run(tg::f16(), [](auto w) { return w.sum(tg::f16(0.5)); }) == all(tg::f16(16)));
  CHECK(run(std::uint8_t{}, [](auto w) { return w.shuffle(std::uint8_t{200}, 3); }) == all(std::uint8_t{200}));
  const auto counted = run(0u, [](auto w) { return w.inclusive_sum(1u); });
  for (unsigned i = 0; i < 64; ++i) CHECK(counted[i] == i % 32 + 1);
  CHECK(run(0u, [](auto w) { return w.ballot(true) + tg::select(w.any(false), 100u, 0u) + tg::select(w.all(true), 2u, 0u); }) ==
        all(1u));
}
