#include <tg/runtime/cache_folder.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include "temporary_folder.hpp"

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
  const auto limit_of = [](const char* megabytes) {
    return make_cache("/a", megabytes, nullptr, nullptr)->limit_bytes();
  };
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
  struct stat facts {};
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
