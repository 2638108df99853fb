#include <tg/runtime/load_module.hpp>

#include <filesystem>
#include <thread>

#include <tg/runtime/load_module.inl>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::error_of;
using tg::disk_cache;
using tg::driver::jit_option;
using tg::driver::result;
using tg::runtime::code_origin;
using tg::runtime::kernel_source;
using tg::runtime::load_module;
using tg::runtime::loaded_module;

namespace {

/// What the driver was asked to compile and load.
struct calls {
  int texts = 0;  // PTX loaded
  int links = 0;
  std::vector<std::uintptr_t> levels, targets, registers;  // of both
};
calls seen;

void note(unsigned count, const jit_option* keys, void** values) {
  for (unsigned i = 0; i < count; ++i) {
    const auto value = reinterpret_cast<std::uintptr_t>(values[i]);
    if (keys[i] == jit_option::optimization_level) seen.levels.push_back(value);
    if (keys[i] == jit_option::target) seen.targets.push_back(value);
    if (keys[i] == jit_option::max_registers) seen.registers.push_back(value);
  }
}

/// The emulator's table as if it were a GPU's, with its compiler counted.
tg::driver::table counted() {
  seen = {};
  auto api = hand_written::gpu_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, jit_option* k, void** v) {
    if (n > 0) ++seen.texts;
    note(n, k, v);
    return tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
  };
  api.cuLinkCreate = [](unsigned n, jit_option* k, void** v, tg::driver::link_handle* link) {
    ++seen.links;
    note(n, k, v);
    return tg::emulator::driver_table().cuLinkCreate(n, k, v, link);
  };
  return api;
}

kernel_source saxpy() { return source_of(hand_written::saxpy{}); }

void unload(tg::device& gpu, const loaded_module& m) { gpu.context()->call(gpu.context()->api().cuModuleUnload, m.native); }

}  // namespace

TEST_CASE("code is made once for all who share a cache") {
  const temporary_folder folder;
  const auto cache = std::make_shared<disk_cache>(folder.path());
  auto api = counted();
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_disk_cache(cache);
  const auto first = load_module(*gpu.context(), "saxpy", saxpy());
  CHECK(first.origin == code_origin::compiler);
  CHECK(seen.links == 1);
  CHECK(seen.targets == std::vector<std::uintptr_t>{90});
  const auto second = load_module(*gpu.context(), "saxpy", saxpy());
  CHECK(second.origin == code_origin::disk_cache);
  CHECK(second.native != first.native);
  CHECK(seen.links == 1);
  CHECK(seen.texts == 0);
  CHECK(cache->counts().hits == 1);
  CHECK(cache->counts().stores == 1);
  unload(gpu, first);
  unload(gpu, second);
}

TEST_CASE("each option that changes code has code of its own") {
  const temporary_folder folder;
  auto api = counted();
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_disk_cache(std::make_shared<disk_cache>(folder.path()));
  const auto load = [&](const tg::load_options& o) {
    const auto m = load_module(*gpu.context(), "saxpy", saxpy(), {}, o);
    unload(gpu, m);
    return m.origin;
  };
  const tg::load_options all[] = {{}, {.optimization_level = 1}, {.max_registers = 32}, {.target = 90, .line_info = false}};
  for (const auto& o : all) CHECK(load(o) == code_origin::compiler);
  for (const auto& o : all) CHECK(load(o) == code_origin::disk_cache);
  CHECK(load({.retry_unoptimized = true}) == code_origin::disk_cache);
  CHECK(load({.is_tiered = true}) == code_origin::disk_cache);
  CHECK(folder.files().size() == 4);
  CHECK(seen.levels == std::vector<std::uintptr_t>{4, 1, 4, 4});
  CHECK(seen.registers == std::vector<std::uintptr_t>{32});
  CHECK(load({.uses_cache = false}) == code_origin::compiler);
  CHECK(seen.texts == 1);
}

TEST_CASE("another driver has code of its own") {
  const temporary_folder folder;
  for (const int version : {12040, 12080, 12040}) {
    static int now;
    now = version;
    auto api = counted();
    api.cuDriverGetVersion = [](int* out) { return *out = now, result::success; };
    tg::device gpu(tg::runtime::machine{&api});
    gpu.set_disk_cache(std::make_shared<disk_cache>(folder.path()));
    unload(gpu, load_module(*gpu.context(), "saxpy", saxpy()));
  }
  CHECK(folder.files().size() == 2);
  CHECK(seen.links == 0);  // the third found the first one's
}

TEST_CASE("code that the driver does not take is dropped and made again") {
  const temporary_folder folder;
  const auto cache = std::make_shared<disk_cache>(folder.path());
  auto api = counted();
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_disk_cache(cache);
  unload(gpu, load_module(*gpu.context(), "saxpy", saxpy()));
  const std::string file = folder.files().at(0);
  const std::string name = std::filesystem::path(file).stem().string();
  for (const std::string& code : {std::string("\x7f"
                                              "ELF machine code of another machine"),
                                  std::string("no PTX"), std::string()}) {
    REQUIRE(cache->store(name, code));
    const auto again = load_module(*gpu.context(), "saxpy", saxpy());
    CHECK(again.origin == code_origin::compiler);
    unload(gpu, again);
    CHECK(cache->find(name)->find(".entry saxpy") != std::string::npos);
  }
  CHECK(cache->counts().rejected == 3);
}

