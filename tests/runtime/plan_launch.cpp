#include <tg/runtime/launch.hpp>

#include <map>
#include <vector>

#include <tg/runtime/capture.hpp>
#include <tg/runtime/graph.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using tg::driver::device_attribute;
using tg::driver::function_attribute;
using tg::driver::launch_attribute_id;
using tg::driver::result;

namespace {

/// Writes the rank of each block in its cluster and a word that went through dynamic shared memory.
struct ranks {
  static constexpr std::string_view name = "ranks";
  static constexpr tg::block_t<32> block{};
  using parameters = tg::parameter_list<tg::out<unsigned>>;
};

tg::runtime::kernel_source source_of(const ranks&) {
  return {R"(
.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 room[];
.shared .align 4 .b8 own[1000];
.visible .entry ranks(.param .u64 out)
{
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  griddepcontrol.wait;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %cluster_ctarank;
  mov.u32 %r2, %dynamic_smem_size;
  st.shared.u32 [own], %r1;
  setp.lt.u32 %p1, %r2, 4;
  @%p1 bra write;
  mov.u32 %r3, room;
  add.u32 %r3, %r3, %r2;
  st.shared.u32 [%r3+-4], %r1;
  bar.warp.sync 0xffffffff;
  ld.shared.u32 %r1, [%r3+-4];
write:
  mov.u32 %r4, %ctaid.x;
  mul.wide.u32 %rd2, %r4, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r1;
  ret;
}
)",
          {8, 0},
          90};
}

/// Every block waits until all have come; then each writes how many came.
struct meet {
  static constexpr std::string_view name = "meet";
  static constexpr tg::block_t<32> block{};
  using parameters = tg::parameter_list<tg::inout<unsigned>, tg::out<unsigned>>;
};

tg::runtime::kernel_source source_of(const meet&) {
  return {R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry meet(.param .u64 count, .param .u64 out)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [count];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %nctaid.x;
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra done;
  atom.global.add.u32 %r3, [%rd1], 1;
wait:
  atom.global.add.u32 %r4, [%rd1], 0;
  setp.lt.u32 %p2, %r4, %r2;
  @%p2 bra wait;
  mov.u32 %r5, %ctaid.x;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r4;
done:
  ret;
}
)",
          {7, 0},
          70};
}

struct heard {
  std::vector<tg::driver::launch_attribute> attributes;
  std::map<function_attribute, int> set;
  int plain_launches = 0;
  std::map<device_attribute, int> device;  // what the device says instead of the truth
  int clusters = -1;
};

heard told;

tg::driver::table listening_table() {
  told = {};
  auto api = hand_written::gpu_table();
  api.cuDeviceGetAttribute = [](int* value, device_attribute a, tg::driver::device_id device) {
    const auto found = told.device.find(a);
    if (found == told.device.end()) return tg::emulator::driver_table().cuDeviceGetAttribute(value, a, device);
    *value = found->second;
    return result::success;
  };
  api.cuFuncSetAttribute = [](tg::driver::function_handle f, function_attribute a, int value) {
    told.set[a] = value;
    return tg::emulator::driver_table().cuFuncSetAttribute(f, a, value);
  };
  api.cuLaunchKernelEx = [](const tg::driver::launch_config* c, tg::driver::function_handle f, void** p, void** extra) {
    told.attributes.assign(c->attributes, c->attributes + c->attribute_count);
    return tg::emulator::driver_table().cuLaunchKernelEx(c, f, p, extra);
  };
  api.cuOccupancyMaxActiveClusters = [](int* clusters, tg::driver::function_handle f, const tg::driver::launch_config* c) {
    if (told.clusters < 0) return tg::emulator::driver_table().cuOccupancyMaxActiveClusters(clusters, f, c);
    *clusters = told.clusters;
    return result::success;
  };
  return api;
}

const tg::driver::launch_attribute* find(launch_attribute_id id) {
  for (const auto& a : told.attributes)
    if (a.id == id) return &a;
  return nullptr;
}

