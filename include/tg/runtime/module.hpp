// Modules of PTX or machine code that come from elsewhere, with their variables; their kernels are in function.hpp.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tg/runtime/buffer.hpp>
#include <tg/runtime/device.hpp>
#include <tg/runtime/load_module.hpp>

namespace tg {

class function;

namespace runtime {

/// The source with the version and target that the first lines of its PTX declare; zeros where they declare none.
kernel_source with_header(std::string ptx);

/// A module of the driver; functions keep it alive.
class owned_module {
 public:
  owned_module(std::shared_ptr<runtime::context> context, loaded_module made)
      : context_(std::move(context)), made_(std::move(made)) {}
  owned_module(const owned_module&) = delete;
  owned_module& operator=(const owned_module&) = delete;
  ~owned_module() { context_->release(context_->api().cuModuleUnload, made_.native); }

  const std::shared_ptr<runtime::context>& context() const { return context_; }
  const loaded_module& made() const { return made_; }

 private:
  std::shared_ptr<runtime::context> context_;
  loaded_module made_;
};

/// Loads a module. Errors: TG505 with the log of the driver's compiler, TG506, TG550, TG551.
std::shared_ptr<owned_module> own_module(const std::shared_ptr<context>& on, const kernel_source& source,
                                         const load_options& options);

}  // namespace runtime

/// Loaded code. Copies share it, and so do its functions.
/// Errors: TG505 with the log of the driver's compiler, TG506, TG550, TG551.
class module {
 public:
  /// PTX text.
  explicit module(const device& gpu, std::string ptx, const load_options& options = {})
      : module(gpu, runtime::with_header(std::move(ptx)), options) {}
  /// PTX, with machine code where somebody made it beforehand.
  module(const device& gpu, const runtime::kernel_source& source, const load_options& options = {})
      : owned_(runtime::own_module(gpu.context(), source, options)) {}

  driver::module_handle native() const { return owned_->made().native; }
  /// What the driver's compiler said, and what it warned of.
  const std::string& log() const { return owned_->made().log; }
  const std::string& warnings() const { return owned_->made().warnings; }

  /// Include tg/runtime/function.hpp. Errors: TG507.
  tg::function function(const std::string& name) const;

  /// A variable, as elements; good as long as the module. Errors: TG507; TG542 when it is not made of whole elements.
  template <class T> part<T> variable(const std::string& name) const;

 private:
  std::shared_ptr<runtime::owned_module> owned_;
};

template <class T> part<T> module::variable(const std::string& name) const {
  static_assert(std::is_trivially_copyable_v<T>, "elements on a device are plain values");
  runtime::context& c = *owned_->context();
  driver::device_address address = 0;
  std::size_t bytes = 0;
  c.call(c.api().cuModuleGetGlobal, &address, &bytes, native(), name.c_str());
  if (bytes % sizeof(T) != 0)
    throw error(
        runtime::variable_size,
        "the variable '" + name + "' has " + std::to_string(bytes) + " bytes, no multiple of " + std::to_string(sizeof(T)),
        "compare the declarations");
  return {&c, address, bytes / sizeof(T)};
}

}  // namespace tg
