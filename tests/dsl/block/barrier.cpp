#include <tg/dsl/block/barrier.hpp>

#include <tg/dsl/memory/shared.hpp>

#include "../recording.hpp"
#include "../word.hpp"

namespace {

using tg::literals::operator""_c;

/// Two warps produce, one consumes.
std::string pipeline(bool arrives) {
  return tg::lower(tg::kernel<"pipeline">(tg::block<96>,
                                          [=](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
                                            const auto tile = tg::shared<unsigned>(tg::shape<64>);
                                            const auto full = tg::barrier<1>(block, 96_c);
                                            const auto t = block.thread.x;
                                            tg::if_(t < 64, [&] {
                                              tile(t) = x(t) * 3u;
                                              if (arrives) full.arrive();
                                            }).else_([&] {
                                              if (arrives) full.sync();
                                              y(t % 32_c) = tile(t % 32_c) + tile(t % 32_c + 32_c);
                                            });
                                          }))
      .ptx;
}

}  // namespace

TEST_CASE("a named barrier names itself and how many meet") {
  CHECK(recording::of([](auto block, auto) { tg::barrier<3>(block, 64_c).sync(); }).text == "bar.sync");
  const std::string text = pipeline(true);
  CHECK(text.find("bar.arrive 1, 96;") != text.npos);
  CHECK(text.find("bar.sync 1, 96;") != text.npos);
}

TEST_CASE("producers arrive, consumers wait") {
  const auto x = word::random_words<unsigned>(64);
  std::vector<unsigned> y(32), from = x;
  CHECK(accuracy::complaints_from_its_sm_on(pipeline(true)) == "");
  word::launch(pipeline(true), 1, from, y);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == 3 * (x[i] + x[i + 32]));
  word::check_is_objected([&] { word::launch(pipeline(false), 1, from, y); });
}
