// A PTX module made ready to run: parsed, checked, decoded, its variables placed in device memory.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/kernel_info.hpp>
#include <tg/emulator/memory/memory.hpp>
#include <tg/ptx/print/print.hpp>

namespace tg::emulator {

namespace detail {
struct image;  // the decoded instructions
}

/// A loaded PTX module. `memory` must outlive it; its variables are released with it.
class program {
 public:
  /// Errors: those of ptx::parse and ptx::verify, TG400 for an instruction or form that the emulator does not run, TG401
  /// for an unresolved name.
  static std::shared_ptr<const program> load(std::string_view ptx, memory& memory);
  static std::shared_ptr<const program> load(ptx::module module, memory& memory, ptx::line_map lines = {});
  ~program();
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  const dynamic_array<kernel_info>& kernels() const { return kernels_; }
  std::optional<std::size_t> find_kernel(std::string_view name) const;
  std::optional<symbol> find_symbol(std::string_view name) const;

  const ptx::module& source() const { return module_; }
  /// Line of the loaded text, from 1; 0: not loaded from text, or no such instruction.
  std::uint32_t ptx_line(std::uint32_t function, std::uint32_t index) const {
    return function < lines_.size() && index < lines_[function].size() ? lines_[function][index] : 0;
  }
  /// Index in `source().functions` of a kernel.
  std::uint32_t function_of(std::size_t kernel) const { return kernel_functions_[kernel]; }
  const detail::image& image() const { return *image_; }

 private:
  explicit program(memory& memory) : memory_(memory) {}

  memory& memory_;
  ptx::module module_;
  ptx::line_map lines_;
  dynamic_array<kernel_info> kernels_;
  dynamic_array<std::uint32_t> kernel_functions_;  // per kernel, in module_.functions
  dynamic_array<std::pair<std::string, symbol>> symbols_;
  std::shared_ptr<const detail::image> image_;
};

}  // namespace tg::emulator
