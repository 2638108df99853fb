// Many processes with one disk cache, some of which are killed.
#include <tg/runtime/device.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <random>
#include <thread>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

extern char** environ;

namespace {

constexpr unsigned kernels = 12;
constexpr int threads = 4;

/// Writes `value` into the first element; each value is a PTX text of its own.
struct numbered {
  static constexpr std::string_view name = "numbered";
  static constexpr tg::block_t<32> block{};
  using parameters = tg::parameter_list<tg::out<unsigned>>;
  unsigned value;
};

tg::runtime::kernel_source source_of(const numbered& k) {
  return {".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry numbered(.param .u64 y)\n{\n  .reg .b32 %r<2>;\n"
          "  .reg .b64 %rd<2>;\n  ld.param.u64 %rd1, [y];\n  mov.u32 %r1, " +
              std::to_string(k.value) + ";\n  st.global.u32 [%rd1], %r1;\n  ret;\n}\n",
          {7, 0},
          70};
}

/// What the process compiled: how often each text.
std::mutex compiled_mutex;
std::map<std::string, int> compiled;

tg::driver::table counted() {
  auto api = hand_written::gpu_table();
  api.cuLinkAddData = [](tg::driver::link_handle link, tg::driver::jit_input type, void* data, std::size_t bytes,
                         const char* name, unsigned n, tg::driver::jit_option* k, void** v) {
    {
      const std::lock_guard lock(compiled_mutex);
      ++compiled[static_cast<const char*>(data)];
    }
    return tg::emulator::driver_table().cuLinkAddData(link, type, data, bytes, name, n, k, v);
  };
  return api;
}

/// Compiles and runs every kernel on some threads. Returns: how many things went wrong.
int use_all_kernels(tg::device& gpu, unsigned start) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> users;
  for (unsigned t = 0; t < threads; ++t)
    users.emplace_back([&, t] {
      auto y = gpu.zeros<unsigned>(32);
      for (unsigned i = 0; i < kernels; ++i) {
        const unsigned value = (start + t + i) % kernels;
        gpu.launch(numbered{value}, tg::grid(1), y);
        if (y.to_host()[0] != value) ++wrong;
      }
    });
  for (auto& user : users) user.join();
  return wrong;
}

/// Writes and reads code that is large enough to be met half written. Returns: whether all that was found was whole.
bool store_and_find(const std::string& folder, unsigned start) {
  tg::disk_cache cache(folder + "/large");
  for (unsigned i = 0; i < 20; ++i) {
    const std::string name(32, static_cast<char>('a' + (start + i) % 3));
    cache.store(name, std::string(1 << 20, name[0]));
    cache.find(name);
  }
  return cache.counts().rejected == 0;
}

/// Runs this program's test case `child_case` with a variable that says what to do.
pid_t spawn_child(const char* child_case, const std::string& task) {
  std::string filter = std::string("--test-case=") + child_case, program = "/proc/self/exe", variable = "TG_TEST_CHILD=" + task;
  char* arguments[] = {program.data(), filter.data(), nullptr};
  std::vector<char*> environment;
  for (char** e = environ; *e; ++e) environment.push_back(*e);
  environment.push_back(variable.data());
  environment.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  if (::posix_spawn(&child, program.c_str(), &actions, nullptr, arguments, environment.data()) != 0) child = 0;
  posix_spawn_file_actions_destroy(&actions);
  return child;
}

constexpr const char* child_case = "child of the tests of many processes";

}  // namespace

TEST_CASE("child of the tests of many processes") {
  const char* task = std::getenv("TG_TEST_CHILD");
  if (task == nullptr) return;  // only in a child
  const std::string folder = task + 2;
  auto api = counted();
  if (*task == 'o') {  // once
    const auto cache = std::make_shared<tg::disk_cache>(folder);
    tg::device gpu(tg::runtime::machine{&api});
    gpu.set_disk_cache(cache);
    CHECK(use_all_kernels(gpu, static_cast<unsigned>(::getpid())) == 0);
    for (const auto& [text, times] : compiled) CHECK(times == 1);
    CHECK(cache->counts().rejected == 0);
    CHECK(cache->counts().failures == 0);
    CHECK(cache->counts().hits + compiled.size() == kernels);
  } else {  // until killed
    const auto cache = std::make_shared<tg::disk_cache>(folder, 6000);
    for (unsigned round = 0;; ++round) {
      if (!store_and_find(folder, round)) std::_Exit(3);
      tg::device gpu(tg::runtime::machine{&api});
      gpu.set_disk_cache(cache);
      if (use_all_kernels(gpu, round) != 0 || cache->counts().rejected != 0) std::_Exit(3);
    }
  }
}

TEST_CASE("eight processes with four threads each share a cold cache") {
  const temporary_folder folder;
  for (const int round : {0, 1}) {
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) children.push_back(spawn_child(child_case, "o " + folder.path()));
    for (const pid_t child : children) {
      REQUIRE(child > 0);
      int status = -1;
      REQUIRE(::waitpid(child, &status, 0) == child);
      CHECK(status == 0);
    }
    CAPTURE(round);
    CHECK(folder.files().size() == kernels);
  }
  tg::disk_cache cache(folder.path());
  for (const auto& file : folder.files()) CHECK(cache.find(std::filesystem::path(file).stem().string()));
}

TEST_CASE("processes that are killed at any moment leave a cache that works") {
  const temporary_folder folder;
  std::mt19937 random(7);
  for (int round = 0; round < 4; ++round) {
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) children.push_back(spawn_child(child_case, "k " + folder.path()));
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    for (const pid_t child : children) {
      REQUIRE(child > 0);
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 30000));
      ::kill(child, SIGKILL);
      int status = 0;
      REQUIRE(::waitpid(child, &status, 0) == child);
      CHECK(WIFSIGNALED(status));  // it found nothing wrong before
    }
    for (const std::string& path : {folder.path(), folder / "large"}) {
      tg::disk_cache cache(path);
      if (!std::filesystem::exists(path)) continue;
      for (const auto& entry : std::filesystem::directory_iterator(path))
        if (entry.path().extension() == ".tgcode") CHECK(cache.find(entry.path().stem().string()));
      CHECK(cache.counts().rejected == 0);
    }
  }
  const pid_t after = spawn_child(child_case, "o " + folder.path());
  int status = -1;
  REQUIRE(::waitpid(after, &status, 0) == after);
  CHECK(status == 0);
}
