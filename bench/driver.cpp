// What tg adds to the driver's own time: launches, allocations from a pool and hits of the disk cache against limits,
// over a table whose functions return at once. Medians of short interleaved batches, so that other work on the machine
// falls between them. Launches are compared with raw calls of the same table that are made with the same packed buffer;
// the difference is the row that has a limit.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <bench/report.hpp>
#include <kernels/saxpy.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/content_hash.hpp>
#include <tg/runtime/load_module.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/prepared.hpp>

namespace {

using tg::driver::function_attribute;
using tg::driver::result;

std::string cubin(256 << 10, 'c');

/// The emulator's table, of which the functions on the paths that are measured do nothing.
tg::driver::table null_table() {
  tg::driver::table api = tg::emulator::driver_table();
  api.take_report = nullptr;
  api.cuLaunchKernel = [](tg::driver::function_handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                          tg::driver::stream_handle, void**, void**) { return result::success; };
  api.cuLaunchKernelEx = [](const tg::driver::launch_config*, tg::driver::function_handle, void**, void**) {
    return result::success;
  };
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* out, const void*, unsigned, tg::driver::jit_option*, void**) {
    *out = reinterpret_cast<tg::driver::module_handle>(1);
    return result::success;
  };
  api.cuModuleUnload = [](tg::driver::module_handle) { return result::success; };
  api.cuModuleGetFunction = [](tg::driver::function_handle* out, tg::driver::module_handle, const char*) {
    *out = reinterpret_cast<tg::driver::function_handle>(2);
    return result::success;
  };
  api.cuFuncGetAttribute = [](int* value, function_attribute a, tg::driver::function_handle) {
    *value = a == function_attribute::max_threads_per_block ? 1024 : 0;
    return result::success;
  };
  api.cuLinkCreate = [](unsigned, tg::driver::jit_option*, void**, tg::driver::link_handle*) { return result::success; };
  api.cuLinkAddData = [](tg::driver::link_handle, tg::driver::jit_input, void*, std::size_t, const char*, unsigned,
                         tg::driver::jit_option*, void**) { return result::success; };
  api.cuLinkComplete = [](tg::driver::link_handle, void** image, std::size_t* bytes) {
    *image = cubin.data();
    *bytes = cubin.size();
    return result::success;
  };
  api.cuLinkDestroy = [](tg::driver::link_handle) { return result::success; };
  return api;
}

/// Nanoseconds for each of `count` calls.
double time_ns(int count, const std::function<void(int)>& batch) {
  const auto start = std::chrono::steady_clock::now();
  batch(count);
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / count;
}

struct contender {
  std::function<void(int)> batch;
  std::vector<double> times;
  double median() {
    std::nth_element(times.begin(), times.begin() + static_cast<long>(times.size() / 2), times.end());
    return times[times.size() / 2];
  }
};

void race(std::vector<contender*> all, int rounds, int count) {
  for (contender* c : all) c->batch(count);
  for (int i = 0; i < rounds; ++i)
    for (contender* c : all) c->times.push_back(time_ns(count, c->batch));
}

/// saxpy whose factor is known when it is recorded.
auto saxpy_by(float a) {
  return tg::kernel<"saxpy_by">(
      tg::block<256>, [a](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> b, tg::scalar<unsigned> n) {
        auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] { y(i) = a * b * x(i) + y(i); });
      });
}

