#include <tg/emulator/run/printf_text.hpp>

#include <doctest/doctest.h>

#include <vector>

#include "../../base/comma_locale.hpp"

namespace {

/// Arguments as nvcc lays them out, and strings behind address 1000.
struct fake_memory {
  std::vector<char> arguments;
  std::string strings = "hello";

  template <class T> fake_memory& add(T value) {
    arguments.resize((arguments.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T) + sizeof(T));
    std::memcpy(arguments.data() + arguments.size() - sizeof(T), &value, sizeof(T));
    return *this;
  }
  void bytes(std::uint64_t address, void* to, std::size_t count) {
    REQUIRE_LE(address + count, arguments.size());
    std::memcpy(to, arguments.data() + address, count);
  }
  std::string text(std::uint64_t address) { return strings.substr(address - 1000); }
};

std::string formatted(std::string_view format, fake_memory m) {
  tg::emulator::printf_text<fake_memory> made(m, 0);
  return made(format);
}

fake_memory with() { return {}; }

}  // namespace

TEST_CASE("printf formats every conversion of C") {
  CHECK_EQ(formatted("plain 100%% done\n", with()), "plain 100% done\n");
  CHECK_EQ(formatted("%d|%i|%u|%o|%x|%X|%c", with().add(-1).add(7).add(~0u).add(8u).add(255u).add(255u).add(65)),
           "-1|7|4294967295|10|ff|FF|A");
  CHECK_EQ(formatted("%ld %lu %llx %lli %zu %jd %td",
                     with().add(-1ll).add(~0ull).add(1ull << 40).add(-5ll).add(9ull).add(-2ll).add(3ll)),
           "-1 18446744073709551615 10000000000 -5 9 -2 3");
  CHECK_EQ(formatted("%f %.2e %g %G %.3F", with().add(1.5).add(12345.678).add(1e-10).add(1e-10).add(2.0)),
           "1.500000 1.23e+04 1e-10 1E-10 2.000");
  CHECK_EQ(formatted("%a %A", with().add(1.0).add(0.5)), "0x1p+0 0X1P-1");
  CHECK_EQ(
      formatted("[%s] [%.2s] [%8s] [%-8s]",
                with().add(std::uint64_t{1000}).add(std::uint64_t{1000}).add(std::uint64_t{1000}).add(std::uint64_t{1001})),
      "[hello] [he] [   hello] [ello    ]");
  CHECK_EQ(formatted("%s %p", with().add(std::uint64_t{0}).add(std::uint64_t{0x1000})), "(null) 0x1000");
  CHECK_EQ(formatted("%hd %hhu", with().add(65537).add(257)), "1 1");
}

TEST_CASE("printf knows flags, widths, precisions and stars") {
  CHECK_EQ(formatted("%05d|%-5d|%+d|% d|%#x|%.3d", with().add(42).add(42).add(42).add(42).add(42).add(42)),
           "00042|42   |+42| 42|0x2a|042");
  CHECK_EQ(formatted("%*d|%-*d|%*d", with().add(5).add(1).add(4).add(2).add(-4).add(3)), "    1|2   |3   ");
  CHECK_EQ(formatted("%.*f|%*.*f", with().add(2).add(3.14159).add(8).add(3).add(2.71828)), "3.14|   2.718");
}

TEST_CASE("mixed arguments are aligned to their sizes, and what is no conversion is text") {
  CHECK_EQ(formatted("%c%f%d%lld", with().add(120).add(0.25).add(7).add(8ll)), "x0.25000078");
  CHECK_EQ(formatted("%y and 50%, of", with()), "%y and 50%, of");
  CHECK_EQ(formatted("ends with %", with()), "ends with %");
  fake_memory m = with().add(1).add(2);
  tg::emulator::printf_text<fake_memory> made(m, 0);
  made("%d %d %%");
  CHECK_EQ(made.count(), 2);
}

TEST_CASE("a kernel's printf writes points where the host's locale has commas, which it keeps") {
  const comma_locale here;
  CHECK_EQ(formatted("%.2f %g %5.1e %d", with().add(1.5).add(0.25).add(2.5).add(1000)), "1.50 0.25 2.5e+00 1000");
  char own[16];
  std::snprintf(own, sizeof own, "%.1f", 1.5);
  CHECK(std::string(own) == (here.is_set() ? "1,5" : "1.5"));
}
