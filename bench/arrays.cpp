// Expressions of arrays: bytes that their kernels move beside the least that any kernel moves, kernels launched, instructions
// that their threads execute beside kernels written by hand and compiled by nvcc (bench/cuda/arrays.cu; left out where there is
// no toolkit), and the host's time for an assignment beside a launch that was prepared.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tg/array.hpp>
#include <tg/array/matmul.hpp>
#include <tg/emulator.hpp>
#include <tg/runtime/prepared.hpp>
#include <tg/runtime/telemetry.hpp>
#include <tg/tg.hpp>

#include <bench/ampere.hpp>
#include <bench/executed.hpp>
#include <bench/report.hpp>
#include <bench/toolkit.hpp>

namespace {

using bench::buffer;
using bench::number;

constexpr unsigned rows = 1024, columns = 512, count = rows * columns;

/// The same work by hand.
struct twin {
  std::string entry;
  bench::work launch;
  bench::work::extent block;
};

struct bench_run {
  tg::device gpu;
  bench::report& report;
  std::optional<std::string> by_hand;  // PTX of the twins

  /// A product of matrices: its tiles read operands again, so that nothing is said of bytes.
  template <class A>
  void add_product(const std::string& name, const std::optional<std::string>& other, const twin& own, const A& assignment) {
    tg::emulator::count_launches(true);
    tg::assign(assignment);
    tg::emulator::count_launches(false);
    if (!other) return;
    const auto did = bench::execute(*other, own.entry, own.launch, own.block);
    report.add({name + " executed", static_cast<double>(tg::emulator::counters_of_last_launch().thread_instructions),
                static_cast<double>(did.instructions), "nvcc", "instr"});
  }

