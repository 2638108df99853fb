// A PTX module made ready to run: parsed, checked, decoded, its variables placed in device memory.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tg/emulator/kernel_info.hpp>
#include <tg/emulator/memory.hpp>
#include <tg/ptx/module.hpp>

namespace tg::emulator {

namespace detail {
struct image;  // the decoded instructions
}

/// A loaded PTX module. `memory` must outlive it; its variables are released with it.
class program {
 public:
  /// Errors: TG400 for an instruction or form that the emulator does not run, TG401 for an unresolved name.
  static std::shared_ptr<const program> load(std::string_view ptx, memory& memory);
  static std::shared_ptr<const program> load(ptx::module module, memory& memory);
  ~program();
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  const std::vector<kernel_info>& kernels() const { return kernels_; }
  std::optional<std::size_t> find_kernel(std::string_view name) const;
  std::optional<symbol> find_symbol(std::string_view name) const;

  const ptx::module& source() const { return module_; }
  const detail::image& image() const { return *image_; }

 private:
  explicit program(memory& memory) : memory_(memory) {}

  memory& memory_;
  ptx::module module_;
  std::vector<kernel_info> kernels_;
  std::vector<std::pair<std::string, symbol>> symbols_;
  std::shared_ptr<const detail::image> image_;
};

}  // namespace tg::emulator
