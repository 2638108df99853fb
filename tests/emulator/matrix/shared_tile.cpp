#include <tg/emulator/matrix/shared_tile.hpp>

#include <doctest/doctest.h>

using tg::emulator::shared_tile;

namespace {

std::uint64_t descriptor(std::uint64_t start, std::uint64_t leading, std::uint64_t stride, std::uint64_t mode,
                         std::uint64_t base = 0) {
  return start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | base << 49 | mode << 62;
}

}  // namespace

TEST_CASE("a descriptor says where a tile starts, how it goes on and how it is swizzled") {
  const shared_tile t(descriptor(0x3fff0, 0x100, 0x400, 1, 5));
  CHECK_EQ(t.start, 0x3fff0);
  CHECK_EQ(t.leading, 0x100);
  CHECK_EQ(t.stride, 0x400);
  CHECK_EQ(t.base_offset, 5 * 128);
  CHECK_EQ(t.swizzle, 128);
  CHECK_EQ(shared_tile(descriptor(0, 0, 0, 0)).swizzle, 16);
  CHECK_EQ(shared_tile(descriptor(0, 0, 0, 2)).swizzle, 64);
  CHECK_EQ(shared_tile(descriptor(0, 0, 0, 3)).swizzle, 32);
}

TEST_CASE("without swizzle 8 lines of 16 bytes stand below each other") {
  const shared_tile t(descriptor(0x400, 0x80, 0x200, 0));
  CHECK_EQ(t.along_k(3, 0), 0x400 + 3 * 16);
  CHECK_EQ(t.along_k(3, 1), 0x480 + 3 * 16);
  CHECK_EQ(t.along_k(11, 0), 0x600 + 3 * 16);
  CHECK_EQ(t.along_lines(0, 5), 0x400 + 5 * 16);
  CHECK_EQ(t.along_lines(2, 5), 0x800 + 5 * 16);
  CHECK_EQ(t.along_lines(2, 13), 0x880 + 5 * 16);
}

TEST_CASE("swizzled tiles turn the 16 bytes of a row by its number") {
  const shared_tile wide(descriptor(0x800, 0, 0x400, 1));
  for (std::uint64_t line = 0; line < 16; ++line)
    for (std::uint64_t part = 0; part < 2; ++part)
      CHECK_EQ(wide.along_k(line, part), 0x800 + line / 8 * 0x400 + line % 8 * 128 + (part ^ line % 8) * 16);
  const shared_tile middle(descriptor(0x800, 0, 0x200, 2)), narrow(descriptor(0x800, 0, 0x100, 3));
  for (std::uint64_t line = 0; line < 8; ++line) {
    CHECK_EQ(middle.along_k(line, 1), 0x800 + line * 64 + (1 ^ line / 2) * 16);
    CHECK_EQ(narrow.along_k(line, 1), 0x800 + line * 32 + (1 ^ line / 4) * 16);
  }
  // A pattern that starts in the middle of 1024 bytes.
  const shared_tile moved(descriptor(0x880, 0, 0x400, 1, 1));
  CHECK_EQ(moved.along_k(0, 0), 0x880);
  CHECK_EQ(moved.along_k(1, 0), 0x900 + 16);
}
