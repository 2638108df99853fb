// Dot product of 8-bit integers
//
// `tg::dp4a` multiplies four signed bytes of one word with four of another and adds the products: one instruction. The matrix
// is read as words, four bytes each. A warp computes one row; its lanes' sums are added by shuffles.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto matvec = tg::kernel<"matvec">(
    tg::block<128>,
    [](auto block, tg::in2<int> a, tg::in<int> x, tg::out<int> y, tg::scalar<unsigned> rows, tg::scalar<unsigned> words) {
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * 4_c + warp.index);
      tg::var<int> sum = 0;
      tg::if_(row < rows,
              [&] { tg::for_(tg::range(warp.lane, words, 32_c), [&](auto j) { sum = tg::dp4a(a(row, j), x(j), sum); }); });
      const auto all = tg::let(warp.sum(sum));
      tg::if_(row < rows && warp.lane == 0u, [&] { y(row) = all; });
    });

std::vector<int> to_words(const std::vector<std::int8_t>& bytes) {
  std::vector<int> out(bytes.size() / 4);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

int main() {
  const unsigned rows = 30, columns = 400;
  std::vector<std::int8_t> ha(rows * columns), hx(columns);
  for (unsigned k = 0; k < ha.size(); ++k) ha[k] = std::int8_t(k * 31 % 255 - 127);
  for (unsigned k = 0; k < columns; ++k) hx[k] = std::int8_t(k * 17 % 255 - 127);

  tg::device gpu;
  const auto a = gpu.upload(to_words(ha)), x = gpu.upload(to_words(hx));
  auto y = gpu.zeros<int>(rows);
  gpu.launch(matvec, tg::grid((rows + 3) / 4), tg::matrix(a, rows, columns / 4), x, y, rows, columns / 4);

  const auto out = y.to_host();
  unsigned wrong = 0;
  for (unsigned r = 0; r < rows; ++r) {
    int sum = 0;
    for (unsigned c = 0; c < columns; ++c) sum += ha[r * columns + c] * hx[c];
    wrong += out[r] != sum;
  }
  std::printf("%u rows, %u wrong; the first is %d\n", rows, wrong, out[0]);
  return wrong == 0 ? 0 : 1;
}
