// Shared libraries that are opened by name at run time, on systems with dlopen and on Windows.
#pragma once

#include <string>

namespace tg {

/// A library of this process; it stays loaded.
class shared_library {
 public:
  /// Opens a library, or finds one that is loaded; `why` then says what was wrong.
  static shared_library open(const std::string& path) { return shared_library(path, false); }
  /// Finds a library that is loaded already, without loading anything.
  static shared_library loaded(const std::string& path) { return shared_library(path, true); }
  /// Everything that the process has loaded for all to see.
  static shared_library process();

  bool is_open() const { return handle_ != nullptr; }
  /// Empty when the library is open.
  const std::string& why() const { return why_; }
  /// The address of a symbol; null when there is none.
  void* find(const char* name) const;

 private:
  shared_library() = default;
  shared_library(const std::string& path, bool only_loaded);

  void* handle_ = nullptr;
  std::string why_;
};

}  // namespace tg

#if defined(_WIN32)

// As <windows.h> declares them, which would bring macros of everyday names.
struct HINSTANCE__;
extern "C" {
__declspec(dllimport) HINSTANCE__* __stdcall LoadLibraryA(const char* path);
__declspec(dllimport) HINSTANCE__* __stdcall GetModuleHandleA(const char* path);
__declspec(dllimport) long long(__stdcall* __stdcall GetProcAddress(HINSTANCE__* module, const char* name))();
__declspec(dllimport) unsigned long __stdcall GetLastError();
}

inline tg::shared_library::shared_library(const std::string& path, bool only_loaded)
    : handle_(only_loaded ? GetModuleHandleA(path.c_str()) : LoadLibraryA(path.c_str())) {
  if (handle_ == nullptr) why_ = path + ": error " + std::to_string(GetLastError()) + " of Windows";
}

inline tg::shared_library tg::shared_library::process() {
  shared_library out;
  out.handle_ = GetModuleHandleA(nullptr);
  return out;
}

inline void* tg::shared_library::find(const char* name) const {
  return handle_ ? reinterpret_cast<void*>(GetProcAddress(static_cast<HINSTANCE__*>(handle_), name)) : nullptr;
}

#else

#include <dlfcn.h>

inline tg::shared_library::shared_library(const std::string& path, bool only_loaded)
    : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | (only_loaded ? RTLD_NOLOAD : 0))) {
  if (handle_ != nullptr) return;
  const char* const text = ::dlerror();
  why_ = text ? text : path + ": not loaded";
}

inline tg::shared_library tg::shared_library::process() {
  shared_library out;
  out.handle_ = ::dlopen(nullptr, RTLD_NOW);
  return out;
}

inline void* tg::shared_library::find(const char* name) const { return handle_ ? ::dlsym(handle_, name) : nullptr; }

#endif
