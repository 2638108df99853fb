// The one exception of the library.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/code.hpp>
#include <tg/base/source_location.hpp>

namespace tg {

/// Thrown for everything that goes wrong at run time: `TG501: cuMemAlloc: ... (file.cpp:12)`.
class error : public std::runtime_error {
 public:
  /// `message` says the call, the fact and the values; `fix` what to do; `where` the C++ line of the kernel or call.
  error(tg::code code, std::string_view message, std::string_view fix = {}, source_location where = {})
      : std::runtime_error(text(code, message, fix, where)), code_(code), where_(where) {}

  /// An error in a file whose name is not a literal, such as PTX read from disk.
  error(tg::code code, std::string_view message, std::string_view fix, std::string file, int line)
      : std::runtime_error(text(code, message, fix, {file.c_str(), line})), code_(code), file_(std::move(file)) {
    where_ = {file_.c_str(), line};
  }

  error(const error& other) : std::runtime_error(other), code_(other.code_), file_(other.file_), where_(other.where_) {
    if (!file_.empty()) where_.file = file_.c_str();
  }
  error& operator=(const error&) = delete;

  tg::code code() const { return code_; }
  int number() const { return static_cast<int>(code_); }
  const source_location& where() const { return where_; }

 private:
  static std::string text(tg::code code, std::string_view message, std::string_view fix, source_location where) {
    std::string out = "TG" + std::to_string(static_cast<int>(code)) + ": ";
    out.append(message);
    if (!fix.empty()) out.append("; ").append(fix);
    if (where.is_known()) {
      const std::string_view path = where.file;
      const auto slash = path.find_last_of('/');
      out.append(" (").append(slash == std::string_view::npos ? path : path.substr(slash + 1));
      out.append(":").append(std::to_string(where.line)).append(")");
    }
    return out;
  }

  tg::code code_;
  std::string file_;
  source_location where_;
};

}  // namespace tg
