#include <tg/runtime/compile.hpp>

#include <cstring>
#include <mutex>
#include <thread>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::any;
using hand_written::error_of;
using tg::driver::result;

TEST_CASE("a loaded kernel says what the driver made of it") {
  tg::device gpu("emulator");
  const auto k = tg::runtime::load(*gpu.context(), "saxpy", source_of(hand_written::saxpy{}), {});
  CHECK(k.function != nullptr);
  CHECK(k.registers > 0);
  CHECK(k.max_threads == 256);
  CHECK(k.static_shared_bytes == 0);
  CHECK(k.load_us > 0);
  CHECK(k.ptx.find("saxpy") != std::string::npos);
  gpu.context()->call(gpu.context()->api().cuModuleUnload, k.module);
}

TEST_CASE("PTX that does not compile gives the log") {
  tg::device gpu("emulator");
  const auto wrong = error_of([&] { gpu.compile(any{.body = ".visible .entry any() { fly.u32 %r1; }\n"}); });
  CHECK(wrong.number == 505);
  CHECK(wrong.says("fly"));
  CHECK(wrong.says("CUDA_ERROR_INVALID_PTX"));
  CHECK(error_of([&] { gpu.compile(any{.body = ".visible .entry other() { ret; }\n"}); }).number == 507);

  auto api = hand_written::gpu_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle*, const void*, unsigned count, tg::driver::jit_option* keys,
                              void** values) {
    for (unsigned i = 0; i < count; ++i)
      if (keys[i] == tg::driver::jit_option::error_log_buffer)
        std::strcpy(static_cast<char*>(values[i]), "ptxas application ptx input, line 7; error");
    return result::unsupported_ptx_version;
  };
  tg::device other(tg::runtime::machine{&api});
  const auto old = error_of([&] { other.compile(any{.body = hand_written::empty_entry}); });
  CHECK(old.number == 506);
  CHECK(old.says("line 7; error"));
  CHECK(old.says("CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
}

TEST_CASE("a module whose kernel cannot be used is unloaded") {
  static int unloaded;
  unloaded = 0;
  auto api = hand_written::gpu_table();
  api.cuFuncGetAttribute = [](int*, tg::driver::function_attribute, tg::driver::function_handle) {
    return result::invalid_value;
  };
  api.cuModuleUnload = [](tg::driver::module_handle m) {
    ++unloaded;
    return tg::emulator::driver_table().cuModuleUnload(m);
  };
  {
    tg::device gpu(tg::runtime::machine{&api});
    CHECK(error_of([&] { gpu.compile(hand_written::saxpy{}); }).number == 500);
    CHECK(unloaded == 1);
  }
  api.cuFuncGetAttribute = [](int* value, tg::driver::function_attribute, tg::driver::function_handle) {
    return *value = 128, result::success;
  };
  tg::device gpu(tg::runtime::machine{&api});
  const auto wide = error_of([&] { gpu.compile(hand_written::saxpy{}); });
  CHECK(wide.number == 522);
  CHECK(wide.says("it runs with at most 128"));
  CHECK(unloaded == 2);
}

using hand_written::empty_entry;
using tg::driver::jit_option;
using tg::runtime::code_origin;

namespace {

struct driver_log {
  std::mutex mutex;  // of the lists: tiers are compiled on a thread of their own
  std::vector<std::uintptr_t> levels;
  std::vector<tg::driver::module_handle> fast;  // modules compiled at level 0
  std::atomic<bool> may_optimise{true};
  std::atomic<int> alive{0};
  result whole_fails = result::success;
  void reset() {
    levels.clear();
    fast.clear();
    may_optimise = true;
    alive = 0;
    whole_fails = result::success;
  }
};
driver_log seen;

/// A table that notes the level of each compilation, and lets optimised ones wait.
tg::driver::table noted() {
  seen.reset();
  auto api = hand_written::gpu_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, jit_option* k, void** v) {
    std::uintptr_t level = 99;
    for (unsigned i = 0; i < n; ++i)
      if (k[i] == jit_option::optimization_level) level = reinterpret_cast<std::uintptr_t>(v[i]);
    while (level == 4 && !seen.may_optimise) std::this_thread::yield();
    {
      const std::lock_guard lock(seen.mutex);
      seen.levels.push_back(level);
    }
    if (level == 4 && seen.whole_fails != result::success) return seen.whole_fails;
    const result r = tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
    if (r == result::success) ++seen.alive;
    if (level == 0) {
      const std::lock_guard lock(seen.mutex);
      seen.fast.push_back(*m);
    }
    return r;
  };
  api.cuModuleUnload = [](tg::driver::module_handle m) {
    --seen.alive;
    return tg::emulator::driver_table().cuModuleUnload(m);
  };
  return api;
}

}  // namespace

