// Machine code that the driver made of PTX, kept in a folder for the next process.
// One file per kernel, options, target and driver. Files appear whole or not at all, are checked when they are read,
// and the least recently used go first when the folder grows beyond its limit. Nothing here throws for what the file
// system does: a folder that cannot be read or written is a cache that never has anything. Any number of threads and
// processes may share a folder.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace tg {

namespace runtime {
/// How many bytes the files of a folder have.
struct cache_tally;
}  // namespace runtime

/// What a cache did since it was made.
struct cache_counts {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t stores = 0;
  std::uint64_t rejected = 0;  // files that were damaged, foreign, or refused by the driver
  std::uint64_t evicted = 0;   // files removed to stay below the limit
  std::uint64_t failures = 0;  // stores that the file system refused
};

/// A folder of machine code. Only files of this user or root that nobody else can write are read.
/// Example: gpu.set_disk_cache(std::make_shared<tg::disk_cache>("/var/cache/app"));
class disk_cache {
 public:
  static constexpr std::uint64_t default_limit_bytes = std::uint64_t{1} << 30;

  /// The folder is made when something is stored.
  explicit disk_cache(std::string folder, std::uint64_t limit_bytes = default_limit_bytes)
      : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}
  disk_cache(const disk_cache&) = delete;
  disk_cache& operator=(const disk_cache&) = delete;

  /// The cache of this process: the folder TG_CACHE_DIR, else tg in XDG_CACHE_HOME, else .cache/tg in HOME;
  /// TG_CACHE_MB is the limit. Null when TG_CACHE_DIR is empty or no folder is known.
  static const std::shared_ptr<disk_cache>& of_process();

  /// The code kept under this name, 32 hexadecimal digits.
  /// Cost: well under a millisecond.
  std::optional<std::string> find(std::string_view name);
  /// Keeps code under a name; drops others if the folder is full. The first time that it cannot, a line on standard error says
  /// why. Cost: the file, and a read and a write of the folder's tally; the whole folder is looked through when the tally says
  /// that it is full, and every 1024 stores, because other programs may have changed it. Returns: whether it was written.
  bool store(std::string_view name, std::string_view code);
  /// Removes what turned out to be of no use.
  void reject(std::string_view name);
  /// Removes every file of the cache.
  void clear();

  cache_counts counts() const;
  const std::string& folder() const { return folder_; }
  std::uint64_t limit_bytes() const { return limit_bytes_; }
  /// Bytes of all files, those of other processes included.
  std::uint64_t size_bytes() const;

 private:
  std::string path_of(std::string_view name) const;
  void count(runtime::cache_tally& tally, std::uint64_t added, std::uint64_t replaced);
  std::uint64_t evict();
  void say_unwritable(int why);

  std::string folder_;
  std::uint64_t limit_bytes_;
  std::atomic<std::uint64_t> hits_ = 0, misses_ = 0, stores_ = 0, rejected_ = 0, evicted_ = 0, failures_ = 0;
  std::atomic<bool> is_unwritable_said_ = false;
};

}  // namespace tg
