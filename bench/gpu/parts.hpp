// The parts of bench/gpu.cpp, each in a file of its own: they are compiled side by side.
#pragma once

#include <cstdio>
#include <exception>
#include <functional>
#include <string>

#include <bench/gpu/work.hpp>
#include <bench/report.hpp>

namespace bench {

struct gpu_run {
  tg::device& gpu;
  const twins& by_nvcc;
  limits most;
  bench::report& report;
  bool is_rehearsal = false;

  /// An extent, or a small one where the work is only rehearsed.
  unsigned extent(unsigned own, unsigned small) const { return is_rehearsal ? small : own; }

  /// A kernel that moves so many bytes, beside a copy of as many.
  void add_moving(const std::string& name, double bytes, const std::function<void()>& work) {
    add(name, work, bytes / most.bytes_per_ms, "copy of the same bytes");
  }
  /// A product of 16-bit numbers, beside the peak of the tensor cores.
  void add_half_product(const std::string& name, double flops, const std::function<void()>& work) {
    add(name, work, flops / most.half_flops_per_ms, "peak of 16-bit products");
  }
  void add_float_product(const std::string& name, double flops, const std::function<void()>& work) {
    add(name, work, flops / most.float_flops_per_ms, "peak of floats");
  }
  /// The same work by both, in turns.
  void add_twin(const std::string& name, const std::function<void()>& ours, const std::function<void()>& other) {
    add(name, ours, milliseconds_of(gpu, other), "nvcc");
  }

 private:
  /// A row; one that fails is left out, with a line.
  void add(const std::string& name, const std::function<void()>& ours, double other, const char* named) {
    try {
      const double ms = is_rehearsal ? (ours(), gpu.synchronize(), 1) : milliseconds_of(gpu, ours);
      std::printf("%-40s %9.4g ms, %9.4g: %s\n", name.c_str(), ms, other, named);
      std::fflush(stdout);
      report.add({name, ms, other, named, "ms"});
    } catch (const std::exception& e) { std::printf("%s: %s\n", name.c_str(), e.what()); }
  }
};

void time_moves(gpu_run&);
void time_products(gpu_run&);
void time_attention(gpu_run&);
void time_quantised(gpu_run&);
void time_arrays(gpu_run&);
void time_launches(gpu_run&);

}  // namespace bench
