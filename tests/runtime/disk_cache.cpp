#include <tg/runtime/disk_cache.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>
#include <chrono>
#include <filesystem>
#include <thread>

#include <tg/runtime/disk_cache.inl>

#include "temporary_folder.hpp"

using tg::cache_counts;
using tg::disk_cache;

namespace {

/// Names as the runtime makes them.
std::string name_of(int i) { return std::string(30, 'a') + static_cast<char>('a' + i / 16) + static_cast<char>('a' + i % 16); }

void set_age(const std::string& path, int seconds) {
  namespace fs = std::filesystem;
  fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::seconds(seconds));
}

std::string file_of(const temporary_folder& folder, int i) { return folder / (name_of(i) + ".tgcode"); }

}  // namespace

TEST_CASE("code is found by the next one who asks") {
  const temporary_folder folder;
  disk_cache cache(folder / "made/when/needed");
  CHECK_FALSE(cache.find(name_of(0)));
  CHECK(cache.store(name_of(0), "code"));
  CHECK(cache.find(name_of(0)) == "code");
  CHECK_FALSE(cache.find(name_of(1)));
  disk_cache other(folder / "made/when/needed");
  CHECK(other.find(name_of(0)) == "code");
  const cache_counts counts = cache.counts();
  CHECK(counts.hits == 1);
  CHECK(counts.misses == 2);
  CHECK(counts.stores == 1);
  CHECK(counts.rejected + counts.evicted + counts.failures == 0);
}

TEST_CASE("code is replaced, rejected and cleared") {
  const temporary_folder folder;
  disk_cache cache(folder.path());
  cache.store(name_of(0), "one");
  cache.store(name_of(0), "two");
  cache.store(name_of(1), "three");
  CHECK(cache.find(name_of(0)) == "two");
  cache.reject(name_of(0));
  CHECK_FALSE(cache.find(name_of(0)));
  CHECK(cache.find(name_of(1)) == "three");
  write_bytes(folder / "somebody.else", "x");
  cache.clear();
  CHECK_FALSE(cache.find(name_of(1)));
  CHECK(folder.files().size() == 1);
}

TEST_CASE("damaged files are dropped and written anew") {
  const temporary_folder folder;
  disk_cache cache(folder.path());
  cache.store(name_of(0), "code");
  const std::string good = bytes_of(file_of(folder, 0));
  std::vector<std::string> damaged{"", good.substr(0, good.size() - 1), good + "x", std::string(good.size(), '\0'),
                                   std::string(1 << 20, '\xff')};
  damaged.push_back(good);
  damaged.back()[50] ^= 1;
  std::uint64_t rejected = 0;
  for (const std::string& bytes : damaged) {
    write_bytes(file_of(folder, 0), bytes);
    CHECK_FALSE(cache.find(name_of(0)));
    CHECK(cache.counts().rejected == ++rejected);
    CHECK(folder.files().empty());
    CHECK(cache.store(name_of(0), "code"));
    CHECK(cache.find(name_of(0)) == "code");
  }
  std::filesystem::rename(file_of(folder, 0), file_of(folder, 1));  // another kernel's code
  CHECK_FALSE(cache.find(name_of(1)));
}

TEST_CASE("what is no plain file of ours is not read") {
  const temporary_folder folder;
  disk_cache cache(folder.path());
  cache.store(name_of(0), "code");
  const std::string path = file_of(folder, 0);

  ::chmod(path.c_str(), 0666);  // anybody could have written it
  CHECK_FALSE(cache.find(name_of(0)));

  cache.store(name_of(0), "code");
  std::filesystem::rename(path, folder / "real");
  std::filesystem::create_symlink(folder / "real", path);
  CHECK_FALSE(cache.find(name_of(0)));
  CHECK(cache.store(name_of(0), "new"));
  CHECK(cache.find(name_of(0)) == "new");
  CHECK(bytes_of(folder / "real").find("code") != std::string::npos);  // not written through the link

  std::filesystem::remove(path);
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_FALSE(cache.find(name_of(0)));
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  write_bytes(path + "/x", "x");
  CHECK_FALSE(cache.find(name_of(0)));
  CHECK_FALSE(cache.store(name_of(0), "code"));
  CHECK(cache.counts().failures == 1);
}

TEST_CASE("a huge file is not read") {
  const temporary_folder folder;
  disk_cache cache(folder.path(), 1 << 20);
  write_bytes(file_of(folder, 0), "");
  std::filesystem::resize_file(file_of(folder, 0), std::uintmax_t{1} << 40);  // sparse
  CHECK_FALSE(cache.find(name_of(0)));
  CHECK(cache.counts().rejected == 1);
}

