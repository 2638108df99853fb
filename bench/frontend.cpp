// C++ kernel -> PTX text: our recording, passes and printing beside NVRTC compiling the same kernel written in CUDA C++
// (bench/cuda/), whole files, of which those of sgemm and attention have other sizes of the kernel too. Median of many
// warm runs. Where NVRTC is missing, or the file, or a header that it wants, the other figure is 0. A second row for each
// kernel is what checking the recording costs (require_written.hpp), beside the whole way to PTX that it is a part of.
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <bench/report.hpp>
#include <registry/registry.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/recorder/require_written.hpp>

namespace {

template <class F> double median_us(int runs, F&& work) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + runs / 2, times.end());
  return times[static_cast<std::size_t>(runs / 2)];
}

// NVRTC through its five functions, opened by name.
class nvrtc {
 public:
  nvrtc() {
    for (const char* name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "/usr/local/cuda/lib64/libnvrtc.so"})
      if ((library_ = dlopen(name, RTLD_NOW))) break;
    if (!library_) return;
    find(create_, "nvrtcCreateProgram");
    find(compile_, "nvrtcCompileProgram");
    find(size_, "nvrtcGetPTXSize");
    find(text_, "nvrtcGetPTX");
    find(destroy_, "nvrtcDestroyProgram");
  }
  bool is_available() const { return library_ && create_ && compile_ && size_ && text_ && destroy_; }

  // Returns: whether it compiled.
  bool to_ptx(const std::string& source) const {
    void* program = nullptr;
    const char* const options[] = {"--gpu-architecture=compute_90", "--include-path=bench/cuda",
                                   "--include-path=/usr/local/cuda/include"};
    if (create_(&program, source.c_str(), "kernel.cu", 0, nullptr, nullptr) != 0) return false;
    const bool ok = compile_(program, static_cast<int>(std::size(options)), options) == 0;
    std::size_t bytes = 0;
    if (ok && size_(program, &bytes) == 0) {
      std::string text(bytes, '\0');
      text_(program, text.data());
    }
    destroy_(&program);
    return ok;
  }

 private:
  template <class F> void find(F& f, const char* name) { f = reinterpret_cast<F>(dlsym(library_, name)); }

  void* library_ = nullptr;
  int (*create_)(void**, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(void*, int, const char* const*) = nullptr;
  int (*size_)(void*, std::size_t*) = nullptr;
  int (*text_)(void*, char*) = nullptr;
  int (*destroy_)(void**) = nullptr;
};

std::string read(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

}  // namespace

int main() {
  const nvrtc other;
  if (!other.is_available()) std::puts("no NVRTC: its column is 0");
  bench::report report("frontend");
  const auto compare = [&](const auto& kernel) {
    const double ours = median_us(2001, [&] { tg::lower(kernel); });
    double theirs = 0;
    const std::string text = read("bench/cuda/" + std::string(kernel.name) + ".cu");
    if (!text.empty() && other.is_available() && other.to_ptx(text)) theirs = median_us(11, [&] { other.to_ptx(text); });
    report.add({std::string(kernel.name), ours, theirs, "NVRTC", "us"});
    const tg::ptx::module recorded = tg::trace(kernel).module;
    const double check = median_us(2001, [&] { tg::detail::require_written(recorded, recorded.functions[0]); });
    report.add({std::string(kernel.name) + ", its check", check, ours, "the front end", "us"});
  };
  namespace k = tg::kernels;
  compare(k::saxpy);
  compare(k::transpose_swizzled);
  compare(k::sum);
  compare(k::softmax);
  compare(k::blur_sobel<3, std::uint8_t>);
  compare(k::q4k_matvec);
  compare(k::attention<tg::bf16, 128, true>);
  compare(registry::sgemm_wide.kernel);
  compare(registry::attention_tiles_64.kernel);
  compare(registry::attention_tiles_128.kernel);
  return report.finish();
}
