// Machine code after ptxas -O3 for sm_80 and sm_90, ours beside nvcc's for the same algorithm (bench/cuda/): registers, spilled
// bytes, code bytes; and the instructions that both PTX texts execute for one launch, counted by the emulator, which must
// leave the same results; and the bytes that pass between memory and a cache, beside each of them once and beside nvcc's, which
// are what the algorithm asks for. At the end: geometric means and the worst row. Skipped where there is no CUDA toolkit.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <bench/everyday.hpp>
#include <bench/executed.hpp>
#include <bench/fft.hpp>
#include <bench/registered.hpp>
#include <bench/report.hpp>
#include <bench/toolkit.hpp>
#include <registry/registry.hpp>

namespace {

using bench::buffer;
using bench::number;
using bench::random_numbers;
using bench::row_stride;

/// One row: a kernel's text, its twin in CUDA C++, and what both are launched with.
struct compared {
  std::string name;
  std::string ptx;
  std::string entry;
  std::string twin_file;
  std::string twin_entry;
  bench::work launch;
};

/// A kernel whose twin is named as it is.
template <class K> compared row(const K& kernel, bench::work launch) {
  const std::string name(K::name);
  return {name, tg::to_ptx(kernel), name, "bench/cuda/" + name + ".cu", name, std::move(launch)};
}
/// A row of the registry that has a twin.
template <class Row> compared row_of(const Row& own) {
  const auto [file, entry] = own.known.other;
  return {std::string(own.known.name.empty() ? entry : own.known.name),
          tg::to_ptx(own.kernel),
          std::string(own.name()),
          "bench/cuda/" + std::string(file),
          std::string(entry),
          bench::work_of(own)};
}

constexpr unsigned n = 1u << 20;

bench::work of_bodies() {
  constexpr unsigned bodies = 1024;
  return {{bodies / 128}, {buffer(random_numbers(4 * bodies)), buffer(std::vector<float>(4 * bodies)), number(bodies)}};
}
bench::work of_taps() {
  constexpr unsigned taps = 37;
  return {{n / 16 / 256},
          {buffer(random_numbers(n / 16 + taps)), buffer(random_numbers(taps)), buffer(std::vector<float>(n / 16)),
           number(taps), number(n / 16)}};
}
bench::work of_logits() {
  constexpr unsigned rows = 8, columns = 30011;
  return {{rows},
          {buffer(random_numbers(rows * columns)), row_stride<float>(columns), buffer(std::vector<unsigned>(rows, 77)),
           buffer(std::vector<float>(rows)), number(columns)}};
}
bench::work of_words() {
  std::vector<unsigned> words(n / 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<unsigned>(i * i * 2654435761u);
  return {{32}, {buffer(words), buffer(std::vector<unsigned>(256)), number(n / 4)}};
}
bench::work of_sparse_rows() {
  constexpr unsigned rows = 512, columns = 4096;
  std::vector<unsigned> begin{0}, column;
  for (unsigned r = 0; r < rows; ++r) {
    for (unsigned c = r % 7; c < columns; c += 5 + (r * 13 + c) % 60) column.push_back(c);
    begin.push_back(static_cast<unsigned>(column.size()));
  }
  return {{rows / 4},
          {buffer(begin), buffer(column), buffer(random_numbers(column.size())), buffer(random_numbers(columns)),
           buffer(std::vector<float>(rows)), number(rows)}};
}
bench::work of_cube() {
  constexpr unsigned width = 66, height = 34, depth = 35;
  return {{2, 8},
          {buffer(random_numbers(width * height * depth)), buffer(std::vector<float>(width * height * depth)), number(width),
           number(height), number(depth)}};
}
bench::work of_layers() {
  constexpr unsigned count = 16, columns = 3001;
  return {{count},
          {buffer(random_numbers(count * columns)), row_stride<float>(columns), buffer(random_numbers(columns)),
           buffer(random_numbers(columns)), buffer(std::vector<float>(count * columns)), row_stride<float>(columns),
           number(columns)}};
}

bench::work of_signals() {
  constexpr unsigned signals = 16, length = 1024;
  const auto re = random_numbers(signals * length);
  return {{signals}, {buffer(re), buffer(re), buffer(std::vector<float>(re.size())), buffer(std::vector<float>(re.size()))}};
}

std::vector<compared> rows() {
  std::vector<compared> out;
  registry::each([&](const auto& own) {
    if (!own.known.other.file.empty()) out.push_back(row_of(own));
  });
  for (compared& own : std::vector<compared>{row(bench::nbody, of_bodies()), row(bench::convolution, of_taps()),
                                             row(bench::cross_entropy, of_logits()), row(bench::histogram, of_words()),
                                             row(bench::spmv, of_sparse_rows()), row(bench::stencil, of_cube()),
                                             row(bench::layer_norm, of_layers()), row(bench::fft, of_signals())})
    out.push_back(std::move(own));
  return out;
}

/// The texts that nvcc makes of the files in bench/cuda, each of them once.
class twins {
 public:
  explicit twins(const bench::toolkit& tools) : tools_(tools) {}

  const std::string& text(const std::string& file, int sm) {
    std::string& own = texts_[{file, sm}];
    if (own.empty()) own = tools_.to_ptx(file, sm);
    return own;
  }

 private:
  const bench::toolkit& tools_;
  std::map<std::pair<std::string, int>, std::string> texts_;
};

/// The geometric mean of ratios, and the largest of them.
class ratios {
 public:
  void add(const std::string& name, double ours, double other) {
    sum_ += std::log(ours / other);
    ++count_;
    if (worst_name_.empty() || ours * worst_other_ > worst_ours_ * other)
      worst_name_ = name, worst_ours_ = ours, worst_other_ = other;
  }
  double mean() const { return std::exp(sum_ / count_); }
  bench::row worst(const std::string& measure, const std::string& unit) const {
    return {"worst, " + worst_name_ + " " + measure, worst_ours_, worst_other_, "nvcc", unit};
  }

 private:
  double sum_ = 0, worst_ours_ = 0, worst_other_ = 1;
  int count_ = 0;
  std::string worst_name_;
};

class comparison {
 public:
  comparison(const bench::toolkit& tools, bench::report& report) : tools_(tools), twins_(tools), report_(report) {}

  void add(const compared& one) {
    const bench::executed did = bench::execute(one.ptx, one.entry, one.launch, {0, 0, 0}, true);
    report_.add({one.name + " bytes", double(did.memory_bytes), double(did.least_bytes), "once", "bytes"});
    bytes_.add(one.name, double(did.memory_bytes), double(did.least_bytes));
    std::string of_last;  // nvcc's text but for its target
    for (const int sm : {80, 90}) {
      const std::string& twin = twins_.text(one.twin_file, sm);
      const std::string name = one.name + " sm_" + std::to_string(sm);
      const bench::machine_code ours = tools_.assemble(one.ptx, sm).at(one.entry);
      const bench::machine_code other = tools_.assemble(twin, sm).at(one.twin_entry);
      report_.add({name + " registers", double(ours.registers), double(other.registers), "nvcc", "regs"});
      report_.add({name + " spills", double(ours.spill_bytes), double(other.spill_bytes), "nvcc", "bytes"});
      report_.add({name + " code", double(ours.code_bytes), double(other.code_bytes), "nvcc", "bytes"});
      registers_.add(name, ours.registers, other.registers);
      spilled_ += ours.spill_bytes, twins_spilled_ += other.spill_bytes;

      // Our text is the same for both; nvcc's often is.
      const std::string body = twin.substr(twin.find(".address_size"));
      if (body == of_last) continue;
      of_last = body;
      const bench::executed twin_did = bench::execute(twin, one.twin_entry, one.launch, did.block, sm == 80);
      if (!(bench::distance(one.launch, did, twin_did) <= 1e-2)) throw std::runtime_error(name + ": the two texts disagree");
      if (sm == 80) {
        report_.add({one.name + " bytes", double(did.memory_bytes), double(twin_did.memory_bytes), "nvcc", "bytes"});
        bytes_of_algorithm_.add(one.name, double(did.memory_bytes), double(twin_did.memory_bytes));
      }
      report_.add({name + " executed", double(did.instructions), double(twin_did.instructions), "nvcc", "instr"});
      executed_.add(name, double(did.instructions), double(twin_did.instructions));
    }
    ++kernels_;
  }

  void finish() {
    report_.add({"kernels", double(kernels_), double(kernels_), "nvcc", "count"});
    report_.add({"geometric mean registers", registers_.mean(), 1, "nvcc", "ratio"});
    report_.add({"geometric mean executed", executed_.mean(), 1, "nvcc", "ratio"});
    report_.add({"geometric mean bytes", bytes_.mean(), 1, "once", "ratio"});
    report_.add({"geometric mean bytes", bytes_of_algorithm_.mean(), 1, "nvcc", "ratio"});
    report_.add(registers_.worst("registers", "regs"));
    report_.add(executed_.worst("executed", "instr"));
    report_.add(bytes_of_algorithm_.worst("bytes", "bytes"));
    report_.add({"spills, all", double(spilled_), double(twins_spilled_), "nvcc", "bytes"});
  }

 private:
  const bench::toolkit& tools_;
  twins twins_;
  bench::report& report_;
  ratios executed_, registers_, bytes_, bytes_of_algorithm_;
  int kernels_ = 0, spilled_ = 0, twins_spilled_ = 0;
};

}  // namespace

int main() {
  const auto tools = bench::toolkit::find();
  if (!tools) {
    std::puts("no CUDA toolkit: skipped");
    return 0;
  }
  bench::report report("sass");
  comparison all(*tools, report);
  for (const auto& one : rows()) all.add(one);
  all.finish();
  return report.finish();
}
