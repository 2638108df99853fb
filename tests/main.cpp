#define DOCTEST_CONFIG_IMPLEMENT
#include <dlfcn.h>

#include <doctest/doctest.h>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

constexpr int skipped = 77;  // tests/CMakeLists.txt: SKIP_RETURN_CODE

bool is_gpu_wanted() {
  const char* device = std::getenv("TG_DEVICE");
  return device != nullptr && std::string_view(device) == "gpu";
}

bool is_gpu_there() {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return false;
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(library, "cuDeviceGetCount"));
  int devices = 0;
  return init != nullptr && count != nullptr && init(0) == 0 && count(&devices) == 0 && devices > 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (is_gpu_wanted() && !is_gpu_there()) {
    std::puts("no GPU: skipped");
    return skipped;
  }
  setenv("TG_CACHE_DIR", "", 0);  // what an earlier run cached must not matter
  return doctest::Context(argc, argv).run();
}