TEST_CASE("a kernel in tiers runs fast code first and good code later") {
  auto api = noted();
  {
    tg::device gpu(tg::runtime::machine{&api});
    gpu.set_load_options({.is_tiered = true});
    seen.may_optimise = false;
    const auto& first = gpu.compile(hand_written::saxpy{});
    CHECK(first.origin == code_origin::first_tier);
    auto x = gpu.upload(std::vector<float>(8, 1)), y = gpu.upload(std::vector<float>(8, 1));
    gpu.launch(hand_written::saxpy{}, tg::cover(8), x, y, 2.0f, 8);
    CHECK(&gpu.compile(hand_written::saxpy{}) == &first);
    seen.may_optimise = true;
    gpu.finish_compiling();
    const auto& good = gpu.compile(hand_written::saxpy{});
    CHECK(good.origin == code_origin::compiler);
    CHECK(&good != &first);
    gpu.launch(hand_written::saxpy{}, tg::cover(8), x, y, 2.0f, 8);
    CHECK(y.to_host() == std::vector<float>(8, 5));
    CHECK(first.name == "saxpy");  // still there: a launch may be using it
    CHECK(seen.levels == std::vector<std::uintptr_t>{0, 4});
    CHECK(seen.alive == 2);
  }
  CHECK(seen.alive == 0);
}

TEST_CASE("a kernel whose PTX depends on values is compiled in tiers too") {
  auto api = noted();
  tg::device gpu(tg::runtime::machine{&api});
  const any kernel{.body = empty_entry};
  const auto& first = gpu.compile(kernel, {.is_tiered = true});
  gpu.finish_compiling();
  const auto& good = gpu.compile(kernel);
  CHECK(good.origin == code_origin::compiler);
  CHECK(&gpu.compile(kernel, {.is_tiered = true}) == &good);
  CHECK(first.name == "any");
  CHECK(seen.levels == std::vector<std::uintptr_t>{0, 4});
}

TEST_CASE("when the good code cannot be made the fast one stays") {
  auto api = noted();
  seen.whole_fails = result::out_of_memory;
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_load_options({.is_tiered = true});
  const auto& first = gpu.compile(hand_written::saxpy{});
  gpu.finish_compiling();
  CHECK(&gpu.compile(hand_written::saxpy{}) == &first);
}

TEST_CASE("when the fast code cannot run with the kernel's block the good one is made at once") {
  auto api = noted();
  static tg::driver::function_handle fast;
  api.cuModuleGetFunction = [](tg::driver::function_handle* f, tg::driver::module_handle m, const char* name) {
    const result r = tg::emulator::driver_table().cuModuleGetFunction(f, m, name);
    if (std::ranges::find(seen.fast, m) != seen.fast.end()) fast = *f;
    return r;
  };
  api.cuFuncGetAttribute = [](int* value, tg::driver::function_attribute a, tg::driver::function_handle f) {
    const result r = tg::emulator::driver_table().cuFuncGetAttribute(value, a, f);
    if (f == fast && a == tg::driver::function_attribute::max_threads_per_block) *value = 64;
    return r;
  };
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_load_options({.is_tiered = true});
  CHECK(gpu.compile(hand_written::saxpy{}).origin == code_origin::compiler);
  CHECK(seen.levels == std::vector<std::uintptr_t>{0, 4});
  CHECK(seen.alive == 1);
}

TEST_CASE("tiers are not needed where the disk has the code") {
  const temporary_folder folder;
  for (const int round : {0, 1}) {
    auto api = noted();
    tg::device gpu(tg::runtime::machine{&api});
    gpu.set_disk_cache(std::make_shared<tg::disk_cache>(folder.path()));
    gpu.set_load_options({.is_tiered = true});
    const auto& first = gpu.compile(hand_written::saxpy{});
    CHECK(first.origin == (round == 0 ? code_origin::first_tier : code_origin::disk_cache));
    gpu.finish_compiling();
    if (round == 1) CHECK(&gpu.compile(hand_written::saxpy{}) == &first);
  }
  CHECK(folder.files().size() == 1);
}

TEST_CASE("a device that goes away in the middle of a tier takes everything with it") {
  auto api = noted();
  for (int i = 0; i < 20; ++i) {
    seen.may_optimise = i % 2 == 0;
    std::thread late([&] { seen.may_optimise = true; });
    {
      tg::device gpu(tg::runtime::machine{&api});
      gpu.set_load_options({.is_tiered = true});
      gpu.compile(hand_written::saxpy{});
      gpu.compile(any{.body = empty_entry});
    }
    late.join();
    CHECK(seen.alive == 0);
  }
}

TEST_CASE("options given for one kernel hold for its later launches") {
  auto api = noted();
  tg::device gpu(tg::runtime::machine{&api});
  const auto& usual = gpu.compile(hand_written::saxpy{});
  const auto& other = gpu.compile(hand_written::saxpy{}, {.optimization_level = 2});
  CHECK(&other != &usual);
  CHECK(&gpu.compile(hand_written::saxpy{}) == &other);
  CHECK(&gpu.compile(hand_written::saxpy{}, {.optimization_level = 2}) == &other);
  CHECK(seen.levels == std::vector<std::uintptr_t>{4, 2});
  const any kernel{.body = empty_entry};
  const auto& early = gpu.compile(kernel, {.max_registers = 40});
  CHECK(&gpu.compile(kernel) == &early);
  CHECK(error_of([&] { gpu.compile(kernel, {.optimization_level = 9}); }).number == 550);
  CHECK(&gpu.compile(kernel) == &early);
}

TEST_CASE("threads that need one kernel compile it once, in tiers too") {
  auto api = noted();
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_load_options({.is_tiered = true});
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) gpu.compile(hand_written::saxpy{});
    });
  for (auto& thread : threads) thread.join();
  gpu.finish_compiling();
  CHECK(seen.levels == std::vector<std::uintptr_t>{0, 4});
}