  /// `make()`: what is assigned, some `tg::into(y) = x`, as a tuple.
  template <class... A> void add(const std::string& name, const std::optional<twin>& other, const A&... assignments) {
    const auto own = tg::kernel_of(assignments...);
    tg::assign(assignments...);  // the kernel is made
    const auto before = tg::telemetry_of(gpu).launches;
    tg::emulator::count_launches(true);
    tg::assign(assignments...);
    tg::emulator::count_launches(false);
    const auto& counted = tg::emulator::counters_of_last_launch();
    std::uint64_t sectors = 0;
    for (const auto& i : counted.instructions) sectors += i.sectors;
    report.add(
        {name + " bytes", 32.0 * static_cast<double>(sectors), static_cast<double>(own.floor_bytes()), "floor", "bytes"});
    report.add({name + " kernels", static_cast<double>(tg::telemetry_of(gpu).launches - before), 1, "one", "launches"});
    if (!other || !by_hand) return;
    const auto did = bench::execute(*by_hand, other->entry, other->launch, other->block);
    report.add({name + " executed", static_cast<double>(counted.thread_instructions), static_cast<double>(did.instructions),
                "nvcc", "instr"});
  }
};

std::vector<float> numbers(std::size_t n) { return bench::random_numbers(n); }

void add_expressions(bench_run& run) {
  tg::device& gpu = run.gpu;
  const auto host = numbers(count), host_row = numbers(columns);
  const tg::array<float, 2> x(gpu, {rows, columns}, host), z(gpu, {rows, columns}, numbers(count));
  const tg::array<float, 1> w(gpu, host_row), b(gpu, numbers(columns)), flat(gpu, host), other(gpu, numbers(count));
  const tg::array<tg::bf16, 2> half = tg::cast<tg::bf16>(x);
  tg::array<float, 2> y(gpu, x.shape()), second(gpu, x.shape()), third(gpu, x.shape());
  tg::array<float, 1> line(gpu, {count}), of_rows(gpu, {rows}), of_columns(gpu, {columns});
  tg::array<tg::bf16, 2> half_y(gpu, x.shape());
  tg::array<int, 1> places(gpu, {rows});
  tg::array<float, 0> total(gpu, {});

  const auto matrix = buffer(host), row = buffer(host_row), empty = buffer(std::vector<float>(count));
  const auto with = [](std::string entry, bench::work::extent grid, bench::work::extent block,
                       std::vector<bench::argument> arguments) {
    return std::optional(twin{std::move(entry), {grid, std::move(arguments)}, block});
  };

  run.add("x * a + z", with("scaled_sum", {count / 4 / 256}, {256}, {matrix, matrix, empty, number(0.5f), number(count / 4)}),
          tg::into(line) = flat * 0.5f + other);
  run.add("relu(x * w + b)", with("scaled_rows", {1, rows}, {256}, {matrix, row, row, empty, number(columns)}),
          tg::into(y) = tg::relu(x * w + b));
  run.add("sum of rows", with("row_sums", {rows / 8}, {32, 8}, {matrix, buffer(std::vector<float>(rows)), number(rows)}),
          tg::into(of_rows) = tg::sum<1>(x));
  run.add("softmax", with("softmax_rows", {rows / 8}, {32, 8}, {matrix, empty, number(rows)}), tg::into(y) = tg::softmax<1>(x));
  run.add("LayerNorm", with("norm_rows", {rows / 8}, {32, 8}, {matrix, row, row, empty, number(rows)}),
          tg::into(y) = (x - tg::mean<1>(x, tg::keep)) * tg::rsqrt(tg::variance<1>(x, tg::keep) + 1e-5f) * w + b);
  run.add("sum of columns",
          with("column_sums", {columns / 128}, {32, 32},
               {matrix, buffer(std::vector<float>(columns)), number(rows), number(columns)}),
          tg::into(of_columns) = tg::sum<0>(x));
  {
    const tg::array<float, 2> across(gpu, {columns, rows}, host);
    run.add("transpose(x) + z",
            with("transposed_sum", {columns / 32, rows / 32}, {32, 8}, {matrix, matrix, empty, number(rows), number(columns)}),
            tg::into(y) = tg::transpose(across) + z);
  }
  {
    tg::array<float, 1> weights = flat, m = flat * 0.0f, v = flat * 0.0f;
    const float beta1 = 0.9f, beta2 = 0.999f, fix1 = 10, fix2 = 1000, rate = 0.1f;
    const auto m_new = m * beta1 + other * (1 - beta1);
    const auto v_new = v * beta2 + other * other * (1 - beta2);
    run.add("Adam",
            with("adam", {count / 4 / 256}, {256},
                 {matrix, empty, empty, matrix, number(beta1), number(beta2), number(fix1), number(fix2), number(rate),
                  number(count / 4)}),
            tg::into(weights) = weights - m_new * fix1 / (tg::sqrt(v_new * fix2) + 1e-8f) * rate, tg::into(m) = m_new,
            tg::into(v) = v_new);
  }

  const std::optional<twin> none;
  run.add("exp", none, tg::into(line) = tg::exp(flat));
  run.add("GELU", none, tg::into(y) = tg::gelu(x));
  run.add("bf16 in and out", none, tg::into(half_y) = tg::cast<tg::bf16>(tg::cast<float>(half) * 2.0f));
  run.add("clamp", none, tg::into(y) = tg::max(tg::min(x, 1.0f), -1.0f));
  run.add("where", none, tg::into(y) = tg::where(x > z, x, z));
  run.add("outer product", none, tg::into(y) = tg::expand<1>(tg::eval(tg::sum<1>(x))) * tg::expand<0>(w));
  run.add("sum of everything", none, tg::into(total) = tg::sum(x));
  run.add("mean of columns", none, tg::into(of_columns) = tg::mean<0>(x));
  run.add("argmax of rows", none, tg::into(places) = tg::argmax<1>(x));
  run.add("log-softmax", none, tg::into(y) = tg::log_softmax<1>(x));
  run.add("log-sum-exp", none, tg::into(of_rows) = tg::logsumexp<1>(x));
  run.add("L2-normalise", none, tg::into(y) = x / (tg::norm<1>(x, tg::keep) + 1e-6f));
  run.add("RMSNorm + residual", none, tg::into(y) = (x + z) * tg::rsqrt(tg::mean<1>((x + z) * (x + z), tg::keep) + 1e-6f) * w,
          tg::into(second) = x + z);
  tg::array<float, 1> variances(gpu, {rows});
  run.add("moments", none, tg::into(of_rows) = tg::mean<1>(x), tg::into(variances) = tg::variance<1>(x));
  run.add("masked scores", none,
          tg::into(y) = tg::softmax<1>(tg::where(tg::index_of<0>(x) >= tg::index_of<1>(x), x * 0.125f, -INFINITY)));
  run.add("cross-entropy", none, tg::into(of_rows) = tg::logsumexp<1>(x) - tg::sum<1>(x * z));
  run.add("its gradient", none, tg::into(y) = tg::softmax<1>(x) - z);
  {
    const auto inside = [](const auto& a, std::int64_t r, std::int64_t c) {
      return a(tg::range(1 + r, rows - 1 + r), tg::range(1 + c, columns - 1 + c));
    };
    tg::array<float, 2> next(gpu, {rows - 2, columns - 2});
    run.add("Jacobi", none, tg::into(next) = (inside(x, -1, 0) + inside(x, 1, 0) + inside(x, 0, -1) + inside(x, 0, 1)) * 0.25f);
  }
}

template <class T>
void add_product(bench_run& run, const std::string& name, const std::optional<std::string>& other, const std::string& entry,
                 bool is_scaled, unsigned threads) {
  constexpr unsigned side = 512;
  const auto matrix = bench::random_numbers<T>(side * side);
  const tg::device gpu = bench::ampere();
  const tg::array<T, 2> a(gpu, {side, side}, matrix);
  tg::array<T, 2> c(gpu, a.shape());
  std::vector<bench::argument> arguments = {buffer(matrix),
                                            bench::row_stride<T>(side),
                                            buffer(matrix),
                                            bench::row_stride<T>(side),
                                            buffer(std::vector<T>(side * side)),
                                            bench::row_stride<T>(side),
                                            number(side),
                                            number(side),
                                            number(side)};
  if (is_scaled) arguments.push_back(number(1.0f)), arguments.push_back(number(0.0f));
  const twin own{entry, {{side / 128, side / 128}, std::move(arguments), std::size_t{227} * 1024}, {threads}};
  if constexpr (std::is_same_v<T, float>) run.add_product(name, other, own, tg::into(c) = tg::matmul(a, a));
  else run.add_product(name, other, own, tg::into(c) = tg::cast<T>(tg::matmul(a, a)));
}

/// Nanoseconds of a call, the least of several runs.
template <class F> double nanoseconds(F call) {
  double least = INFINITY;
  for (int run = 0; run < 7; ++run) {
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < 20000; ++k) call();
    least = std::min(least, std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / 20000);
  }
  return least;
}

