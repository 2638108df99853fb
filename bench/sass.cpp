// Machine code after ptxas -O3, ours beside nvcc's for the same algorithm (bench/cuda/): registers, spilled bytes, code
// bytes. Neither side says how often its loops are to be unrolled: nvcc unrolls those of blur_sobel, whose trip counts
// it knows, where we leave all loops to ptxas. Skipped where there is no CUDA toolkit.
#include <cstdio>
#include <string>
#include <vector>

#include <bench/report.hpp>
#include <bench/toolkit.hpp>
#include <kernels/blur_sobel.hpp>
#include <kernels/reduction.hpp>
#include <kernels/saxpy.hpp>
#include <kernels/softmax.hpp>
#include <kernels/transpose.hpp>

namespace {

struct compared {
  std::string name;
  std::string ptx;
};

template <class... K>
std::vector<compared> all(const K&... kernels) {
  return {{std::string(K::name), tg::to_ptx(kernels)}...};
}

}  // namespace

int main() {
  const auto tools = bench::toolkit::find();
  if (!tools) {
    std::puts("no CUDA toolkit: skipped");
    return 0;
  }
  namespace k = tg::kernels;
  const auto kernels =
      all(k::saxpy, k::saxpy4, k::transpose_naive, k::transpose_tiled, k::transpose_padded, k::transpose_swizzled,
          k::sum_interleaved, k::sum_sequential, k::sum_first_add, k::sum_shuffled, k::sum, k::softmax, k::softmax_online,
          k::blur_sobel<3, std::uint8_t>);

  constexpr int sm = 90;
  bench::report report("sass");
  for (const auto& one : kernels) {
    const bench::machine_code ours = tools->assemble(one.ptx, sm).at(one.name);
    const bench::machine_code other = tools->compile("bench/cuda/" + one.name + ".cu", sm).at(one.name);
    report.add({one.name + " registers", double(ours.registers), double(other.registers), "nvcc", "regs"});
    report.add({one.name + " spills", double(ours.spill_bytes), double(other.spill_bytes), "nvcc", "bytes"});
    report.add({one.name + " code", double(ours.code_bytes), double(other.code_bytes), "nvcc", "bytes"});
  }
  return report.finish();
}
