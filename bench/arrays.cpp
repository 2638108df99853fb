// Expressions of arrays: bytes that pass between memory and the cache, and bytes that blocks ask the cache for, beside the
// least that any kernel moves; kernels launched, what is not proved of a kernel, instructions that their threads execute beside
// kernels written by hand and compiled by nvcc (bench/cuda/arrays.cu and array_rows.cu; left out where there is no toolkit),
// and the host's time for an assignment beside a launch that was prepared.
#include <algorithm>
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
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/proof/analyze.hpp>
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
const std::optional<std::string> nothing;

/// The same work by hand.
struct twin {
  const std::optional<std::string>& text;  // PTX
  std::string entry;
  bench::work launch;
  bench::work::extent block;
};

/// Accesses to arrays that the compiler has not proved, and questions about the kernel without the answer "proved".
int unproved(const tg::expression_kernel& own) {
  int out = 0;
  for (const tg::access& a : tg::trace(own).accesses) out += !a.is_shared && a.verdict != tg::verdict::proved;
  const auto found = tg::analyze(own);
  for (const tg::finding& f : found.verdicts()) out += f.answer != tg::answer::proved;
  return out;
}

struct bench_run {
  tg::device gpu;
  bench::report& report;
  std::optional<std::string> flat, along_rows;  // PTX of the twins

  /// A product of matrices: its tiles read operands again, so that nothing is said of bytes.
  template <class A> void add_product(const std::string& name, const twin& own, const A& assignment) {
    tg::emulator::count_launches(true);
    tg::assign(assignment);
    tg::emulator::count_launches(false);
    if (!own.text) return;
    const auto did = bench::execute(*own.text, own.entry, own.launch, own.block);
    report.add({name + " executed", static_cast<double>(tg::emulator::counters_of_last_launch().thread_instructions),
                static_cast<double>(did.instructions), "nvcc", "instr"});
  }

