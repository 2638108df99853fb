// A kernel made ahead of time: PTX and machine code with the signature by which it is launched, to be kept in a file or
// in a program.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/fixed_array.hpp>
#include <tg/runtime/device.hpp>
#include <tg/runtime/load_module.hpp>
#include <tg/runtime/signature.hpp>

namespace tg {

/// A kernel without its C++.
struct kernel_package {
  std::string name;
  fixed_array<std::uint32_t, 3> block{};
  std::string parameters;  // C++ types
  runtime::kernel_source source;
};

/// The PTX of a kernel.
template <class K> kernel_package package_of(const K& kernel) {
  return {std::string(K::name),
          {K::block.x, K::block.y, K::block.z},
          runtime::spelling_of_parameters<K>(),
          runtime::timed_source(kernel)};
}

/// The PTX of a kernel and machine code for a device. Where the code does not run, and where a launch asks for other
/// load options than the usual, the PTX is compiled. Errors: TG505, TG506, TG550.
template <class K> kernel_package package_of(const K& kernel, device& gpu, const load_options& options = {}) {
  kernel_package out = package_of(kernel);
  out.source.code.push_back(runtime::make_code(*gpu.context(), K::name, out.source, runtime::line_of(kernel), options));
  return out;
}

/// The bytes of a package's file.
std::string to_bytes(const kernel_package& package);
/// The package in a file's bytes. Errors: TG553.
kernel_package to_package(std::string_view bytes);

/// Writes a file in one step. Errors: TG552.
void save(const kernel_package& package, const std::string& path);
/// Errors: TG552, TG553.
kernel_package load_package(const std::string& path);

namespace runtime {

/// Errors: TG554.
void require_signature(const kernel_package& package, std::string_view name, const fixed_array<std::uint32_t, 3>& block,
                       const std::string& parameters);

}  // namespace runtime

/// A packaged kernel that is launched like `Signature`: a kernel's type, or any with `name`, `block` and `parameters`.
/// Copies are the same kernel; each object made from a package is loaded anew.
template <class Signature> class packaged_kernel {
 public:
  static constexpr std::string_view name = Signature::name;
  static constexpr auto block = Signature::block;
  using parameters = typename Signature::parameters;

  /// Errors: TG554 when the package has another signature.
  explicit packaged_kernel(kernel_package package)
      : number(runtime::kernel_count++), package_(std::make_shared<const kernel_package>(std::move(package))) {
    runtime::require_signature(*package_, name, {block.x, block.y, block.z}, runtime::spelling_of_parameters<Signature>());
  }

  const kernel_package& package() const { return *package_; }

  std::size_t number;

 private:
  std::shared_ptr<const kernel_package> package_;
};

template <class Signature> runtime::kernel_source source_of(const packaged_kernel<Signature>& kernel) {
  return kernel.package().source;
}

/// A kernel from a file.
/// Errors: TG552 to TG554.
/// Example: auto k = tg::load_kernel<saxpy>("saxpy.tgkernel"); gpu.launch(k, tg::cover(n), x, y, 2.0f, n);
template <class Signature> packaged_kernel<Signature> load_kernel(const std::string& path) {
  return packaged_kernel<Signature>(load_package(path));
}

}  // namespace tg
