// Short ways to run PTX on the emulator in tests.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tg/base/error.hpp>
#include <tg/emulator/run/run.hpp>

namespace runner {

using tg::emulator::counters;
using tg::emulator::launch_shape;
using tg::emulator::options;
using words = std::vector<std::uint64_t>;

inline std::string module_text(std::string_view body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n" + std::string(body);
}

/// `text` for another ISA version and target.
inline std::string retargeted(std::string text, std::string_view version, std::string_view target) {
  text.replace(text.find("9.0"), 3, version);
  text.replace(text.find("sm_90"), 5, target);
  return text;
}

/// A kernel `k` with pointer parameters p0 … p3, already read into %rd0 … %rd3, and registers of every class.
inline std::string kernel_text(std::string_view body, std::string_view before = "") {
  return module_text(std::string(before) +
                     "\n.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u64 p2, .param .u64 p3)\n{\n"
                     ".reg .pred %p<10>; .reg .b16 %h<20>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; "
                     ".reg .f64 %fd<20>;\n"
                     "ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1]; ld.param.u64 %rd2, [p2]; ld.param.u64 %rd3, "
                     "[p3];\n" +
                     std::string(body) + "\nret;\n}\n");
}

/// One device with up to four buffers as parameters.
class bench {
 public:
  explicit bench(const std::string& text) : program_(tg::emulator::program::load(text, memory_)) {}

  template <class T> std::uint64_t upload(const std::vector<T>& values) {
    const std::uint64_t at = memory_.allocate(values.size() * sizeof(T));
    std::memcpy(memory_.at(at, values.size() * sizeof(T)), values.data(), values.size() * sizeof(T));
    return at;
  }
  template <class T> std::vector<T> download(std::uint64_t at, std::size_t count) {
    std::vector<T> out(count);
    std::memcpy(out.data(), memory_.at(at, count * sizeof(T)), count * sizeof(T));
    return out;
  }

  void run(const launch_shape& shape, const words& params, const options& how = {}, counters* counted = nullptr) {
    words all = params;
    all.resize(16);
    tg::emulator::run(memory_, *program_, 0, shape, std::as_bytes(std::span(all)), how, counted);
  }

  tg::emulator::memory& memory() { return memory_; }
  const tg::emulator::program& program() const { return *program_; }