/// A device and what a launch of `ranks` on it throws.
struct bench {
  tg::driver::table api = listening_table();
  tg::device gpu{tg::runtime::machine{&api}};
  tg::buffer<unsigned> out = gpu.zeros<unsigned>(64);

  void launch(const tg::placement& where) { gpu.launch(ranks{}, where, out); }
  hand_written::thrown refused(const tg::placement& where) {
    return error_of([&] { launch(where); });
  }
};

}  // namespace

TEST_CASE("blocks in clusters get their ranks") {
  bench b;
  b.launch(tg::grid(8).cluster(4));
  const auto out = b.out.to_host();
  for (unsigned i = 0; i < 8; ++i) CHECK(out[i] == i % 4);
  REQUIRE(find(launch_attribute_id::cluster_dimension));
  CHECK(find(launch_attribute_id::cluster_dimension)->value.extent.x == 4);
  CHECK(find(launch_attribute_id::cluster_dimension)->value.extent.z == 1);
  CHECK(told.attributes.size() == 1);
}

TEST_CASE("clusters that do not fit are refused") {
  bench b;
  const auto ragged = b.refused(tg::grid(6).cluster(4));
  CHECK(ragged.number == 569);  // TG569
  CHECK(ragged.says("launch of 'ranks': clusters of 4 x 1 x 1 blocks do not fill 6 blocks along x"));
  CHECK(ragged.says("(plan_launch.cpp:"));
  CHECK(b.refused(tg::grid(8).cluster(2, 0, 1)).says("use 1 along an axis without clusters"));
  CHECK(b.refused(tg::grid(64).cluster(32)).says("clusters of 32 blocks; a cluster has at most 16"));
  CHECK(b.refused(tg::grid(0x40000000).cluster(0x40000000, 1, 1)).says("at most 16"));
  CHECK(b.refused(tg::grid(16).cluster(16)).number == 0);
  CHECK(told.set[function_attribute::non_portable_cluster_size_allowed] == 1);
  told.clusters = 0;
  CHECK(b.refused(tg::grid(8).cluster(8)).says("no cluster of 8 blocks fits on 'tg emulator': "));
}

TEST_CASE("a kernel compiled for one cluster is not launched with another") {
  const hand_written::any k{".visible .entry any() .reqnctapercluster 2, 1, 1 { ret; }\n", {8, 0}, 90};
  tg::device gpu("emulator");
  auto source = source_of(k);
  source.ptx.replace(source.ptx.find("7.0"), 3, "8.0").replace(source.ptx.find("sm_70"), 5, "sm_90");
  const auto made = tg::runtime::load(*gpu.context(), "any", source, {});
  const auto plan = [&](const tg::placement& p) {
    return error_of([&] { tg::runtime::plan_launch(*gpu.context(), made, p, {32, 1, 1}); });
  };
  CHECK(plan(tg::grid(8).cluster(2)).number == 0);
  CHECK(plan(tg::grid(8).cluster(4)).says("the kernel was compiled for 2 along x"));
}

TEST_CASE("clusters, waiting blocks and overlap need a device that has them") {
  auto api = listening_table();
  told.device = {{device_attribute::cluster_launch, 0},
                 {device_attribute::cooperative_launch, 0},
                 {device_attribute::compute_capability_major, 8}};
  tg::device gpu(tg::runtime::machine{&api});
  auto count = gpu.zeros<unsigned>(1), out = gpu.zeros<unsigned>(4);
  const auto refused = [&](const tg::placement& p) { return error_of([&] { gpu.launch(meet{}, p, count, out); }); };
  const auto clusters = refused(tg::grid(2).cluster(2));
  CHECK(clusters.number == 570);  // TG570
  CHECK(clusters.says("launch of 'meet': blocks form clusters from sm_90 on; 'tg emulator' is sm_80"));
  CHECK(refused(tg::grid(2).cooperative()).says("blocks wait for each other"));
  CHECK(refused(tg::grid(2).overlapping()).says("a launch overlaps the one before it from sm_90 on"));
  CHECK(refused(tg::grid(1)).number == 0);
}

