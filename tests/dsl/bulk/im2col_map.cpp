#include <tg/dsl/bulk/im2col_map.hpp>

#include "../word.hpp"

#include <tg/dsl/bulk/tensor_copy.hpp>
#include <tg/runtime.hpp>
#include <tg/runtime/tensor_map.hpp>

using namespace tg::literals;

namespace {

// 2 images of 5 rows of 7 pixels of 16 channels; the window of a filter of 3 x 3 with a padding of 1.
constexpr long long images = 2, height = 5, width = 7, channels = 16;
using padded = tg::im2col_map<float, tg::shape<24, 8>, tg::corner<-1, -1>, tg::corner<-1, -1>>;
using skipping =
    tg::im2col_map<float, tg::shape<8, 8>, tg::corner<-1, -2>, tg::corner<0, -1>, tg::skip<2, 3>, tg::swizzle<1, 2, 3>>;

struct place { int n, h, w, c, down, right; };

/// What the copy of a column finds.
template <class Map> std::vector<float> column(const std::vector<float>& x, const place& at) {
  constexpr auto facts = Map::facts;
  const long long last_w = width - 1 + facts.upper[0], last_h = height - 1 + facts.upper[1];
  std::vector<float> out;
  for (long long n = at.n, h = at.h, w = at.w; out.size() < facts.pixels * facts.channels;) {
    const long long row = h + at.down, pixel = w + at.right;
    for (unsigned c = 0; c < facts.channels; ++c) {
      const bool is_inside = n < images && row >= 0 && row < height && pixel >= 0 && pixel < width && at.c + c < channels;
      out.push_back(is_inside ? x[static_cast<std::size_t>(((n * height + row) * width + pixel) * channels + at.c + c)] : 0);
    }
    if ((w += facts.steps[1]) <= last_w) continue;
    w = facts.lower[0];
    if ((h += facts.steps[2]) <= last_h) continue;
    h = facts.lower[1];
    ++n;
  }
  return out;
}

template <class Map> void check(const place& at) {
  const auto k = tg::kernel<"column">(tg::block<64>, [at](auto block, Map map, tg::out<float> y) {
    const auto tile = [] {
      if constexpr (std::is_pointer_v<typename Map::layout>) return tg::shared<float>(tg::shape<Map::rows, 8>);
      else return tg::shared<float>(tg::shape<Map::rows, 8>, typename Map::layout{});
    }();
    auto full = tg::mbarriers<1>(block, 1);
    block.sync();
    auto phase = full.phase(0_c);
    tg::if_(block.thread.x == 0u, [&] {
      const auto from = map(at.n, at.h, at.w, at.c).moved(at.down, tg::let(block.thread.x + static_cast<unsigned>(at.right)));
      tg::tensor_prefetch(from);
      full.expect(0, tg::tensor_copy(tile, from));
    });
    (void)phase.wait();
    tg::for_(tg::range(block.thread.x, static_cast<unsigned>(8 * Map::rows), 64_c),
             [&](auto i) { y(i) = tile(i / 8_c, i % 8_c, tg::allow<tg::TG201>("a test")); });
  });
  const auto lowered = tg::lower(k);
  INFO(lowered.ptx);
  CHECK(accuracy::complaints_from_its_sm_on(lowered.ptx) == "");
  std::vector<float> x(static_cast<std::size_t>(images * height * width * channels));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
  tg::device gpu;
  auto from = gpu.upload(x);
  auto to = gpu.allocate<float>(8 * Map::rows);
  gpu.launch(k, tg::grid(1), tg::mdspan(from, images, height, width, channels), to);
  CHECK(to.to_host() == column<Map>(x, at));
}

}  // namespace

TEST_CASE("columns of pixels for each element of a filter, across rows, images and their edges") {
  for (int down = 0; down < 3; ++down)
    for (int right = 0; right < 3; ++right) check<padded>({0, -1, -1, 0, down, right});
  check<padded>({0, 2, 3, 8, 1, 2});
  check<padded>({1, 3, 5, 12, 2, 0});
  check<skipping>({0, -1, -2, 4, 0, 1});
  check<skipping>({1, 1, 1, 0, 1, 3});
}

TEST_CASE("the facts are told innermost first") {
  constexpr auto facts = skipping::facts;
  static_assert(facts.is_im2col && facts.rank == 4 && facts.pixels == 8 && facts.channels == 8);
  static_assert(facts.lower[0] == -2 && facts.lower[1] == -1 && facts.upper[0] == -1 && facts.upper[1] == 0);
  static_assert(facts.steps[1] == 3 && facts.steps[2] == 2 && facts.steps[0] == 1 && facts.steps[3] == 1);
  static_assert(facts.swizzle == 1 && skipping::bytes == 256);
  CHECK(facts.rank == 4);
}

TEST_CASE("images that the window leaves nothing of are refused") {
  tg::device gpu;
  auto x = gpu.zeros<float>(64 * 16);
  using wide = tg::im2col_map<float, tg::shape<8, 8>, tg::corner<0, 0>, tg::corner<-4, -4>>;
  const auto refused = [&] { (void)tg::encode_map<wide>(tg::mdspan(x, 1, 4, 16, 16)); };
  CHECK_THROWS_WITH_AS(refused(), doctest::Contains("TG577"), tg::error);
  CHECK_NOTHROW((void)tg::encode_map<wide>(tg::mdspan(x, 1, 5, 5, 16)));
}