 private:
  tg::emulator::memory memory_{std::size_t{1} << 28};
  std::shared_ptr<const tg::emulator::program> program_;
};

/// Runs `body` once per row of `inputs`. Input k of the row is in %rd{10+k} and, cut down, in %r{10+k}, %h{10+k},
/// %f{10+k}, %fd{10+k}. The result is what the row's thread leaves in `result`: "%r20", "%rd20", "%h19", "%f19",
/// "%fd19" or "%p9".
inline words evaluate(const std::string& body, const std::vector<words>& inputs, const std::string& result) {
  const std::size_t arity = inputs.empty() ? 0 : inputs[0].size();
  std::string text = "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r0, %r1, %r2, %r0;\n"
                     "ld.u32 %r3, [%rd2]; setp.ge.u32 %p0, %r0, %r3; @%p0 bra end;\n"
                     "mul.wide.u32 %rd5, %r0, " +
                     std::to_string(8 * arity) + "; add.u64 %rd5, %rd5, %rd0;\n";
  for (std::size_t k = 0; k < arity; ++k) {
    const std::string n = std::to_string(10 + k);
    text += "ld.global.u64 %rd" + n + ", [%rd5+" + std::to_string(8 * k) + "]; cvt.u32.u64 %r" + n + ", %rd" + n +
            "; cvt.u16.u32 %h" + n + ", %r" + n + "; mov.b32 %f" + n + ", %r" + n + "; mov.b64 %fd" + n + ", %rd" + n + ";\n";
  }
  text += body + "\n";
  if (result.starts_with("%p")) text += "selp.u64 %rd30, 1, 0, " + result + ";\n";
  else if (result.starts_with("%rd") || result.starts_with("%fd")) text += "mov.b64 %rd30, " + result + ";\n";
  else if (result.starts_with("%h")) text += "cvt.u64.u16 %rd30, " + result + ";\n";
  else text += "mov.b32 %r30, " + result + "; cvt.u64.u32 %rd30, %r30;\n";
  text += "mul.wide.u32 %rd5, %r0, 8; add.u64 %rd5, %rd5, %rd1; st.global.u64 [%rd5], %rd30;\nend:\n";
  bench b(kernel_text(text));
  words flat;
  for (const words& row : inputs) flat.insert(flat.end(), row.begin(), row.end());
  flat.push_back(0);
  const std::uint64_t in = b.upload(flat), out = b.upload(words(inputs.size())), count = b.upload(words{inputs.size()});
  b.run({{static_cast<std::uint32_t>((inputs.size() + 127) / 128)}, {128}}, {in, out, count});
  return b.download<std::uint64_t>(out, inputs.size());
}

/// Every combination of `arity` of the values.
inline std::vector<words> combinations(const words& values, std::size_t arity) {
  std::vector<words> out{{}};
  for (std::size_t k = 0; k < arity; ++k) {
    std::vector<words> longer;
    for (const words& row : out)
      for (const std::uint64_t v : values) {
        longer.push_back(row);
        longer.back().push_back(v);
      }
    out = std::move(longer);
  }
  return out;
}

/// The message and number of the tg::error that `body` throws; empty when it throws none.
inline std::string failure(const std::function<void()>& body) {
  try {
    body();
  } catch (const tg::error& e) { return e.what(); }
  return "";
}

/// Runs a kernel of four buffers of `bytes` each and says how it failed.
inline std::string failure_of(const std::string& text, const launch_shape& shape, std::size_t bytes = 4096,
                              const options& how = {}) {
  return failure([&] {
    bench b(text);
    words params;
    for (int k = 0; k < 4; ++k) params.push_back(b.upload(std::vector<char>(bytes)));
    b.run(shape, params, how);
  });
}

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

inline std::uint64_t bits(float v) {
  std::uint32_t out;
  std::memcpy(&out, &v, 4);
  return out;
}
inline std::uint64_t bits(double v) {
  std::uint64_t out;
  std::memcpy(&out, &v, 8);
  return out;
}
inline float to_f32(std::uint64_t v) {
  const auto low = static_cast<std::uint32_t>(v);
  float out;
  std::memcpy(&out, &low, 4);
  return out;
}
inline double to_f64(std::uint64_t v) {
  double out;
  std::memcpy(&out, &v, 8);
  return out;
}

// The values where arithmetic goes wrong.
inline const words edges_16 = {0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x100, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
inline const words edges_32 = {0,          1,          2,          3,          31,         32,
                               33,         0x7fff,     0xffff,     0x10000,    0x7ffffffe, 0x7fffffff,
                               0x80000000, 0x80000001, 0xdeadbeef, 0xfffffffe, 0xffffffff};
inline const words edges_64 = {0,
                               1,
                               2,
                               63,
                               64,
                               65,
                               0x7fffffff,
                               0x80000000,
                               0xffffffff,
                               0x100000000,
                               0x7fffffffffffffff,
                               0x8000000000000000,
                               0x8000000000000001,
                               0x123456789abcdef0,
                               0xfffffffffffffffe,
                               0xffffffffffffffff};
inline const words edges_f32 = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb, 0x3eaaaaab, 0x00000001,
                                0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                0x7fc00000, 0x4b000001, 0xcb7fffff, 0x33800000, 0x3f7fffff};
inline const words edges_f64 = {0x0000000000000000, 0x8000000000000000, 0x3ff0000000000000, 0xbff0000000000000,
                                0x400921fb54442d18, 0x3fd5555555555555, 0x0000000000000001, 0x000fffffffffffff,
                                0x0010000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0xfff0000000000000,
                                0x7ff8000000000000, 0x4330000000000001, 0xc34fffffffffffff, 0x3ca0000000000000};

}  // namespace runner
