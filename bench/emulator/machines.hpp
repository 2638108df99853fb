// The emulator and plain loops as machines that run a task again and again; opencl.hpp has the third.
#pragma once

#include <fstream>
#include <memory>
#include <span>
#include <sstream>
#include <stdexcept>
#include <thread>

#include <bench/emulator/task.hpp>
#include <tg/emulator/run/run.hpp>

namespace bench {

inline std::string read_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error("no file " + path + ": run in the repository root");
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

/// A task's PTX on the emulator.
class emulated {
 public:
  emulated(const std::string& ptx, const task& t, tg::emulator::options how)
      : task_(t),
        how_(how),
        program_(tg::emulator::program::load(ptx, memory_)),
        kernel_(program_->find_kernel(t.name).value()) {
    for (const task::words& words : t.buffers) {
      addresses_.push_back(memory_.allocate(words.size() * 4));
      std::memcpy(memory_.at(addresses_.back(), words.size() * 4), words.data(), words.size() * 4);
    }
    for (std::size_t k = 0; k < t.arguments.size(); ++k) {
      const std::size_t at = program_->kernels()[kernel_].parameters[k].offset_bytes;
      params_.resize(at + 8);
      std::visit(
          [&](const auto& value) {
            if constexpr (std::is_same_v<std::decay_t<decltype(value)>, buffer_number>)
              std::memcpy(&params_[at], &addresses_[value.at], 8);
            else std::memcpy(&params_[at], &value, 4);
          },
          t.arguments[k]);
    }
  }
  void clear() { std::memset(result_bytes(), 0, task_.buffers.back().size() * 4); }
  void run() { tg::emulator::run(memory_, *program_, kernel_, task_.shape, params_, how_); }
  task::words result() {
    task::words out(task_.buffers.back().size());
    std::memcpy(out.data(), result_bytes(), out.size() * 4);
    return out;
  }
  /// Instructions that one run executes, summed over threads.
  std::uint64_t thread_instructions() {
    tg::emulator::counters counted;
    tg::emulator::run(memory_, *program_, kernel_, task_.shape, params_, how_, &counted);
    return counted.thread_instructions;
  }

 private:
  std::byte* result_bytes() { return memory_.at(addresses_.back(), task_.buffers.back().size() * 4); }

  const task& task_;
  tg::emulator::options how_;
  tg::emulator::memory memory_{std::size_t{1} << 28};
  std::shared_ptr<const tg::emulator::program> program_;
  std::size_t kernel_;
  std::vector<std::uint64_t> addresses_;
  std::vector<std::byte> params_;
};

/// A task's plain loop on several threads.
class looped {
 public:
  looped(const task& t, std::size_t threads) : task_(t), threads_(threads), buffers_(t.buffers) {}
  void clear() { std::fill(buffers_.back().begin(), buffers_.back().end(), 0); }
  void run() {
    std::vector<std::thread> others;
    for (std::size_t k = 1; k < threads_; ++k) others.emplace_back([this, k] { part(k); });
    part(0);
    for (std::thread& t : others) t.join();
  }
  task::words result() const { return buffers_.back(); }

 private:
  void part(std::size_t k) { task_.loop(buffers_, task_.parts * k / threads_, task_.parts * (k + 1) / threads_); }

  const task& task_;
  std::size_t threads_;
  std::vector<task::words> buffers_;
};

}  // namespace bench
