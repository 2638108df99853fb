#include <tg/runtime/file_descriptor.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include "temporary_folder.hpp"

using tg::runtime::file_descriptor;
using tg::runtime::make_folder;
using tg::runtime::open_to_read;
using tg::runtime::write_whole;

TEST_CASE("a file is read as far as it goes") {
  const temporary_folder folder;
  write_bytes(folder / "a", "0123456789");
  const auto file = open_to_read(folder / "a");
  REQUIRE(file.is_open());
  CHECK(file.read(4) == "0123");
  CHECK(file.read(100) == "456789");
  CHECK(file.read(1) == "");
  CHECK_FALSE(open_to_read(folder / "b").is_open());
}

TEST_CASE("an open file is closed with its object") {
  const temporary_folder folder;
  write_bytes(folder / "a", "x");
  int number = -1;
  {
    const auto file = open_to_read(folder / "a");
    number = file.number();
    CHECK(::fcntl(number, F_GETFD) == FD_CLOEXEC);
  }
  CHECK(::fcntl(number, F_GETFD) == -1);
}

TEST_CASE("links are not followed and pipes are not waited for") {
  const temporary_folder folder;
  write_bytes(folder / "a", "x");
  std::filesystem::create_symlink(folder / "a", folder / "link");
  CHECK_FALSE(open_to_read(folder / "link").is_open());
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK(open_to_read(folder / "pipe").read(1) == "");
}

TEST_CASE("a file is written whole, in the place of what was there") {
  const temporary_folder folder;
  const std::string bytes(1 << 20, 'b');
  CHECK(write_whole(folder / "a", "first"));
  CHECK(write_whole(folder / "a", bytes));
  CHECK(bytes_of(folder / "a") == bytes);
  CHECK(folder.files().size() == 1);
  struct stat facts;
  REQUIRE(::stat((folder / "a").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0600);
}

TEST_CASE("a file that cannot be written leaves nothing behind") {
  const temporary_folder folder;
  std::filesystem::create_directory(folder / "a");
  CHECK_FALSE(write_whole(folder / "a", "x"));  // a folder is in the way
  CHECK(folder.files().size() == 1);
  CHECK_FALSE(write_whole(folder / "none/a", "x"));
  CHECK_FALSE(write_whole("/dev/full/a", "x"));
  const file_descriptor full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (full.is_open()) CHECK_FALSE(full.write("x"));
}

TEST_CASE("folders are made with those above them, for this user alone") {
  const temporary_folder folder;
  CHECK(make_folder(folder / "a/b/c"));
  CHECK(make_folder(folder / "a/b/c"));
  CHECK(std::filesystem::is_directory(folder / "a/b/c"));
  struct stat facts;
  REQUIRE(::stat((folder / "a/b").c_str(), &facts) == 0);
  CHECK((facts.st_mode & 0777) == 0700);
  write_bytes(folder / "file", "x");
  CHECK_FALSE(make_folder(folder / "file/a"));
  CHECK_FALSE(make_folder(""));
}
