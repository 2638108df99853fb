#include <tg/base/config.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace {

TG_ALWAYS_INLINE int twice(int x) { return 2 * x; }
TG_COLD int sum_of(const int* x, int count) {
  int out = 0;
  TG_INDEPENDENT
  for (int i = 0; i < count; ++i) out += x[i];
  return out;
}

}  // namespace

TEST_CASE("the version is that of the CMake project") {
  std::ifstream file("CMakeLists.txt");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const std::string version =
      std::to_string(TG_VERSION_MAJOR) + "." + std::to_string(TG_VERSION_MINOR) + "." + std::to_string(TG_VERSION_PATCH);
  CHECK(text.find("project(tg VERSION " + version + " ") != std::string::npos);
}

TEST_CASE("the macros change speed, never results") {
  const int x[] = {1, 2, 3};
  CHECK(twice(sum_of(x, 3)) == 12);
}