void launches(bench::report& report, tg::device& gpu, const tg::driver::table& api) {
  constexpr unsigned n = 1 << 16;
  const auto& kernel = tg::kernels::saxpy;
  auto x = gpu.zeros<float>(n), y = gpu.zeros<float>(n);
  const auto& made = gpu.compile(kernel);
  const tg::prepared step(gpu, kernel, tg::cover(n));
  const auto current = gpu.native();
  struct {
    tg::driver::device_address x, y;
    float a;
    unsigned n;
  } packed{x.native(), y.native(), 2.0f, n};
  std::size_t bytes = 24;
  const auto key = [](tg::driver::launch_extra e) { return reinterpret_cast<void*>(e); };
  void* extra[] = {key(tg::driver::launch_extra::buffer_pointer), &packed, key(tg::driver::launch_extra::buffer_size), &bytes,
                   nullptr};
  volatile unsigned seen = 0;
  contender raw{[&](int count) {
                  for (int i = 0; i < count; ++i) {
                    packed.n = static_cast<unsigned>(i);
                    api.cuCtxSetCurrent(current);
                    seen = seen + static_cast<unsigned>(
                                      api.cuLaunchKernel(made.function, n / 256, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
                  }
                },
                {}};
  contender plain{[&](int count) {
                    for (int i = 0; i < count; ++i) gpu.launch(kernel, tg::cover(n), x, y, 2.0f, i);
                  },
                  {}};
  contender capturing{[&](int count) {
                        for (int i = 0; i < count; ++i) gpu.launch(saxpy_by(2.5f), tg::cover(n), x, y, 2.0f, i);
                      },
                      {}};
  contender ready{[&](int count) {
                    for (int i = 0; i < count; ++i) step(x, y, 2.0f, i);
                  },
                  {}};
  race({&raw, &plain, &capturing, &ready}, 501, 2000);
  report.add({"launch", plain.median(), raw.median(), "raw call", "ns"});
  report.add({"launch of a kernel that captures", capturing.median(), plain.median(), "one that captures nothing", "ns"});
  report.add({"prepared launch", ready.median(), raw.median(), "raw call", "ns"});
  report.add({"launch beyond the raw call", plain.median() - raw.median(), 100, "limit", "ns"});
  report.add({"prepared launch beyond the raw call", ready.median() - raw.median(), 100, "limit", "ns"});
}

void pools(bench::report& report, tg::device& gpu) {
  tg::pool pool(gpu);
  std::vector<tg::pooled<char>> others;
  std::mt19937 random(1);
  for (int i = 0; i < 1000; ++i) others.push_back(pool.allocate<char>(256 + random() % 100000));
  for (std::size_t i = 0; i < others.size(); i += 2) others[i] = {};
  contender hit{[&](int count) {
                  for (int i = 0; i < count; ++i) pool.allocate<char>(4096);
                },
                {}};
  std::vector<tg::pooled<char>> held(256);
  contender mixed{[&](int count) {
                    for (int i = 0; i < count; ++i) {
                      auto& one = held[random() % held.size()];
                      one = {};
                      one = pool.allocate<char>(256 + random() % 60000);
                    }
                  },
                  {}};
  const auto& api = gpu.context()->api();
  contender driver{[&](int count) {
                     for (int i = 0; i < count; ++i) {
                       tg::driver::device_address a = 0;
                       api.cuMemAllocAsync(&a, 4096, nullptr);
                       api.cuMemFreeAsync(a, nullptr);
                     }
                   },
                   {}};
  race({&hit, &mixed, &driver}, 501, 1000);
  report.add({"pool: allocate and free a warm size", hit.median(), 100, "limit", "ns"});
  report.add({"pool: allocate and free random sizes", mixed.median(), 100, "limit", "ns"});
  report.add(
      {"pool: allocate and free", hit.median(), driver.median(), "cuMemAllocAsync and cuMemFreeAsync of the emulator", "ns"});
}

void disk_cache(bench::report& report, tg::device& gpu) {
  const auto folder = std::filesystem::temp_directory_path() / ("tg-bench-" + std::to_string(::getpid()));
  gpu.set_disk_cache(std::make_shared<tg::disk_cache>(folder.string()));
  tg::runtime::kernel_source source = source_of(tg::kernels::saxpy);
  while (source.ptx.size() < (64u << 10)) source.ptx += "// " + std::string(96, '-') + "\n";
  std::mt19937 random(1);
  for (char& c : cubin) c = static_cast<char>(random());
  const auto load = [&] { return tg::runtime::load_module(*gpu.context(), "saxpy", source); };
  if (load().origin != tg::runtime::code_origin::compiler || load().origin != tg::runtime::code_origin::disk_cache) {
    std::puts("the disk cache cannot be written: its row is left out");
    return;
  }
  contender hit{[&](int count) {
                  for (int i = 0; i < count; ++i) load();
                },
                {}};
  race({&hit}, 201, 1);
  report.add({"disk cache: hit of 256 KiB for 64 KiB of PTX", hit.median() / 1000, 1000, "limit", "us"});
  std::filesystem::remove_all(folder);
}

}  // namespace

int main() {
  tg::driver::table api = null_table();
  tg::device gpu(tg::runtime::machine{&api});
  gpu.synchronize();  // the context is current from here on, so that making it current may do nothing
  api.cuCtxSetCurrent = [](tg::driver::context_handle) { return result::success; };
  bench::report report("driver");
  launches(report, gpu, api);
  pools(report, gpu);
  disk_cache(report, gpu);
  return report.finish();
}