TEST_CASE("cooperative blocks all run at once, and no more than do") {
  bench b;
  const int multiprocessors = b.gpu.limits().multiprocessors;
  const int most = 32 * multiprocessors;
  auto count = b.gpu.zeros<unsigned>(1);
  auto out = b.gpu.zeros<unsigned>(static_cast<std::size_t>(most));
  b.gpu.launch(meet{}, tg::grid(most).cooperative(), count, out);
  for (const unsigned n : out.to_host()) REQUIRE(n == static_cast<unsigned>(most));
  REQUIRE(find(launch_attribute_id::cooperative));
  CHECK(find(launch_attribute_id::cooperative)->value.number == 1);

  const auto refused = error_of([&] { b.gpu.launch(meet{}, tg::grid(most + 1).cooperative(), count, out); });
  CHECK(refused.number == 568);  // TG568
  CHECK(refused.says(std::to_string(most + 1) + " blocks wait for each other; at most " + std::to_string(most) +
                     " run at once: " + std::to_string(multiprocessors) +
                     " multiprocessors take 32 each, by the number of blocks"));
  CHECK(b.refused(tg::grid(4 * multiprocessors).shared(100 << 10).cooperative()).says("103400 bytes of shared memory"));
  CHECK(b.refused(tg::grid(0x7fffffff, 65535, 65535).cooperative()).number == 568);
}

TEST_CASE("shared memory beyond 48 KB is asked for, beyond the device's refused") {
  bench b;
  const std::size_t most = b.gpu.limits().shared_bytes_opt_in;
  CHECK(b.refused(tg::grid(4).shared(16 << 10)).number == 0);
  CHECK(told.set.empty());
  CHECK(b.refused(tg::grid(4).shared(100 << 10)).number == 0);
  CHECK(told.set[function_attribute::max_dynamic_shared_size_bytes] == static_cast<int>(most - 1000));
  CHECK(b.refused(tg::grid(4).shared(most - 1000)).number == 0);
  const auto refused = b.refused(tg::grid(4).shared(most));
  CHECK(refused.number == 567);  // TG567
  CHECK(refused.says("the kernel has 1000 bytes of shared memory of its own and is to get " + std::to_string(most) +
                     " more; a block has at most " + std::to_string(most)));
  CHECK(b.refused(tg::grid(4).shared(~std::size_t{0})).number == 567);
  CHECK(b.refused(tg::grid(4).shared((std::size_t{1} << 32) + 64)).number == 567);
}

TEST_CASE("priority, overlap and carve-out reach the driver, within their ranges") {
  bench b;
  int least = 0, greatest = 0;
  b.gpu.context()->call(b.api.cuCtxGetStreamPriorityRange, &least, &greatest);
  CHECK(b.refused(tg::grid(1).priority(greatest).overlapping().carve_out(50)).number == 0);
  REQUIRE(find(launch_attribute_id::priority));
  CHECK(find(launch_attribute_id::priority)->value.number == greatest);
  CHECK(find(launch_attribute_id::programmatic_stream_serialization)->value.number == 1);
  CHECK(find(launch_attribute_id::preferred_shared_memory_carveout)->value.number == 50);
  CHECK(told.set.empty());  // the next launch of the function is as the driver likes
  const auto refused = b.refused(tg::grid(1).priority(least + 1));
  CHECK(refused.number == 571);  // TG571
  CHECK(refused.says("a priority of " + std::to_string(least + 1)));
  CHECK(b.refused(tg::grid(1).priority(greatest - 1)).number == 571);
  CHECK(b.refused(tg::grid(1).carve_out(101)).says("a carve-out of 101 percent"));
  CHECK(b.refused(tg::grid(1).carve_out(-2)).number == 571);
}

TEST_CASE("a plan without options is a plain launch") {
  tg::device gpu("emulator");
  const auto& k = gpu.compile(meet{});
  const auto plan = tg::runtime::plan_launch(*gpu.context(), k, tg::cover(100), {32, 1, 1});
  CHECK(plan.attribute_count == 0);
  CHECK(plan.grid == tg::runtime::block_counts{4, 1, 1});
  CHECK(error_of([&] { tg::runtime::plan_launch(*gpu.context(), k, tg::cover(0), {32, 1, 1}); }).number == 521);
}

