// Files as the disk cache and kernel packages use them: read whole, written whole or not at all.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace tg::runtime {

/// An open file, closed with the object.
class file_descriptor {
 public:
  explicit file_descriptor(int number) : number_(number) {}
  file_descriptor(const file_descriptor&) = delete;
  file_descriptor& operator=(const file_descriptor&) = delete;
  ~file_descriptor() {
    if (number_ >= 0) ::close(number_);
  }

  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }

  /// The next `bytes` bytes; fewer when there are no more, or reading fails.
  std::string read(std::size_t bytes) const {
    std::string out(bytes, '\0');
    std::size_t at = 0;
    while (at < bytes) {
      const ssize_t got = ::read(number_, out.data() + at, bytes - at);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      at += static_cast<std::size_t>(got);
    }
    out.resize(at);
    return out;
  }

  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t put = ::write(number_, bytes.data(), bytes.size());
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(put));
    }
    return true;
  }

 private:
  int number_;
};

/// Opens a file to read it; never follows a link at its end, and never waits for a pipe's other end.
inline file_descriptor open_to_read(const std::string& path) {
  return file_descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
}

/// How the name of a file begins that is being written.
inline constexpr std::string_view unfinished_prefix = ".new-";

/// Puts a file with these bytes in the place of `path`, in one step. Returns: whether it is there.
inline bool write_whole(const std::string& path, std::string_view bytes) {
  const auto slash = path.rfind('/');
  std::string unfinished = slash == std::string::npos ? "" : path.substr(0, slash + 1);
  unfinished.append(unfinished_prefix).append(6, 'X');
  const file_descriptor file(::mkostemp(unfinished.data(), O_CLOEXEC));
  if (!file.is_open()) return false;
  if (file.write(bytes) && ::rename(unfinished.c_str(), path.c_str()) == 0) return true;
  ::unlink(unfinished.c_str());
  return false;
}

/// Makes a folder that only this user can read, and those above it.
inline bool make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return true;
  const auto slash = path.find_last_of('/');
  if (errno != ENOENT || slash == std::string::npos || slash == 0) return false;
  return make_folder(path.substr(0, slash)) && (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST);
}

}  // namespace tg::runtime
