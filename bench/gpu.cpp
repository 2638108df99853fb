// Shipped kernels and expressions of arrays on a GPU: milliseconds beside a copy of the same bytes or the peak of the units
// that multiply, and beside twins that nvcc makes (bench/cuda; left out where there is no toolkit). bench/gpu/rivals.py times
// PyTorch, Triton and CuPy at the same work. Skipped where there is no GPU; `rehearse` runs each kernel once on the emulator,
// with small operands. Words name parts: moves, products, attention, quantised, arrays, launches.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include <bench/gpu/parts.hpp>

namespace {

/// Bytes that a copy within device memory moves in a millisecond, read and written.
double copied_bytes_per_ms(tg::device& gpu) {
  const std::size_t count = std::size_t{1} << 28;
  auto from = gpu.zeros<float>(count), to = gpu.zeros<float>(count);
  return 8.0 * static_cast<double>(count) / bench::milliseconds_of(gpu, [&] { to.copy_from(from.part(0, count)); });
}

}  // namespace

int main(int count, char** words) {
  try {
    const bool is_rehearsal = count > 1 && std::string(words[1]) == "rehearse";
    tg::device gpu(is_rehearsal ? "emulator" : "gpu");
    if (gpu.is_emulated() && !is_rehearsal) {
      std::puts("no GPU: skipped");
      return 0;
    }
    const std::vector<std::string> files{"saxpy",     "saxpy4", "transpose_swizzled", "softmax", "softmax_online",
                                         "gemm_bf16", "sgemm"};
    const bench::twins by_nvcc(gpu, is_rehearsal ? std::vector<std::string>{} : files);
    bench::report report("gpu: " + gpu.name());
    // Source of the peaks: NVIDIA H100 datasheet, SXM, dense: 989.4 TFLOP/s of bf16, 66.9 TFLOP/s of floats.
    bench::gpu_run run{gpu, by_nvcc, {is_rehearsal ? 1 : copied_bytes_per_ms(gpu), 989.4e9, 66.9e9}, report, is_rehearsal};
    std::printf("a copy moves %.0f GB/s\n", run.most.bytes_per_ms / 1e6);
    const std::pair<const char*, void (*)(bench::gpu_run&)> parts[] = {
        {"moves", bench::time_moves},         {"products", bench::time_products}, {"attention", bench::time_attention},
        {"quantised", bench::time_quantised}, {"arrays", bench::time_arrays},     {"launches", bench::time_launches}};
    bool is_whole = true;
    for (const auto& [name, part] : parts) {
      if (count > 1 + is_rehearsal && std::find(words + 1, words + count, std::string(name)) == words + count) continue;
      try {
        part(run);
      } catch (const std::exception& e) {
        std::printf("%s: %s\n", name, e.what());
        is_whole = false;
      }
    }
    const int written = is_rehearsal ? 0 : report.finish();
    return is_whole ? written : 1;
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
