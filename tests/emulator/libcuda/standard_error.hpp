// What is written to standard error while an object lives.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <string>

class standard_error {
 public:
  standard_error() : kept_(::dup(2)), file_(std::tmpfile()) {
    std::fflush(stderr);
    ::dup2(::fileno(file_), 2);
  }
  ~standard_error() {
    std::fflush(stderr);
    ::dup2(kept_, 2);
    ::close(kept_);
    std::fclose(file_);
  }
  standard_error(const standard_error&) = delete;
  standard_error& operator=(const standard_error&) = delete;

  std::string text() const {
    std::fflush(stderr);
    std::string out(4096, '\0');
    const auto n = ::pread(::fileno(file_), out.data(), out.size(), 0);
    out.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return out;
  }

 private:
  int kept_;
  std::FILE* file_;
};
