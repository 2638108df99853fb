// Transpose without bank conflicts
//
// A tile of 32 x 32 goes through shared memory, so that both reads and writes of global memory are rows. Reading a column of
// the tile would be 32 bank conflicts; the swizzle permutes columns so that there is none, and costs no memory. Without it
// this program does not compile (TG201), and the message proposes this swizzle.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto transpose = tg::kernel<"transpose">(
    tg::block<32, 32>,
    [](auto block, tg::in2<float> a, tg::out2<float> b, tg::scalar<unsigned> rows, tg::scalar<unsigned> columns) {
      auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5, 0, 5>);
      const auto x = block.thread.x;
      const auto y = block.thread.y;
      const auto row = tg::let(block.index.y * 32_c), column = tg::let(block.index.x * 32_c);
      tg::if_(row + y < rows && column + x < columns, [&] { tile(y, x) = a(row + y, column + x); });
      block.sync();
      tg::if_(column + y < columns && row + x < rows, [&] { b(column + y, row + x) = tile(x, y); });
    });

int main() {
  const unsigned rows = 100, columns = 77;
  std::vector<float> ha(rows * columns);
  for (unsigned k = 0; k < ha.size(); ++k) ha[k] = float(k);

  tg::device gpu;
  const auto a = gpu.upload(ha);
  auto b = gpu.zeros<float>(ha.size());
  gpu.launch(transpose, tg::cover(columns, rows), tg::matrix(a, rows, columns), tg::matrix(b, columns, rows), rows, columns);

  const auto out = b.to_host();
  unsigned wrong = 0;
  for (unsigned r = 0; r < rows; ++r)
    for (unsigned c = 0; c < columns; ++c) wrong += out[c * rows + r] != ha[r * columns + c];
  std::printf("%u x %u transposed, %u wrong\n", rows, columns, wrong);
  return wrong == 0 ? 0 : 1;
}