  /// `make()`: what is assigned, some `tg::into(y) = x`, as a tuple.
  template <class... A> void add(const std::string& name, const twin& other, const A&... assignments) {
    const auto own = tg::kernel_of(assignments...);
    tg::assign(assignments...);  // the kernel is made
    const auto before = tg::telemetry_of(gpu).launches;
    const tg::emulator::options usual = tg::emulator::launch_options();
    tg::emulator::options how = usual;
    bench::count_traffic(how, static_cast<std::uint64_t>(own.to_recordable().block.threads()));
    tg::emulator::set_launch_options(how);
    tg::emulator::count_launches(true);
    tg::assign(assignments...);
    tg::emulator::count_launches(false);
    tg::emulator::set_launch_options(usual);
    const auto counted = tg::emulator::counters_of_last_launch();
    std::uint64_t sectors = 0;
    for (const auto& i : counted.instructions) sectors += i.sectors;
    const auto least = static_cast<double>(own.floor_bytes());
    report.add({name + " bytes", static_cast<double>(counted.memory_read_bytes + counted.memory_written_bytes), least, "floor",
                "bytes"});
    report.add({name + " requests", 32.0 * static_cast<double>(sectors), least, "floor", "bytes"});
    report.add({name + " kernels", static_cast<double>(tg::telemetry_of(gpu).launches - before), 1, "one", "launches"});
    report.add({name + " unproved", static_cast<double>(unproved(own)), 0, "none", "answers"});
    if (!other.text) return;
    const auto did = bench::execute(*other.text, other.entry, other.launch, other.block);
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
  const auto half_matrix = buffer(std::vector<tg::bf16>(count, tg::bf16(1.0f))), of_each_row = buffer(std::vector<float>(rows));
  const auto with = [&](std::string entry, bench::work::extent grid, bench::work::extent block,
                        std::vector<bench::argument> arguments) {
    return twin{run.flat, std::move(entry), {grid, std::move(arguments)}, block};
  };
  // Four elements for each thread, and a warp for each row.
  const auto map = [&](std::string entry, std::vector<bench::argument> arguments, unsigned vectors = count / 4) {
    arguments.push_back(number(vectors));
    return with(std::move(entry), {vectors / 256}, {256}, std::move(arguments));
  };
  const auto along = [&](std::string entry, std::vector<bench::argument> arguments) {
    arguments.push_back(number(rows));
    return twin{run.along_rows, std::move(entry), {{rows / 8}, std::move(arguments)}, {32, 8}};
  };

  run.add("x * a + z", map("scaled_sum", {matrix, matrix, empty, number(0.5f)}), tg::into(line) = flat * 0.5f + other);
  run.add("relu(x * w + b)", with("scaled_rows", {1, rows}, {256}, {matrix, row, row, empty, number(columns)}),
          tg::into(y) = tg::relu(x * w + b));
  run.add("sum of rows", along("row_sums", {matrix, of_each_row}), tg::into(of_rows) = tg::sum<1>(x));
  run.add("softmax", along("softmax_rows", {matrix, empty}), tg::into(y) = tg::softmax<1>(x));
  run.add("LayerNorm", along("norm_rows", {matrix, row, row, empty}),
          tg::into(y) = (x - tg::mean<1>(x, tg::keep)) * tg::rsqrt(tg::variance<1>(x, tg::keep) + 1e-5f) * w + b);
  const auto down_columns = [&](float scale) {
    return with("column_sums", {columns / 128}, {32, 32}, {matrix, row, number(rows), number(columns), number(scale)});
  };
  run.add("sum of columns", down_columns(1), tg::into(of_columns) = tg::sum<0>(x));
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
            map("adam", {matrix, empty, empty, matrix, number(beta1), number(beta2), number(fix1), number(fix2), number(rate)}),
            tg::into(weights) = weights - m_new * fix1 / (tg::sqrt(v_new * fix2) + 1e-8f) * rate, tg::into(m) = m_new,
            tg::into(v) = v_new);
  }

  run.add("exp", map("exponential", {matrix, empty}), tg::into(line) = tg::exp(flat));
  run.add("GELU", map("gelu", {matrix, empty}), tg::into(y) = tg::gelu(x));
  run.add("bf16 in and out", map("twice_bf16", {half_matrix, half_matrix, number(2.0f)}, count / 8),
          tg::into(half_y) = tg::cast<tg::bf16>(tg::cast<float>(half) * 2.0f));
  run.add("clamp", map("clamped", {matrix, empty, number(-1.0f), number(1.0f)}),
          tg::into(y) = tg::max(tg::min(x, 1.0f), -1.0f));
  run.add("where", map("greater", {matrix, matrix, empty}), tg::into(y) = tg::where(x > z, x, z));
  run.add("outer product", with("outer", {1, rows}, {256}, {of_each_row, row, empty, number(columns)}),
          tg::into(y) = tg::expand<1>(tg::eval(tg::sum<1>(x))) * tg::expand<0>(w));
  constexpr unsigned blocks = 128;
  run.add("sum of everything",
          twin{run.along_rows,
               "sum_all",
               {{blocks},
                {matrix, buffer(std::vector<float>(blocks)), buffer(std::vector<unsigned>(1)), buffer(std::vector<float>(1)),
                 number(count / 4)}},
               {256}},
          tg::into(total) = tg::sum(x));
  run.add("mean of columns", down_columns(1.0f / rows), tg::into(of_columns) = tg::mean<0>(x));
  run.add("argmax of rows", along("argmax_rows", {matrix, buffer(std::vector<int>(rows))}),
          tg::into(places) = tg::argmax<1>(x));
  {
    const tg::array<float, 2> wide(gpu, {8, count / 8}, host);
    tg::array<float, 2> long_rows(gpu, wide.shape());
    run.add("softmax of rows longer than a block holds", {nothing, {}, {}, {}}, tg::into(long_rows) = tg::softmax<1>(wide));
  }
  run.add("log-softmax", along("log_softmax_rows", {matrix, empty}), tg::into(y) = tg::log_softmax<1>(x));
  run.add("log-sum-exp", along("logsumexp_rows", {matrix, of_each_row}), tg::into(of_rows) = tg::logsumexp<1>(x));
  run.add("L2-normalise", along("normalised_rows", {matrix, empty}), tg::into(y) = x / (tg::norm<1>(x, tg::keep) + 1e-6f));
  run.add("RMSNorm + residual", along("rms_rows", {matrix, matrix, row, empty, empty}),
          tg::into(y) = (x + z) * tg::rsqrt(tg::mean<1>((x + z) * (x + z), tg::keep) + 1e-6f) * w, tg::into(second) = x + z);
  tg::array<float, 1> variances(gpu, {rows});
  run.add("moments", along("moments_rows", {matrix, of_each_row, of_each_row}), tg::into(of_rows) = tg::mean<1>(x),
          tg::into(variances) = tg::variance<1>(x));
  run.add("masked scores", along("masked_rows", {matrix, empty, number(0.125f)}),
          tg::into(y) = tg::softmax<1>(tg::where(tg::index_of<0>(x) >= tg::index_of<1>(x), x * 0.125f, -INFINITY)));
  run.add("cross-entropy", along("cross_entropy_rows", {matrix, matrix, of_each_row}),
          tg::into(of_rows) = tg::logsumexp<1>(x) - tg::sum<1>(x * z));
  run.add("its gradient", along("cross_entropy_gradient_rows", {matrix, matrix, empty}), tg::into(y) = tg::softmax<1>(x) - z);
  {
    const auto inside = [](const auto& a, std::int64_t r, std::int64_t c) {
      return a(tg::range(1 + r, rows - 1 + r), tg::range(1 + c, columns - 1 + c));
    };
    tg::array<float, 2> next(gpu, {rows - 2, columns - 2});
    run.add("Jacobi", with("jacobi", {2, rows - 2}, {256}, {matrix, empty, number(rows), number(columns)}),
            tg::into(next) = (inside(x, -1, 0) + inside(x, 1, 0) + inside(x, 0, -1) + inside(x, 0, 1)) * 0.25f);
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
  const twin own{other, entry, {{side / 128, side / 128}, std::move(arguments), std::size_t{227} * 1024}, {threads}};
  if constexpr (std::is_same_v<T, float>) run.add_product(name, own, tg::into(c) = tg::matmul(a, a));
  else run.add_product(name, own, tg::into(c) = tg::cast<T>(tg::matmul(a, a)));
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
  const auto twin_of = [&](const char* file) { return tools ? std::optional(tools->to_ptx(file, 90)) : std::nullopt; };
  bench_run run{tg::device("emulator"), report, twin_of("bench/cuda/arrays.cu"), twin_of("bench/cuda/array_rows.cu")};
  if (!tools) std::puts("no CUDA toolkit: nothing stands beside executed instructions");
  add_expressions(run);
  add_product<tg::bf16>(run, "product of bf16", twin_of("bench/cuda/gemm_bf16.cu"), "gemm_bf16", false, 128);
  add_product<float>(run, "product of floats", twin_of("bench/cuda/sgemm.cu"), "sgemm", true, 256);
  add_host_times(report);
  return report.finish();
}
