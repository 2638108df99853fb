#include <tg/runtime/nvtx.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <dlfcn.h>

#include <tests/program_copy.hpp>

namespace nvtx = tg::nvtx;

namespace {

std::vector<std::string> seen;

int push(const char* name) {
  seen.push_back(std::string("push ") + name);
  return static_cast<int>(seen.size());
}
int pop() {
  seen.emplace_back("pop");
  return 0;
}
void mark(const char* name) { seen.push_back(std::string("mark ") + name); }

struct callbacks {
  std::size_t struct_size;
  int (*get_module_functions)(int module, nvtx::function*** table, unsigned* size);
};
struct versions {
  std::size_t struct_size;
  std::uint32_t version, reserved;
  void (*set)(std::uint32_t);
};

/// What a profiler's library does when it is put into a process. Source: nvtxDetail/nvtxInit.h.
int initialize(nvtx::get_export_table get) {
  const auto* v = static_cast<const versions*>(get(3));
  if (v->struct_size < sizeof(versions) || v->version != 3) return 0;
  v->set(3);
  const auto* c = static_cast<const callbacks*>(get(1));
  nvtx::function** places = nullptr;
  unsigned size = 0;
  if (c->get_module_functions(1, &places, &size) != 1 || size != 16) return 0;
  if (c->get_module_functions(5, &places, &size) != 0) return 0;
  if (places[0] != nullptr || places[16] != nullptr) return 0;
  *places[9] = reinterpret_cast<nvtx::function>(push);
  *places[11] = reinterpret_cast<nvtx::function>(pop);
  *places[2] = reinterpret_cast<nvtx::function>(mark);
  return 1;
}
int decline(nvtx::get_export_table get) { return get(2) == nullptr ? 0 : 1; }

}  // namespace

TEST_CASE("a profiler sees ranges, nested as they are, and marks") {
  const nvtx::functions profiler = nvtx::connect(initialize);
  REQUIRE(profiler.is_on());
  seen.clear();
  {
    const nvtx::range outer("outer", profiler);
    nvtx::mark("here", profiler);
    const nvtx::range inner("inner", profiler);
  }
  CHECK(seen == std::vector<std::string>{"push outer", "mark here", "push inner", "pop", "pop"});
}

TEST_CASE("without a profiler nothing happens") {
  CHECK_FALSE(nvtx::connect(decline).is_on());
  seen.clear();
  {
    const nvtx::range r("range", nvtx::functions{});
    nvtx::mark("mark", nvtx::functions{});
  }
  CHECK(seen.empty());
  CHECK(&nvtx::of_process() == &nvtx::of_process());
}

// What the next test case runs in other processes.
TEST_CASE("a profiler is loaded" * doctest::skip()) {
  nvtx::of_process();
  CHECK(::dlopen("libanl.so.1", RTLD_LAZY | RTLD_NOLOAD) != nullptr);
}

TEST_CASE("a program with other rights than its user does not load what NVTX_INJECTION64_PATH names") {
  const program_copy program;
  CHECK(!program.passes("a profiler is loaded", "TG_TEST_VARIABLE=x"));
  CHECK(program.passes("a profiler is loaded", "NVTX_INJECTION64_PATH=libanl.so.1"));
  if (!program.give_other_rights()) {
    MESSAGE("skipped: only root gives a program the rights of another user, and not everywhere");
    return;
  }
  CHECK(!program.passes("a profiler is loaded", "NVTX_INJECTION64_PATH=libanl.so.1"));
}
