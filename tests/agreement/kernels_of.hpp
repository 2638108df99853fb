// Runs the kernels of a PTX text on the emulator, one warp at a time: those of nvcc and those of the language alike.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <tg/emulator/run/run.hpp>

namespace agreement {

/// The PTX that nvcc made of tests/programs/kernels/`name`.cu.
inline std::string nvcc_text(const std::string& name) {
  std::ifstream file("tests/programs/ptx/" + name + ".ptx");
  REQUIRE(file.is_open());
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A loaded PTX text.
class kernels_of {
 public:
  explicit kernels_of(const std::string& ptx) : program_(tg::emulator::program::load(ptx, memory_)) {}

  /// Runs a kernel, or the only one, with one warp under all checkers; vectors are copied there and back.
  template <class... T> void operator()(const std::string& name, std::vector<T>&... arguments) {
    const auto found = program_->find_kernel(name);
    REQUIRE(found);
    const auto& kernel = program_->kernels()[*found];
    REQUIRE(kernel.parameters.size() == sizeof...(T));
    std::vector<std::byte> parameters(kernel.parameter_bytes);
    std::vector<std::uint64_t> at;
    const auto put = [&](const auto& x) {
      const std::size_t bytes = x.size() * sizeof(x[0]);
      const std::uint64_t to = memory_.allocate(bytes);
      std::memcpy(memory_.at(to, bytes), x.data(), bytes);
      std::memcpy(parameters.data() + kernel.parameters[at.size()].offset_bytes, &to, 8);
      at.push_back(to);
    };
    (put(arguments), ...);
    tg::emulator::options how;
    how.check = tg::emulator::check::checkers::all();
    tg::emulator::run(memory_, *program_, *found, {{1}, {32}}, parameters, how);
    auto next = at.begin();
    const auto get = [&](auto& x) {
      std::memcpy(x.data(), memory_.at(*next, x.size() * sizeof(x[0])), x.size() * sizeof(x[0]));
      memory_.release(*next++);
    };
    (get(arguments), ...);
  }

 private:
  tg::emulator::memory memory_;
  std::shared_ptr<const tg::emulator::program> program_;
};

}  // namespace agreement
