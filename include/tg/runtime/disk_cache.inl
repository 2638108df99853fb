// The folder of a disk cache: how its files are found, written and removed.
#pragma once

#include <tg/runtime/disk_cache.hpp>

#include <dirent.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/runtime/cache_entry.hpp>
#include <tg/runtime/file_descriptor.hpp>

namespace tg::runtime {

/// A file of a cache.
struct cached_file {
  std::string path;
  std::uint64_t bytes = 0;
  std::timespec used{};
  bool is_unfinished = false;
};

inline constexpr std::string_view cache_suffix = ".tgcode";

/// How many bytes the files of a folder have, in a file beside them that one store after the other changes.
struct cache_tally {
  static constexpr std::string_view file_name = ".tally";
  static constexpr std::uint64_t most_stores = 1024;  // before the folder is looked through again

  std::uint64_t bytes = 0;
  std::uint64_t stores = most_stores;  // since the folder was looked through

  /// Reads and locks it; a file that is new or damaged asks for a look through the folder.
  void read(const file_descriptor& file) {
    ::flock(file.number(), LOCK_EX);
    cache_tally out;
    if (::pread(file.number(), &out, sizeof out, 0) == sizeof out) *this = out;
  }
  void write(const file_descriptor& file) const {
    [[maybe_unused]] const auto written = ::pwrite(file.number(), this, sizeof *this, 0);
  }
};

/// The files of a cache in this folder; others are left out.
inline std::vector<cached_file> cached_files(const std::string& folder) {
  std::vector<cached_file> out;
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), [](DIR* d) { return ::closedir(d); });
  if (open == nullptr) return out;
  while (const dirent* entry = ::readdir(open.get())) {
    const std::string_view name = entry->d_name;
    const bool is_unfinished = name.starts_with(unfinished_prefix);
    struct stat facts;
    if ((!is_unfinished && !name.ends_with(cache_suffix)) ||
        ::fstatat(::dirfd(open.get()), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(facts.st_mode))
      continue;
    out.push_back({folder + '/' + entry->d_name, static_cast<std::uint64_t>(facts.st_size), facts.st_mtim, is_unfinished});
  }
  return out;
}

/// Whether nobody but this user and root could have written the file.
inline bool is_trusted(const struct stat& facts) {
  return S_ISREG(facts.st_mode) && (facts.st_uid == ::geteuid() || facts.st_uid == 0) &&
         (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// The cache that these variables ask for; any may be null.
inline std::shared_ptr<disk_cache> make_cache(const char* folder, const char* megabytes, const char* cache_home,
                                              const char* home) {
  std::uint64_t limit = disk_cache::default_limit_bytes;
  if (const std::string_view text = megabytes ? megabytes : ""; !text.empty()) {
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec == std::errc{} && read.ptr == text.data() + text.size() && value <= UINT64_MAX >> 20) limit = value << 20;
  }
  if (folder) return *folder ? std::make_shared<disk_cache>(folder, limit) : nullptr;
  if (cache_home && *cache_home == '/') return std::make_shared<disk_cache>(std::string(cache_home) + "/tg", limit);
  if (home && *home) return std::make_shared<disk_cache>(std::string(home) + "/.cache/tg", limit);
  return nullptr;
}

}  // namespace tg::runtime

namespace tg {

TG_LIBRARY_FUNCTION const std::shared_ptr<disk_cache>& disk_cache::of_process() {
  static const auto& made = *new std::shared_ptr<disk_cache>(runtime::make_cache(
      std::getenv("TG_CACHE_DIR"), std::getenv("TG_CACHE_MB"), std::getenv("XDG_CACHE_HOME"), std::getenv("HOME")));
  return made;
}

inline std::string disk_cache::path_of(std::string_view name) const {
  return (folder_ + '/').append(name).append(runtime::cache_suffix);
}

TG_LIBRARY_FUNCTION std::optional<std::string> disk_cache::find(std::string_view name) {
  const std::string path = path_of(name);
  const auto file = runtime::open_to_read(path);
  struct stat facts;
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0) {
    ++misses_;
    return std::nullopt;
  }
  std::optional<std::string> code;
  if (runtime::is_trusted(facts) && static_cast<std::uint64_t>(facts.st_size) <= limit_bytes_)
    code = runtime::code_in_cache_file(name, file.read(static_cast<std::size_t>(facts.st_size)));
  if (!code) {
    ++misses_;
    reject(name);
    return std::nullopt;
  }
  ::futimens(file.number(), nullptr);  // used now
  ++hits_;
  return code;
}

