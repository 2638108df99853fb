// The choice that `tg::tuner` makes where nobody has measured, beside what the emulator counts for every choice: instructions
// that threads execute, and sectors of global memory that are asked for, of the choice and the least of any.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

#include <kernels/gemm.hpp>
#include <kernels/sgemm.hpp>
#include <kernels/softmax.hpp>
#include <kernels/softmax_online.hpp>
#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <tg/emulator.hpp>
#include <tg/runtime/tuner.hpp>
#include <tg/tg.hpp>

#include <bench/executed.hpp>
#include <bench/report.hpp>

namespace {

struct counts { double instructions = 0, sectors = 0; };

template <class Deferred> counts count(tg::device& gpu, Deferred launch) {
  tg::emulator::count_launches(true);
  launch.launch(gpu);
  tg::emulator::count_launches(false);
  const auto& counted = tg::emulator::counters_of_last_launch();
  counts out{static_cast<double>(counted.thread_instructions), 0};
  for (const auto& i : counted.instructions) out.sectors += static_cast<double>(i.sectors);
  return out;
}

/// Rows of what the choice takes beside the least.
template <class Choices, class Make>
void add(bench::report& report, tg::device& gpu, const std::string& name, const Choices& all, Make make) {
  tg::tuner tuner(gpu, name, all);
  const tg::tuning expected = tuner.predict(make);
  std::vector<counts> each;
  std::apply([&](const auto&... choice) { (each.push_back(count(gpu, make(choice))), ...); }, all.all);
  const auto least = [&](double counts::* figure) { return std::ranges::min(each, {}, figure).*figure; };
  std::printf("%s:", name.c_str());
  for (std::size_t i = 0; i < each.size(); ++i)
    std::printf("%s %zu: %.4g us expected, %.4g instructions, %.4g sectors%s", i == 0 ? "" : ";", i,
                expected.all[i].predicted_us, each[i].instructions, each[i].sectors, i == expected.best ? " (chosen)" : "");
  std::printf("\n");
  const counts& chosen = each[expected.best];
  report.add({name + " instructions", chosen.instructions, least(&counts::instructions), "least of all", "instr"});
  report.add({name + " sectors", chosen.sectors, least(&counts::sectors), "least of all", "sectors"});
}

template <int Columns> struct sgemm_of {
  static constexpr auto kernel = tg::kernels::sgemm<128, Columns>([](auto sum, auto) { return sum; });
  static auto grid(unsigned m, unsigned n) { return tg::kernels::sgemm_grid(kernel, m, n); }
};
template <int Columns> struct gemm_of {
  static constexpr tg::kernels::gemm_options options{.columns = Columns};
  static constexpr auto kernel = tg::kernels::gemm<options, tg::bf16>(tg::kernels::gemm_sums);
  static auto grid(unsigned m, unsigned n) { return tg::kernels::gemm_grid(kernel, m, n); }
};

template <class T> tg::buffer<T> matrix_on(tg::device& gpu, unsigned rows, unsigned columns) {
  const auto numbers = bench::random_numbers(std::size_t{rows} * columns);
  return gpu.upload(std::vector<T>(numbers.begin(), numbers.end()));
}

void add_transposes(bench::report& report, tg::device& gpu, unsigned n) {
  const auto x = matrix_on<float>(gpu, n, n);
  auto y = gpu.zeros<float>(std::size_t{n} * n);
  using namespace tg::kernels;
  add(report, gpu, "transpose " + std::to_string(n),
      tg::choices(transpose_naive, transpose_tiled, transpose_padded, transpose_swizzled), [&](const auto& kernel) {
        return tg::deferred(kernel, transpose_grid(n, n), tg::matrix(x, n, n), tg::matrix(y, n, n), n, n);
      });
}
void add_softmax(bench::report& report, tg::device& gpu, unsigned rows, unsigned n) {
  const auto x = matrix_on<float>(gpu, rows, n);
  auto y = gpu.zeros<float>(std::size_t{rows} * n);
  add(report, gpu, "softmax " + std::to_string(n), tg::choices(tg::kernels::softmax, tg::kernels::softmax_online),
      [&](const auto& kernel) {
        return tg::deferred(kernel, tg::grid(rows), tg::matrix(x, rows, n), tg::matrix(y, rows, n), n);
      });
}
template <class T, class Choices>
void add_products(bench::report& report, tg::device& gpu, const std::string& name, const Choices& all, unsigned m, unsigned n,
                  unsigned k) {
  const auto a = matrix_on<T>(gpu, m, k), b = matrix_on<T>(gpu, k, n);
  auto c = gpu.zeros<T>(std::size_t{m} * n);
  add(report, gpu, name + ' ' + std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k), all,
      [&](const auto& choice) {
        return tg::deferred(choice.kernel, choice.grid(m, n), tg::matrix(a, m, k), tg::matrix(b, k, n), tg::matrix(c, m, n), m,
                            n, k);
      });
}

}  // namespace

int main() {
  tg::device gpu("emulator");
  bench::report report("tune");
  for (const unsigned n : {64u, 512u}) add_transposes(report, gpu, n);
  for (const unsigned n : {256u, 4096u}) add_softmax(report, gpu, 32, n);
  constexpr tg::choices sgemms(sgemm_of<128>{}, sgemm_of<256>{});
  for (const unsigned n : {128u, 512u}) add_products<float>(report, gpu, "sgemm", sgemms, n, n, 64);
  constexpr tg::choices gemms(gemm_of<128>{}, gemm_of<256>{});
  for (const unsigned n : {64u, 128u, 512u}) add_products<tg::bf16>(report, gpu, "gemm", gemms, n, n, 64);
  return report.finish();
}