TEST_CASE("code that cannot be loaded for want of memory is kept") {
  const temporary_folder folder;
  const auto cache = std::make_shared<disk_cache>(folder.path());
  static bool is_full;
  is_full = false;
  auto api = hand_written::gpu_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, jit_option* k, void** v) {
    return is_full ? result::out_of_memory : tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
  };
  tg::device gpu(tg::runtime::machine{&api});
  gpu.set_disk_cache(cache);
  unload(gpu, load_module(*gpu.context(), "saxpy", saxpy()));
  is_full = true;
  CHECK(error_of([&] { load_module(*gpu.context(), "saxpy", saxpy()); }).number == 504);
  is_full = false;
  const auto m = load_module(*gpu.context(), "saxpy", saxpy());
  CHECK(m.origin == code_origin::disk_cache);
  unload(gpu, m);
}

TEST_CASE("a driver whose linker fails or lies still loads") {
  for (const int way : {0, 1, 2, 3}) {
    CAPTURE(way);
    const temporary_folder folder;
    auto api = counted();
    if (way == 0) api.cuLinkCreate = nullptr;
    if (way == 1) api.cuLinkComplete = [](tg::driver::link_handle, void**, std::size_t*) { return result::invalid_image; };
    if (way == 2) api.cuLinkComplete = [](tg::driver::link_handle, void**, std::size_t*) { return result::success; };
    if (way == 3)
      api.cuLinkComplete = [](tg::driver::link_handle, void** image, std::size_t* bytes) {
        static char wrong[] = "wrong";
        return *image = wrong, *bytes = 6, result::success;
      };
    tg::device gpu(tg::runtime::machine{&api});
    gpu.set_disk_cache(std::make_shared<disk_cache>(folder.path()));
    const auto m = load_module(*gpu.context(), "saxpy", saxpy());
    CHECK(m.origin == code_origin::compiler);
    CHECK(seen.texts == 1);
    CHECK(folder.files().empty());
    unload(gpu, m);
  }
}

TEST_CASE("nothing is kept where the folder cannot be written") {
  auto api = counted();
  tg::device gpu(tg::runtime::machine{&api});
  const auto cache = std::make_shared<disk_cache>("/proc/none/such");
  gpu.set_disk_cache(cache);
  for (int i = 0; i < 2; ++i) {
    const auto m = load_module(*gpu.context(), "saxpy", saxpy());
    CHECK(m.origin == code_origin::compiler);
    unload(gpu, m);
  }
  CHECK(cache->counts().failures == 2);
}

TEST_CASE("the emulator uses a disk cache only when it is given one") {
  tg::device gpu("emulator");
  const temporary_folder folder;
  const auto cache = std::make_shared<disk_cache>(folder.path());
  gpu.set_disk_cache(cache);
  unload(gpu, load_module(*gpu.context(), "saxpy", saxpy()));
  CHECK(folder.files().size() == 1);
  gpu.set_disk_cache(nullptr);
  const auto m = load_module(*gpu.context(), "saxpy", saxpy());
  CHECK(m.origin == code_origin::compiler);
  CHECK(cache->counts().hits == 0);
  unload(gpu, m);
}

TEST_CASE("machine code that comes with a kernel is loaded where it runs") {
  auto api = counted();
  tg::device gpu(tg::runtime::machine{&api});
  const auto code = tg::runtime::make_code(*gpu.context(), "saxpy", saxpy());
  CHECK(code.sm == 90);
  const auto origin_with = [&](tg::dynamic_array<tg::runtime::machine_code> codes, const tg::load_options& options = {}) {
    kernel_source source = saxpy();
    source.code = std::move(codes);
    const auto m = load_module(*gpu.context(), "saxpy", source, {}, options);
    unload(gpu, m);
    return m.origin;
  };
  CHECK(origin_with({code}) == code_origin::package);
  CHECK(origin_with({code}, {.max_registers = 32}) == code_origin::compiler);
  CHECK(origin_with({code}, {.optimization_level = 1}) == code_origin::compiler);
  CHECK(origin_with({{80, code.image}}) == code_origin::compiler);
  CHECK(origin_with({{90, "broken"}}) == code_origin::compiler);
  CHECK(origin_with({{90, "broken"}, {80, "x"}, code}) == code_origin::package);
}

