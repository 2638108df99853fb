#include <tg/runtime/image_bounds.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "../random_seed.hpp"
#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::saxpy;
using tg::runtime::is_inside;

namespace {

template <class T> void put(std::string& bytes, std::size_t at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

/// An ELF file with a table of strings, code, a table of one symbol, and one segment.
std::string small_elf() {
  constexpr std::size_t strings = 64, code = 80, symbols = 96, segments = 120, sections = 176, count = 4;
  std::string out(sections + count * 64, '\0');
  std::memcpy(out.data(),
              "\x7f"
              "ELF\2\1\1",
              7);
  put<std::uint64_t>(out, 32, segments);
  put<std::uint64_t>(out, 40, sections);
  put<std::uint16_t>(out, 54, 56);
  put<std::uint16_t>(out, 56, 1);
  put<std::uint16_t>(out, 58, 64);
  put<std::uint16_t>(out, 60, count);
  put<std::uint16_t>(out, 62, 1);
  std::memcpy(out.data() + strings, "\0code\0kernel", 13);
  put<std::uint32_t>(out, symbols, 6);
  put<std::uint64_t>(out, segments + 8, code);
  put<std::uint64_t>(out, segments + 32, 16);
  const auto section = [&](std::size_t i, std::uint32_t name, std::uint32_t type, std::uint64_t at, std::uint64_t bytes,
                           std::uint32_t link, std::uint64_t entry) {
    const std::size_t place = sections + i * 64;
    put(out, place, name);
    put(out, place + 4, type);
    put(out, place + 24, at);
    put(out, place + 32, bytes);
    put(out, place + 40, link);
    put(out, place + 56, entry);
  };
  section(1, 0, 3, strings, 16, 0, 0);
  section(2, 1, 1, code, 16, 0, 0);
  section(3, 0, 2, symbols, 24, 1, 24);
  return out;
}

}  // namespace

TEST_CASE("an ELF file whose tables end inside is inside; each table that does not is found") {
  const std::string good = small_elf();
  REQUIRE(is_inside(good));
  for (std::size_t bytes = 4; bytes < good.size(); ++bytes) {
    CAPTURE(bytes);
    CHECK_FALSE(is_inside(good.substr(0, bytes)));
  }
  constexpr std::size_t sections = 176;
  const auto with = [&](std::size_t at, auto value) {
    std::string bad = good;
    put(bad, at, value);
    return is_inside(bad);
  };
  CHECK_FALSE(with(4, std::uint8_t{1}));                           // 32 bits
  CHECK_FALSE(with(32, std::uint64_t{1} << 62));                   // segments
  CHECK_FALSE(with(40, ~std::uint64_t{0} - 8));                    // sections: the sum overflows
  CHECK_FALSE(with(60, std::uint16_t{5}));                         // one section too many
  CHECK_FALSE(with(60, std::uint16_t{0}));                         // their number elsewhere
  CHECK_FALSE(with(62, std::uint16_t{2}));                         // names in the code
  CHECK_FALSE(with(62, std::uint16_t{9}));                         // names nowhere
  CHECK_FALSE(with(120 + 32, std::uint64_t{1} << 40));             // the segment's bytes
  CHECK_FALSE(with(sections + 2 * 64 + 32, std::uint64_t{4096}));  // the code's bytes
  CHECK_FALSE(with(sections + 2 * 64, std::uint32_t{16}));         // the name of the code
  CHECK_FALSE(with(sections + 3 * 64 + 40, std::uint32_t{7}));     // the names of the symbols
  CHECK_FALSE(with(sections + 3 * 64 + 56, std::uint64_t{8}));     // the size of a symbol
  CHECK_FALSE(with(96, std::uint32_t{4096}));                      // the name of the symbol
  CHECK_FALSE(with(64 + 15, 'x'));                                 // names without an end
  CHECK(with(sections + 2 * 64 + 4, std::uint32_t{8}));            // memory without bytes in the file
}

TEST_CASE("a fat binary's entries end inside; text is inside") {
  std::string fat(16 + 16 + 8, '\0');
  put<std::uint32_t>(fat, 0, 0xba55ed50);
  put<std::uint16_t>(fat, 6, 16);
  put<std::uint64_t>(fat, 8, 24);
  put<std::uint32_t>(fat, 16 + 4, 16);
  put<std::uint64_t>(fat, 16 + 8, 8);
  CHECK(is_inside(fat));
  for (std::size_t bytes = 4; bytes < fat.size(); ++bytes) CHECK_FALSE(is_inside(fat.substr(0, bytes)));
  put<std::uint64_t>(fat, 16 + 8, 9);
  CHECK_FALSE(is_inside(fat));
  put<std::uint64_t>(fat, 16 + 8, ~std::uint64_t{0});
  CHECK_FALSE(is_inside(fat));
  put<std::uint32_t>(fat, 16 + 4, 0);
  CHECK_FALSE(is_inside(fat));
  CHECK(is_inside(".version 7.0"));
  CHECK(is_inside(""));
}

TEST_CASE("machine code of ptxas is inside, and changed at random is judged without a fault") {
  const temporary_folder folder;
  const std::string ptx = folder.path() + "/k.ptx", cubin = folder.path() + "/k.cubin";
  std::ofstream(ptx) << source_of(saxpy{}).ptx;
  const char* const home = std::getenv("CUDA_HOME");
  const std::string ptxas = std::string(home ? home : "/usr/local/cuda") + "/bin/ptxas";
  if (std::system((ptxas + " -arch=sm_90 -o " + cubin + " " + ptx + " 2> /dev/null").c_str()) != 0) {
    MESSAGE("skipped: no ptxas");
    return;
  }
  std::ifstream file(cubin, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  REQUIRE(is_inside(good));
  CHECK_FALSE(is_inside(good.substr(0, good.size() - 1)));
  std::mt19937 random(random_seed());
  int refused = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    bad[random() % 64] = static_cast<char>(random());
    refused += !is_inside(bad);
  }
  CHECK(refused > 1000);
}

TEST_CASE("machine code that reaches out of its bytes does not come to the driver") {
  static bool came;
  came = false;
  auto api = hand_written::emulator_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, tg::driver::jit_option* k,
                              void** v) {
    if (std::memcmp(image,
                    "\x7f"
                    "ELF",
                    4) == 0)
      came = true;
    return tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
  };
  const tg::device gpu(tg::runtime::machine{&api});
  auto source = source_of(saxpy{});
  std::string bad = small_elf();
  put<std::uint64_t>(bad, 40, std::uint64_t{1} << 40);
  source.code = {{90, bad}};
  CHECK(tg::runtime::load(*gpu.context(), "saxpy", source, {}).origin == tg::runtime::code_origin::compiler);
  CHECK_FALSE(came);
  source.code = {{90, small_elf()}};
  CHECK(tg::runtime::load(*gpu.context(), "saxpy", source, {}).origin == tg::runtime::code_origin::compiler);
  CHECK(came);
}
