// One query against keys and values that lie in pages of 16, found through a table of pages: a warp per head, one pass with
// a running maximum.
#include "checked.hpp"

#include <cmath>

using namespace tg::literals;
using everyday::checked_device;
using everyday::random_numbers;
using everyday::random_words;

namespace {

constexpr unsigned head_size = 64, page_rows = 16;

inline constexpr auto paged_decode = tg::kernel<"paged_decode">(
    tg::block<32>, [](auto block, tg::in2<float> query, tg::in2<float> keys, tg::in2<float> values, tg::in<unsigned> pages,
                      tg::out2<float> out, tg::scalar<unsigned> length, tg::scalar<float> scale) {
      const auto warp = block.warp();
      const auto lane = block.thread.x;
      const auto head = block.index.x;
      const auto first = tg::let(query(head, lane) * scale), second = tg::let(query(head, lane + 32_c) * scale);
      tg::var<float> peak = std::numeric_limits<float>::lowest(), total = 0.0f, low = 0.0f, high = 0.0f;
      tg::for_(tg::range(length), [&](auto position) {
        const auto row = tg::let(pages(position / 16_c) * 16u + position % 16_c);
        const auto score = tg::let(warp.sum(keys(row, lane) * first + keys(row, lane + 32_c) * second));
        const auto above = tg::let(tg::max(peak, score));
        const auto shrink = tg::let(tg::exp(peak - above)), weight = tg::let(tg::exp(score - above));
        total = total * shrink + weight;
        low = low * shrink + weight * values(row, lane);
        high = high * shrink + weight * values(row, lane + 32_c);
        peak = above;
      });
      out(head, lane) = low / total;
      out(head, lane + 32_c) = high / total;
    });

}  // namespace

TEST_CASE("attention of one query over pages") {
  for (const unsigned length : {1u, 15u, 16u, 17u, 32u, 101u}) {
    CAPTURE(length);
    checked_device on;
    const unsigned heads = 3, page_count = 12;
    const auto hq = random_numbers(heads * head_size, -1, 1, 1);
    const auto hk = random_numbers(page_count * page_rows * head_size, -1, 1, 2),
               hv = random_numbers(page_count * page_rows * head_size, -1, 1, 3);
    const auto table = random_words((length + 15) / 16, page_count, 4);
    const auto q = on.gpu.upload(hq), k = on.gpu.upload(hk), v = on.gpu.upload(hv);
    const auto pages = on.gpu.upload(table);
    auto out = on.gpu.upload(std::vector<float>(heads * head_size, NAN));
    const float scale = 0.125f;
    on.gpu.launch(paged_decode, tg::grid(heads), tg::matrix(q, heads, head_size),
                  tg::matrix(k, page_count * page_rows, head_size), tg::matrix(v, page_count * page_rows, head_size), pages,
                  tg::matrix(out, heads, head_size), length, scale);
    const auto got = out.to_host();
    for (unsigned h = 0; h < heads; ++h) {
      std::vector<double> scores(length), sum(head_size);
      double peak = -INFINITY, total = 0;
      for (unsigned p = 0; p < length; ++p) {
        const std::size_t row = table[p / 16] * 16 + p % 16;
        for (std::size_t d = 0; d < head_size; ++d)
          scores[p] += double(hq[h * head_size + d]) * scale * hk[row * head_size + d];
        peak = std::max(peak, scores[p]);
      }
      for (unsigned p = 0; p < length; ++p) {
        const double w = std::exp(scores[p] - peak);
        total += w;
        for (std::size_t d = 0; d < head_size; ++d) sum[d] += w * hv[(table[p / 16] * 16 + p % 16) * head_size + d];
      }
      for (std::size_t d = 0; d < head_size; ++d)
        CHECK(got[h * head_size + d] == doctest::Approx(sum[d] / total).epsilon(1e-4));
    }
  }
}