TEST_CASE("the driver's words are kept when code cannot be made") {
  tg::device gpu("emulator");
  kernel_source wrong{".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { fly.u32 %r1; }\n", {7, 0}, 70};
  const auto text = error_of([&] { tg::runtime::make_code(*gpu.context(), "k", wrong); });
  CHECK(text.number == 505);
  CHECK(text.says("fly"));
  auto api = hand_written::gpu_table();
  api.cuLinkCreate = nullptr;
  tg::device old(tg::runtime::machine{&api});
  CHECK(error_of([&] { tg::runtime::make_code(*old.context(), "saxpy", saxpy()); }).number == 506);
  auto liar = hand_written::gpu_table();
  liar.cuLinkComplete = [](tg::driver::link_handle, void**, std::size_t*) { return result::success; };
  tg::device lying(tg::runtime::machine{&liar});
  CHECK(error_of([&] { tg::runtime::make_code(*lying.context(), "saxpy", saxpy()); }).number == 505);
}

TEST_CASE("a compiler that fails is tried again without optimisation when that is asked for") {
  auto api = counted();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, jit_option* k, void** v) {
    ++seen.texts;
    note(n, k, v);
    if (seen.levels.back() == 0) return tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
    for (unsigned i = 0; i < n; ++i)
      if (k[i] == jit_option::error_log_buffer) std::snprintf(static_cast<char*>(v[i]), 100, "ptxas crashed");
    return result::invalid_ptx;
  };
  tg::device gpu(tg::runtime::machine{&api});
  const auto refused = error_of([&] { load_module(*gpu.context(), "saxpy", saxpy()); });
  CHECK(refused.number == 505);
  CHECK(refused.says("ptxas crashed"));
  CHECK(seen.texts == 1);
  const auto m = load_module(*gpu.context(), "saxpy", saxpy(), {}, {.retry_unoptimized = true});
  CHECK(seen.levels == std::vector<std::uintptr_t>{4, 4, 0});
  CHECK(m.warnings == "compiled at optimization level 0, because level 4 failed: ptxas crashed");
  unload(gpu, m);
}

TEST_CASE("options that the driver does not have are refused") {
  tg::device gpu("emulator");
  const auto refused = [&](const tg::load_options& o) {
    const auto e = error_of([&] { load_module(*gpu.context(), "saxpy", saxpy(), {"k.cpp", 7}, o); });
    CHECK(e.number == 550);
    CHECK(e.says("(k.cpp:7)"));
    return e;
  };
  CHECK(refused({.optimization_level = 5}).says("optimization_level is 5"));
  CHECK(refused({.optimization_level = -1}).says("0 to 4"));
  CHECK(refused({.max_registers = 256}).says("max_registers is 256"));
  CHECK(refused({.max_registers = -1}).says("1 to 255"));
  CHECK(refused({.target = 86}).says("target is 86, code for it does not run on sm_90"));
  CHECK(refused({.target = 100}).says("target is 100"));
}

TEST_CASE("a text that is no PTX is refused with the byte that is wrong") {
  tg::device gpu("emulator");
  const auto refused = [&](const std::string& text) {
    const auto e = error_of([&] { load_module(*gpu.context(), "k", {text, {7, 0}, 70}); });
    CHECK(e.number == 551);
    return e;
  };
  CHECK(refused("").says("the PTX of 'k' is empty"));
  CHECK(refused(" \n\t").says("is empty"));
  CHECK(refused(".version 7.0\n// caf\xc3\xa9\n").says("has the byte 0xc3 in line 2"));
  CHECK(refused(std::string(".version 7.0\n\0.target", 22)).says("has the byte 0x0 in line 2"));
}

TEST_CASE("loading while another thread captures leaves the capture alone") {
  static std::vector<tg::driver::capture_mode> modes;
  modes.clear();
  const auto mode_now = [] {
    auto mode = tg::driver::capture_mode::relaxed;
    tg::emulator::driver_table().cuThreadExchangeStreamCaptureMode(&mode);
    auto back = mode;
    tg::emulator::driver_table().cuThreadExchangeStreamCaptureMode(&back);
    return mode;
  };
  static const auto note = [mode_now] { modes.push_back(mode_now()); };
  auto api = hand_written::gpu_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, jit_option* k, void** v) {
    note();
    return tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
  };
  auto mode = tg::driver::capture_mode::global;  // a driver that failed may have left this thread another
  tg::emulator::driver_table().cuThreadExchangeStreamCaptureMode(&mode);
  tg::device gpu(tg::runtime::machine{&api});
  unload(gpu, load_module(*gpu.context(), "saxpy", saxpy()));
  CHECK(modes == std::vector{tg::driver::capture_mode::relaxed});
  CHECK(mode_now() == tg::driver::capture_mode::global);
}

using namespace tg::runtime::detail;

TEST_CASE("the driver's build is read once") { CHECK(&driver_build() == &driver_build()); }

TEST_CASE("a target of 0 is the device's own") {
  require_options({}, 75, {});
  require_options({.target = 70}, 75, {});
  CHECK(error_of([] { require_options({.target = 80}, 75, {}); }).number == 550);
}

TEST_CASE("the last allowed characters are allowed") {
  require_text("k", ".version 7.0 // ~ \t\r\n", {});
  CHECK(error_of([] { require_text("k", "a\x7f", {}); }).number == 551);
}
