// The emulated driver's libraries, which are modules without a context, and their kernels. A kernel's handle is its
// function's.
#pragma once

#include <tg/emulator/driver_table/function.hpp>

namespace tg::emulator::entry {

using driver::kernel_handle;
using driver::library_handle;

struct library {
  context_handle owner;
  module_handle code;
};

inline kernel_handle as_kernel(function_handle f) { return reinterpret_cast<kernel_handle>(f); }
inline function_handle as_function(kernel_handle k) { return reinterpret_cast<function_handle>(k); }

inline library_handle add_library(machine& m, const std::string& text, const jit_options& options) {
  const module_handle code = add_module(m, text, nullptr, options);
  return m.libraries.add(std::make_shared<library>(library{nullptr, code}));
}

inline result cuLibraryLoadData(library_handle* out, const void* image, const jit_option* options, void** values,
                                unsigned count, const int*, void**, unsigned) {
  return guarded([&](machine& m) {
    require(out && image);
    forbid_in_capture(m);
    jit_options heeded(count, options, values);
    heeded.log([&] { *out = add_library(m, text_of_image(image), heeded); });
  });
}

inline result cuLibraryLoadFromFile(library_handle* out, const char* path, const jit_option* options, void** values,
                                    unsigned count, const int*, void**, unsigned) {
  return guarded([&](machine& m) {
    require(out && path);
    forbid_in_capture(m);
    jit_options heeded(count, options, values);
    heeded.log([&] { *out = add_library(m, text_of_image(read_file(path).c_str()), heeded); });
  });
}

inline result cuLibraryUnload(library_handle library) {
  return guarded([&](machine& m) {
    forbid_in_capture(m);
    wait_for_all(m);
    remove_module(m, m.libraries.take(library)->code);
  });
}

inline result cuLibraryGetModule(module_handle* module, library_handle library) {
  return guarded([&](machine& m) {
    require(module);
    *module = m.libraries.at(library)->code;
  });
}

inline result cuLibraryGetKernel(kernel_handle* kernel, library_handle library, const char* name) {
  return guarded([&](machine& m) {
    require(kernel && name);
    *kernel = as_kernel(find_function(m, m.libraries.at(library)->code, name));
  });
}

inline result cuLibraryGetKernelCount(unsigned* count, library_handle library) {
  return guarded([&](machine& m) {
    require(count);
    *count = static_cast<unsigned>(m.modules.at(m.libraries.at(library)->code)->functions.size());
  });
}

inline result cuLibraryEnumerateKernels(kernel_handle* kernels, unsigned count, library_handle library) {
  return guarded([&](machine& m) {
    require(kernels);
    const auto& functions = m.modules.at(m.libraries.at(library)->code)->functions;
    for (std::size_t i = 0; i < std::min<std::size_t>(count, functions.size()); ++i) kernels[i] = as_kernel(functions[i]);
  });
}

inline result cuLibraryGetGlobal(device_address* address, std::size_t* bytes, library_handle library, const char* name) {
  return guarded([&](machine& m) {
    require(name);
    const symbol found = find_variable(m, m.libraries.at(library)->code, name);
    if (address) *address = found.address;
    if (bytes) *bytes = found.size_bytes;
  });
}

inline result cuLibraryGetManaged(device_address* address, std::size_t* bytes, library_handle library, const char* name) {
  return guarded([&](machine& m) {
    require(name);
    const module_handle code = m.libraries.at(library)->code;
    for (const ptx::variable& v : m.modules.at(code)->code->source().variables)
      require(v.name != name || v.managed, result::not_found);
    const symbol found = find_variable(m, code, name);
    if (address) *address = found.address;
    if (bytes) *bytes = found.size_bytes;
  });
}

inline result cuKernelGetFunction(function_handle* function, kernel_handle kernel) {
  return guarded([&](machine& m) {
    require(function);
    m.functions.at(*function = as_function(kernel));
  });
}

inline result cuKernelGetLibrary(library_handle* library, kernel_handle kernel) {
  return guarded([&](machine& m) {
    require(library);
    const module_handle home = m.functions.at(as_function(kernel))->home;
    *library = nullptr;
    m.libraries.for_each([&](library_handle handle, const entry::library& l) {
      if (l.code == home) *library = handle;
    });
    require(*library != nullptr, result::invalid_handle);
  });
}

inline result cuKernelGetName(const char** name, kernel_handle kernel) { return cuFuncGetName(name, as_function(kernel)); }

inline result cuKernelGetParamInfo(kernel_handle kernel, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return cuFuncGetParamInfo(as_function(kernel), index, offset, bytes);
}

inline result cuKernelGetAttribute(int* value, function_attribute attribute, kernel_handle kernel, device_id device) {
  return device != 0 ? result::invalid_device : cuFuncGetAttribute(value, attribute, as_function(kernel));
}

inline result cuKernelSetAttribute(function_attribute attribute, int value, kernel_handle kernel, device_id device) {
  return device != 0 ? result::invalid_device : cuFuncSetAttribute(as_function(kernel), attribute, value);
}

inline result cuKernelSetCacheConfig(kernel_handle kernel, int config, device_id device) {
  return device != 0 ? result::invalid_device : cuFuncSetCacheConfig(as_function(kernel), config);
}

}  // namespace tg::emulator::entry