TEST_CASE("a launch with options asks the driver once") {
  bench b;
  static int calls;
  b.api.cuFuncGetAttribute = [](int* v, function_attribute a, tg::driver::function_handle f) {
    return ++calls, tg::emulator::driver_table().cuFuncGetAttribute(v, a, f);
  };
  b.api.cuFuncSetAttribute = [](tg::driver::function_handle f, function_attribute a, int v) {
    return ++calls, tg::emulator::driver_table().cuFuncSetAttribute(f, a, v);
  };
  b.api.cuOccupancyMaxActiveClusters = [](int* n, tg::driver::function_handle f, const tg::driver::launch_config* c) {
    return ++calls, tg::emulator::driver_table().cuOccupancyMaxActiveClusters(n, f, c);
  };
  b.api.cuOccupancyMaxActiveBlocksPerMultiprocessor = [](int* n, tg::driver::function_handle f, int t, std::size_t s) {
    return ++calls, tg::emulator::driver_table().cuOccupancyMaxActiveBlocksPerMultiprocessor(n, f, t, s);
  };
  b.api.cuCtxGetStreamPriorityRange = [](int* l, int* g) {
    return ++calls, tg::emulator::driver_table().cuCtxGetStreamPriorityRange(l, g);
  };
  const std::vector<tg::placement> placements{tg::grid(16).cluster(16), tg::grid(4).cooperative(), tg::grid(2).priority(0),
                                              tg::grid(2).shared(100 << 10), tg::grid(2).carve_out(30)};
  for (const auto& p : placements) b.launch(p);
  calls = 0;
  for (int k = 0; k < 3; ++k)
    for (const auto& p : placements) b.launch(p);
  CHECK(calls == 0);
  b.launch(tg::grid(8).cluster(8));  // another shape is another question
  CHECK(calls == 1);
}

TEST_CASE("a carve-out leaves no trace on the function, on a driver that has no attribute for it either") {
  static int seen;
  auto api = listening_table();
  api.cuLaunchKernel = [](tg::driver::function_handle f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                          unsigned bz, unsigned s, tg::driver::stream_handle st, void** p, void** e) {
    tg::emulator::driver_table().cuFuncGetAttribute(&seen, function_attribute::preferred_shared_memory_carveout, f);
    return tg::emulator::driver_table().cuLaunchKernel(f, gx, gy, gz, bx, by, bz, s, st, p, e);
  };
  api.cuDriverGetVersion = [](int* v) { return *v = 12000, result::success; };
  tg::device old(tg::runtime::machine{&api});
  auto out = old.zeros<unsigned>(64);
  old.launch(ranks{}, tg::grid(2).carve_out(40), out);
  CHECK(seen == 40);
  old.launch(ranks{}, tg::grid(2), out);
  CHECK(seen == -1);
}

TEST_CASE("a launch overlaps only where its kernel waits, and never in a graph: TG578") {
  tg::device gpu("emulator");
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8);
  const auto wrong = error_of([&] { gpu.launch(hand_written::saxpy{}, tg::cover(8).overlapping(), x, y, 1.0f, 8); });
  CHECK(wrong.number == 578);
  CHECK(wrong.says("launch of 'saxpy': the kernel never waits"));
  auto out = gpu.zeros<unsigned>(64);
  gpu.launch(ranks{}, tg::grid(2).overlapping(), out);
  tg::graph g(gpu);
  CHECK(error_of([&] { g.after().launch(ranks{}, tg::grid(2).overlapping(), out); }).number == 578);
  auto capturing = tg::stream(gpu).capture();
  CHECK(error_of([&] {
          capturing.launch(ranks{}, tg::grid(2).overlapping(), out);
        }).says("a node of a graph overlaps no launch"));
  CHECK(std::move(capturing).end().graph.size() == 0);
}