TEST_CASE("the least recently used go when the folder is full") {
  const temporary_folder folder;
  disk_cache cache(folder.path(), 10000);
  const std::string code(2900, 'c');  // with its header just below 3000
  for (int i = 0; i < 3; ++i) cache.store(name_of(i), code);
  for (int i = 0; i < 3; ++i) set_age(file_of(folder, i), 100 - i);
  CHECK(cache.find(name_of(0)));  // used now
  CHECK(cache.store(name_of(3), code));
  CHECK(cache.counts().evicted == 1);
  CHECK_FALSE(cache.find(name_of(1)));
  for (const int i : {0, 2, 3}) CHECK(cache.find(name_of(i)));
  CHECK(cache.size_bytes() <= 10000);
  CHECK(cache.size_bytes() == 3 * 2948);

  CHECK_FALSE(cache.store(name_of(4), std::string(20000, 'c')));  // never fits
  CHECK(cache.counts().evicted == 1);
  for (int i = 10; i < 40; ++i) {
    CHECK(cache.store(name_of(i), code));
    CHECK(cache.size_bytes() <= 10000);
  }
}

TEST_CASE("what killed writers left is removed, what others are writing is not") {
  const temporary_folder folder;
  disk_cache cache(folder.path());
  write_bytes(folder / ".new-abcdef", "half");
  write_bytes(folder / ".new-ghijkl", "half");
  set_age(folder / ".new-abcdef", 3600);
  cache.store(name_of(0), "code");
  CHECK_FALSE(std::filesystem::exists(folder / ".new-abcdef"));
  CHECK(std::filesystem::exists(folder / ".new-ghijkl"));
}

TEST_CASE("a folder that cannot be made or written is an empty cache") {
  const temporary_folder folder;
  write_bytes(folder / "file", "x");
  for (const std::string& path : {folder / "file", folder / "file/below", std::string("/proc/none/such"), std::string()}) {
    CAPTURE(path);
    disk_cache cache(path);
    CHECK_FALSE(cache.store(name_of(0), "code"));
    CHECK_FALSE(cache.find(name_of(0)));
    CHECK(cache.size_bytes() == 0);
    cache.clear();
    cache.reject(name_of(0));
    CHECK(cache.counts().failures == 1);
    CHECK(cache.counts().misses == 1);
  }
}

TEST_CASE("a folder that can only be read still gives its code") {
  const bool is_root = ::geteuid() == 0;
  if (is_root) REQUIRE(::seteuid(65534) == 0);  // root writes everywhere
  {
    const temporary_folder folder;
    disk_cache cache(folder.path());
    cache.store(name_of(0), "code");
    ::chmod(folder.path().c_str(), 0500);
    CHECK(cache.find(name_of(0)) == "code");
    CHECK_FALSE(cache.store(name_of(1), "code"));
    CHECK(cache.counts().failures == 1);
  }
  if (is_root) REQUIRE(::seteuid(0) == 0);
}

TEST_CASE("threads share a cache") {
  const temporary_folder folder;
  disk_cache cache(folder.path(), 20000);  // small enough that they evict each other's
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) {
        const int which = (t + i) % 16;
        const std::string code(static_cast<std::size_t>(500 + 100 * which), static_cast<char>('a' + which));
        if (const auto found = cache.find(name_of(which)); found && *found != code) ++wrong;
        if (!cache.store(name_of(which), code)) ++wrong;
      }
    });
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(cache.counts().rejected == 0);
  CHECK(cache.size_bytes() <= 20000);
}

using tg::runtime::cached_files;
using tg::runtime::is_trusted;
using tg::runtime::make_cache;

TEST_CASE("the environment says where the cache is") {
  const auto folder_of = [](const char* folder, const char* cache_home, const char* home) {
    const auto made = make_cache(folder, nullptr, cache_home, home);
    return made ? made->folder() : "none";
  };
  CHECK(folder_of("/a", "/b", "/c") == "/a");
  CHECK(folder_of("", "/b", "/c") == "none");
  CHECK(folder_of(nullptr, "/b", "/c") == "/b/tg");
  CHECK(folder_of(nullptr, "", "/c") == "/c/.cache/tg");
  CHECK(folder_of(nullptr, "relative", "/c") == "/c/.cache/tg");
  CHECK(folder_of(nullptr, nullptr, nullptr) == "none");
  CHECK(folder_of(nullptr, nullptr, "") == "none");
}