TG_LIBRARY_FUNCTION bool disk_cache::store(std::string_view name, std::string_view code) {
  const std::string file = runtime::to_cache_file(name, code);
  if (file.size() > limit_bytes_) return false;
  const auto fail = [&](int why) {
    say_unwritable(why);
    ++failures_;
    return false;
  };
  if (!runtime::make_folder(folder_)) return fail(errno);
  // The tally is locked from before the look at the file that is replaced: nobody may evict that file before it is counted.
  const std::string tally_path = (folder_ + '/').append(runtime::cache_tally::file_name);
  const runtime::file_descriptor tally_file(::open(tally_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  runtime::cache_tally tally;
  if (tally_file.is_open()) tally.read(tally_file);
  const std::string path = path_of(name);
  struct stat before;
  const bool is_replaced = ::lstat(path.c_str(), &before) == 0;
  if (!runtime::write_whole(path, file)) return fail(errno);
  ++stores_;
  count(tally, file.size(), is_replaced ? static_cast<std::uint64_t>(before.st_size) : 0);
  if (tally_file.is_open()) tally.write(tally_file);
  return true;
}

inline void disk_cache::say_unwritable(int why) {
  if (is_unwritable_said_.exchange(true)) return;
  std::fprintf(
      stderr,
      "tg: the cache folder '%s' cannot be written (%s): each process compiles its kernels; TG_CACHE_DIR names another\n",
      folder_.c_str(), std::strerror(why));
}

/// Adds a file to the tally, and makes room where it says that there is none.
inline void disk_cache::count(runtime::cache_tally& tally, std::uint64_t added, std::uint64_t replaced) {
  tally.bytes = tally.bytes + added - std::min(replaced, tally.bytes + added);
  if (++tally.stores > runtime::cache_tally::most_stores || tally.bytes > limit_bytes_) {
    tally.bytes = evict();
    tally.stores = 0;
  }
}

TG_LIBRARY_FUNCTION void disk_cache::reject(std::string_view name) {
  ++rejected_;
  ::unlink(path_of(name).c_str());
}

TG_LIBRARY_FUNCTION void disk_cache::clear() {
  for (const auto& file : runtime::cached_files(folder_)) ::unlink(file.path.c_str());
  ::unlink((folder_ + '/').append(runtime::cache_tally::file_name).c_str());
}

TG_LIBRARY_FUNCTION cache_counts disk_cache::counts() const {
  return {hits_, misses_, stores_, rejected_, evicted_, failures_};
}

TG_LIBRARY_FUNCTION std::uint64_t disk_cache::size_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& file : runtime::cached_files(folder_)) sum += file.bytes;
  return sum;
}

/// Removes files until there is some room again, so that the next stores need not look. Returns: the bytes that are left.
inline std::uint64_t disk_cache::evict() {
  constexpr std::time_t writing_seconds = 600;  // who takes longer was killed
  auto files = runtime::cached_files(folder_);
  std::uint64_t sum = 0;
  for (auto& file : files) {
    if (file.is_unfinished && file.used.tv_sec + writing_seconds < std::time(nullptr)) {
      ::unlink(file.path.c_str());
      file.bytes = 0;
    }
    sum += file.bytes;
  }
  if (sum <= limit_bytes_) return sum;
  const std::uint64_t wanted = limit_bytes_ - limit_bytes_ / 16;
  std::erase_if(files, [](const auto& file) { return file.is_unfinished; });
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    return std::pair(a.used.tv_sec, a.used.tv_nsec) < std::pair(b.used.tv_sec, b.used.tv_nsec);
  });
  for (const auto& file : files) {
    if (sum <= wanted) break;
    if (::unlink(file.path.c_str()) == 0) ++evicted_;
    sum -= file.bytes;
  }
  return sum;
}

}  // namespace tg
