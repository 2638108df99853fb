#include <tg/base/file.hpp>

#include <doctest/doctest.h>

#include <filesystem>

#include <unistd.h>

TEST_CASE("what is written is read back, zeros included, and folders are made on the way") {
  const auto root = std::filesystem::temp_directory_path() / ("tg_file_" + std::to_string(getpid()));
  const std::string folder = (root / "a" / "b").string(), path = folder + "/c";
  CHECK_FALSE(tg::write_file(path, "no folder yet"));
  CHECK_FALSE(tg::read_file(path).has_value());
  tg::make_folders(folder);
  const std::string bytes = std::string("one\0two\r\n", 9) + std::string(10000, 'x');
  CHECK(tg::write_file(path, bytes));
  CHECK(tg::read_file(path) == bytes);
  CHECK(tg::write_file(path, ""));
  CHECK(tg::read_file(path) == "");
  CHECK_FALSE(tg::read_file(folder).has_value());
  std::filesystem::remove_all(root);
}