/// The host's side alone: the driver's launch returns at once.
void add_host_times(bench::report& report) {
  static tg::driver::table idle = tg::emulator::driver_table();
  idle.cuLaunchKernel = [](auto...) { return tg::driver::result::success; };
  tg::device gpu(tg::runtime::machine{&idle, 0});
  constexpr auto saxpy = tg::kernel<"saxpy">(tg::block<256>, [](auto block, tg::in<float> x, tg::in<float> z, tg::out<float> y,
                                                                tg::scalar<float> a, tg::scalar<unsigned> n) {
    const auto i = block.global_index();
    tg::if_(i < n, [&] { y(i) = x(i) * a + z(i); });
  });
  const tg::array<float, 1> x(gpu, {count}), z(gpu, {count});
  tg::array<float, 1> y(gpu, {count});
  const tg::array<float, 2> m(gpu, {rows, columns});
  tg::array<float, 2> r(gpu, {rows, columns});
  const tg::prepared step(gpu, saxpy, tg::cover(count));
  const double prepared = nanoseconds([&] { step(x, z, y, 0.5f, count); });
  report.add({"assignment of x * a + z", nanoseconds([&] { y = x * 0.5f + z; }), prepared, "prepared", "ns"});
  report.add({"assignment of softmax", nanoseconds([&] { r = tg::softmax<1>(m); }), prepared, "prepared", "ns"});
}

}  // namespace

int main() {
  bench::report report("arrays");
  const auto tools = bench::toolkit::find();
  bench_run run{tg::device("emulator"), report,
                tools ? std::optional(tools->to_ptx("bench/cuda/arrays.cu", 90)) : std::nullopt};
  const auto twin_of = [&](const char* file) { return tools ? std::optional(tools->to_ptx(file, 90)) : std::nullopt; };
  if (!tools) std::puts("no CUDA toolkit: nothing stands beside executed instructions");
  add_expressions(run);
  add_product<tg::bf16>(run, "product of bf16", twin_of("bench/cuda/gemm_bf16.cu"), "gemm_bf16", false, 128);
  add_product<float>(run, "product of floats", twin_of("bench/cuda/sgemm.cu"), "sgemm", true, 256);
  add_host_times(report);
  return report.finish();
}
