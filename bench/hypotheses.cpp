// Thirteen claims about the driver layer, each with its threshold and what this device says: survived or falsified.
// Kernels that do not exist yet have no figure. TG_DEVICE chooses the device: the first GPU, else the emulator.
#include <tg/emulator/driver_table/driver_table.hpp>

#include <bench/hypotheses/claims.hpp>
#include <bench/hypotheses/correctness.hpp>
#include <bench/hypotheses/cost.hpp>

int main() {
  using enum bench::better;
  tg::device gpu;
  bench::claims all(gpu.name());
  all.add({"H1", "shipped kernels that do not load", lower, 0, "", bench::failed_loads(gpu)});
  all.add({"H2", "bytes that differ after writing and reading back", lower, 0, "", bench::wrong_round_trips(gpu)});
  all.add({"H3", "bytes that differ after copies", lower, 0, "", bench::wrong_copies(gpu)});
  const auto alone = bench::time_launches(gpu, 201, 50);
  all.add({"H4", "a launch beyond the driver's own call", lower, 2, "us", alone.ours_us - alone.raw_us});
  all.add({"H5", "relative error of a matrix product in f32", lower, 1e-3, "", bench::gemm_error(gpu)});
  all.add({"H6", "relative error of attention", lower, 1e-2, "", {}});
  all.add({"H7", "relative error of a Q4_K product", lower, 1e-4, "", {}});
  tg::pool pool(gpu);
  all.add({"H8", "driver allocations for 100 operations with a pool", lower, 10, "",
           bench::allocations_of_100(gpu, [&](unsigned n) { return pool.allocate<float>(n); })});
  all.add({"H8", "driver allocations for the same without", higher, 100, "",
           bench::allocations_of_100(gpu, [&](unsigned n) { return gpu.allocate<float>(n); })});
  all.add({"H9", "ends of memory that were no error or broke the device", lower, 0, "", bench::bad_ends_of_memory(gpu)});
  all.add(
      {"H10",
       gpu.is_emulated() ? "speedup of independent blocks, the emulator's cores over one" : "speedup of independent streams",
       higher, 1.5, "", bench::independent_speedup(gpu)});
  const auto many = bench::time_launches(gpu, 100, 100);
  all.add({"H11", "10,000 launches over raw calls of the same table", lower, 1.05, "", many.ours_us / many.raw_us});
  all.add({"H12", "reserved over peak live bytes, at most 1000 alive", lower, 1.1, "",
           bench::reserved_over_live(gpu, [](std::size_t count, std::size_t) { return count > 1000; })});
  all.add({"H12", "the same, always 1 GiB alive", lower, 1.1, "",
           bench::reserved_over_live(gpu, [](std::size_t, std::size_t bytes) { return bytes > (std::size_t{1} << 30); })});
  all.add({"H13", "wrong results of 4 threads that launch 1000 times each", lower, 0, "",
           bench::wrong_after_threads(gpu, 4, 1000)});
  return all.finish();
}