TEST_CASE("the environment says how large the cache may be") {
  const auto limit_of = [](const char* megabytes) { return make_cache("/a", megabytes, nullptr, nullptr)->limit_bytes(); };
  constexpr auto usual = tg::disk_cache::default_limit_bytes;
  CHECK(limit_of(nullptr) == usual);
  CHECK(limit_of("16") == 16 << 20);
  CHECK(limit_of("0") == 0);
  for (const char* wrong : {"", "x", "16x", "-1", "99999999999999999999", "18446744073709551615"})
    CHECK(limit_of(wrong) == usual);
}

TEST_CASE("only files of the cache are counted") {
  const temporary_folder folder;
  write_bytes(folder / "a.tgcode", "123");
  write_bytes(folder / ".new-x", "12345");
  write_bytes(folder / "other", "1234567");
  std::filesystem::create_directory(folder / "b.tgcode");
  std::filesystem::create_symlink(folder / "other", folder / "c.tgcode");
  auto files = cached_files(folder.path());
  REQUIRE(files.size() == 2);
  if (files[0].is_unfinished) std::swap(files[0], files[1]);
  CHECK(files[0].path == folder / "a.tgcode");
  CHECK(files[0].bytes == 3);
  CHECK(files[1].is_unfinished);
  CHECK(cached_files(folder / "none").empty());
}

TEST_CASE("a file that others could write is not trusted") {
  struct stat facts{};
  facts.st_uid = ::geteuid();
  const auto is_trusted_with = [&](unsigned mode) {
    facts.st_mode = mode;
    return is_trusted(facts);
  };
  CHECK(is_trusted_with(S_IFREG | 0600));
  CHECK(is_trusted_with(S_IFREG | 0444));
  CHECK_FALSE(is_trusted_with(S_IFREG | 0620));
  CHECK_FALSE(is_trusted_with(S_IFREG | 0602));
  CHECK_FALSE(is_trusted_with(S_IFDIR | 0600));
  facts.st_uid = ::geteuid() + 1;
  CHECK_FALSE(is_trusted_with(S_IFREG | 0600));
  facts.st_uid = 0;
  CHECK(is_trusted_with(S_IFREG | 0644));
}

TEST_CASE("a store into a folder of 20,000 files does not look through them") {
  const temporary_folder folder;
  disk_cache cache(folder.path());
  for (int i = 0; i < 20000; ++i) write_bytes(folder / ("f" + std::to_string(i) + ".tgcode"), "x");
  CHECK(cache.store(name_of(0), "code"));  // looks once, because nobody has counted
  CHECK(cache.size_bytes() > 20000);
  const auto seconds_of = [](auto f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double look = seconds_of([&] { (void)cache.size_bytes(); });
  double best = 1;
  disk_cache other(folder.path());  // as in another process
  for (int i = 1; i < 8; ++i) best = std::min(best, seconds_of([&] { CHECK(other.store(name_of(i), "code")); }));
  CHECK(best < look / 5);
}

TEST_CASE("the tally is made anew when it is damaged, and after many stores") {
  const temporary_folder folder;
  disk_cache cache(folder.path(), 10000);
  const std::string code(2900, 'c');
  for (int i = 0; i < 2; ++i) cache.store(name_of(i), code);
  write_bytes(folder / ".tally", "?");
  for (int i = 2; i < 5; ++i) cache.store(name_of(i), code);
  CHECK(cache.size_bytes() <= 10000);
  for (int i = 5; i < 8; ++i) write_bytes(file_of(folder, i), code);  // past the tally
  for (int i = 0; i < 1100; ++i) cache.store(name_of(9), "x");
  CHECK(cache.size_bytes() <= 10000);
}

TEST_CASE("a folder that cannot be written is said on standard error, once") {
  const temporary_folder folder;
  write_bytes(folder / "file", "x");
  const std::string said = folder / "said";
  ::fflush(stderr);
  const int kept = ::dup(2), file = ::open(said.c_str(), O_WRONLY | O_CREAT, 0600);
  ::dup2(file, 2);
  {
    disk_cache cache(folder / "file");
    cache.store(name_of(0), "code");
    cache.store(name_of(1), "code");
  }
  ::fflush(stderr);
  ::dup2(kept, 2);
  ::close(kept);
  ::close(file);
  const std::string text = bytes_of(said);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  CHECK(text.starts_with("tg: the cache folder '" + (folder / "file") + "' cannot be written ("));
}
