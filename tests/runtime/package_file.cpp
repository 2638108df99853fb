#include <tg/runtime/package_file.hpp>

#include <filesystem>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::error_of;
using tg::kernel_package;
using tg::to_bytes;
using tg::to_package;

namespace {

kernel_package example() {
  return {"k",
          {32, 2, 1},
          "tg::scalar<float>",
          {".version 7.0\n", {7, 0}, 90, 0, 'a', {{90, std::string("a\0b", 3)}, {80, ""}}}};
}

/// The file with another byte, and a checksum that hides it.
std::string forged(std::string bytes, std::size_t at, char byte) {
  constexpr std::size_t start = tg::runtime::package_magic.size() + sizeof(tg::runtime::content_hash);
  bytes[start + at] = byte;
  const auto checksum = tg::runtime::hash_of(std::string_view(bytes).substr(start));
  std::memcpy(bytes.data() + tg::runtime::package_magic.size(), &checksum, sizeof checksum);
  return bytes;
}

}  // namespace

TEST_CASE("a package's bytes are the package again") {
  const kernel_package p = example(), q = to_package(to_bytes(p));
  CHECK(q.name == p.name);
  CHECK(q.block == p.block);
  CHECK(q.parameters == p.parameters);
  CHECK(q.source.ptx == p.source.ptx);
  CHECK(q.source.version == p.source.version);
  CHECK(q.source.sm == 90);
  CHECK(q.source.target_suffix == 'a');
  REQUIRE(q.source.code.size() == 2);
  CHECK(q.source.code[0].image == p.source.code[0].image);
  CHECK(q.source.code[1].sm == 80);
  CHECK(to_bytes(q) == to_bytes(p));
}

TEST_CASE("every damaged package is refused") {
  const std::string good = to_bytes(example());
  for (std::size_t i = 0; i < good.size(); ++i) {
    CAPTURE(i);
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    CHECK(error_of([&] { to_package(bad); }).number == 553);
    CHECK(error_of([&] { to_package(good.substr(0, i)); }).number == 553);
  }
  CHECK(error_of([&] { to_package(good + 'x'); }).number == 553);
  CHECK(error_of([&] { to_package(""); }).says("TG553: this is no kernel that tg exported"));
}

TEST_CASE("a forged package is refused or is one, and never more") {
  const std::string good = to_bytes(example());
  int refused = 0;
  for (std::size_t at = 0; at < good.size() - 24; ++at)
    for (const int byte : {0, 1, 127, 128, 255}) {
      try {
        to_package(forged(good, at, static_cast<char>(byte)));
      } catch (const tg::error& e) {
        CHECK(e.number() == 553);
        ++refused;
      }
    }
  CHECK(refused > 200);
}

TEST_CASE("files that are not there, are none or cannot be written") {
  const temporary_folder folder;
  CHECK(error_of([&] { tg::load_package(folder / "none"); }).says("TG552"));
  CHECK(error_of([&] { tg::load_package(folder.path()); }).number == 552);
  CHECK(error_of([&] { tg::save(example(), folder / "none/file"); }).says("No such file"));
  write_bytes(folder / "text", "some text that is no package");
  CHECK(error_of([&] { tg::load_package(folder / "text"); }).number == 553);
  std::filesystem::resize_file(folder / "text", std::uintmax_t{1} << 40);
  CHECK(error_of([&] { tg::load_package(folder / "text"); }).says("larger than any kernel"));
  tg::save(example(), folder / "good");
  CHECK(tg::load_package(folder / "good").name == "k");
}
