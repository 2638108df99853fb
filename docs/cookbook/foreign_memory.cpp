// Memory of another library
//
// All that a kernel needs is an address: `tg::part<float>(context, address, size)` is memory that tg did not allocate, and
// does not free. `tg::array_view` gives it a shape. Here the memory comes from the driver, as a framework's pointer would.
#include <cstdio>
#include <vector>

#include <tg/array.hpp>
#include <tg/tg.hpp>

inline constexpr auto fill = tg::kernel<"fill">(tg::block<256>, [](auto block, tg::out<float> x, tg::scalar<unsigned> n) {
  const auto i = tg::let(block.global_index());
  tg::if_(i < n, [&] { x(i) = tg::cast<float>(i); });
});

int main() {
  const int rows = 10, columns = 30;
  tg::device gpu;
  auto& context = *gpu.context();
  tg::driver::device_address address = 0;  // with the CUDA runtime: reinterpret_cast<std::uintptr_t>(pointer)
  context.call(context.api().cuMemAlloc, &address, std::size_t{rows * columns} * sizeof(float));

  const tg::part<float> memory(&context, address, rows * columns);
  gpu.launch(fill, tg::cover(memory.size()), memory, memory.size());

  const tg::array_view<float, 2> x(memory, {rows, columns});  // without gaps between rows; slice it where there are some
  const tg::array<float, 1> sums = tg::sum<1>(x);

  const auto out = sums.to_host();
  int wrong = 0;
  for (int r = 0; r < rows; ++r) wrong += out[std::size_t(r)] != float(columns * (r * columns) + columns * (columns - 1) / 2);
  context.call(context.api().cuMemFree, address);
  std::printf("sums of %d rows of foreign memory, %d wrong\n", rows, wrong);
  return wrong == 0 ? 0 : 1;
}
