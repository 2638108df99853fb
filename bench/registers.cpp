// The register estimate beside what `ptxas -v` says, at sm_80 and sm_90: the kernel library, kernels generated in the
// language, and the PTX programs of tests/programs, which other compilers wrote. Kernels that call functions are left
// out: their registers are those of the calling convention. The estimate was fitted to one half of the kernels, so the
// error on the other half says what to expect of a new one. Skipped where there is no CUDA toolkit.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include <bench/registers/generated.hpp>
#include <bench/report.hpp>
#include <bench/toolkit.hpp>
#include <kernels/attention.hpp>
#include <kernels/blur.hpp>
#include <kernels/blur_sobel.hpp>
#include <kernels/q4k_matvec.hpp>
#include <kernels/q8_1.hpp>
#include <kernels/reduction.hpp>
#include <kernels/reduction_steps.hpp>
#include <kernels/saxpy.hpp>
#include <kernels/saxpy4.hpp>
#include <kernels/sgemm.hpp>
#include <kernels/sobel.hpp>
#include <kernels/softmax.hpp>
#include <kernels/softmax_online.hpp>
#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <tg/analysis/occupancy.hpp>
#include <tg/base/file.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/registers/register_estimate.hpp>

namespace {

struct text {
  std::string name;
  std::string ptx;
};

template <class... K> void add_all(std::vector<text>& to, const K&... kernels) {
  (to.push_back({std::string(K::name), tg::to_ptx(kernels)}), ...);
}

constexpr auto scaled = [](auto sum, const auto& at, auto alpha, auto beta) { return alpha * sum + beta * at.old(); };
template <int Rows, int Columns>
constexpr auto product = tg::kernels::sgemm<Rows, Columns, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled);

std::vector<text> texts() {
  namespace k = tg::kernels;
  std::vector<text> out;
  add_all(out, k::saxpy, k::saxpy4, k::transpose_naive, k::transpose_tiled, k::transpose_padded, k::transpose_swizzled,
          k::sum_interleaved, k::sum_sequential, k::sum_first_add, k::sum_shuffled, k::sum, k::softmax, k::softmax_online,
          k::sobel<float>, k::sobel<std::uint8_t>, k::blur_horizontal<2>, k::blur_vertical<2>, k::blur_sobel<1, std::uint8_t>,
          k::blur_sobel<2, float>, k::blur_sobel<3, std::uint8_t>);
  add_all(out, product<128, 128>, product<128, 256>, k::attention<tg::bf16, 128, true>, k::q4k_matvec, k::quantize_q8_1);
  bench::each_generated([&](const auto& kernel) { add_all(out, kernel); });
  for (const auto& file : std::filesystem::directory_iterator("tests/programs/ptx"))
    out.push_back({file.path().stem().string(), tg::read_file(file.path().string()).value()});
  return out;
}

bool calls(const tg::ptx::function& f) {
  for (const auto& i : f.body)
    if (i.op == tg::ptx::opcode::call) return true;
  return false;
}

// Which half of the kernels one belongs to, by its name: the estimate was fitted to the first.
bool is_fitted(const std::string& name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return (hash >> 4 & 1) == 0;
}

struct error_sum {
  double fitted = 0, other = 0;
  int kernels_fitted = 0, kernels_other = 0, spills = 0, missed = 0;

  void add(bool is_of_fit, double relative) {
    (is_of_fit ? fitted : other) += relative;
    ++(is_of_fit ? kernels_fitted : kernels_other);
  }
  int kernels() const { return kernels_fitted + kernels_other; }
  static double percent(double relative, int of) { return of == 0 ? 0 : 100 * relative / of; }
};

// One text for one architecture; a row for each kernel.
void compare(const text& one, int sm, const bench::toolkit& tools, bench::report& report, error_sum& sum) {
  const tg::ptx::module m = tg::ptx::parse(one.ptx);
  if (m.sm > sm) return;
  const auto said = tools.assemble(one.ptx, sm);
  for (const auto& f : m.functions) {
    if (!f.is_entry || calls(f)) continue;
    const bench::machine_code& real = said.at(f.name);
    const int bound =
        tg::analysis::register_cap(tg::analysis::multiprocessor_of(sm), static_cast<int>(f.bounds.block_threads()),
                                   static_cast<int>(f.bounds.min_blocks_per_sm), static_cast<int>(f.bounds.max_registers));
    const auto estimate = tg::ptx::estimate_registers(f, sm, bound);
    sum.add(is_fitted(f.name), std::abs(estimate.expected - real.registers) / static_cast<double>(real.registers));
    sum.spills += real.spill_bytes != 0;
    sum.missed += real.spill_bytes != 0 && !estimate.spills(bound);
    report.add({one.name + " " + f.name + " sm_" + std::to_string(sm), double(estimate.expected), double(real.registers),
                "ptxas", "regs"});
  }
}

}  // namespace

int main() {
  const auto tools = bench::toolkit::find();
  if (!tools) {
    std::puts("no CUDA toolkit: skipped");
    return 0;
  }
  bench::report report("registers");
  std::string summary;
  for (const int sm : {80, 90}) {
    error_sum sum;
    for (const text& one : texts()) compare(one, sm, *tools, report, sum);
    char line[240];
    std::snprintf(
        line, sizeof line,
        "sm_%d: %d kernels, mean absolute error %.1f %% (%.1f %% on the %d that it was fitted to, %.1f %% on the other %d), "
        "%d with spills, %d of them not predicted\n",
        sm, sum.kernels(), error_sum::percent(sum.fitted + sum.other, sum.kernels()),
        error_sum::percent(sum.fitted, sum.kernels_fitted), sum.kernels_fitted,
        error_sum::percent(sum.other, sum.kernels_other), sum.kernels_other, sum.spills, sum.missed);
    summary += line;
  }
  const int status = report.finish();
  std::fputs(summary.c_str(), stdout);
  return status;
}
