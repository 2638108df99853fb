// Random kernels that access shared, global and local memory: evenly spaced and scattered, of all widths, by whole
// blocks and by parts, between barriers, fences, atomics and asynchronous copies.
#pragma once

#include <algorithm>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/emulator/run/run.hpp>

namespace random_accesses {

using tg::emulator::launch_shape;

struct kernel {
  std::string ptx;
  launch_shape shape;
  std::size_t written_bytes = 0;  // of the second buffer
  bool is_strict = false;
  std::uint64_t order = 0;  // the seed of the launch
};

/// Bytes of each of the two buffers, and of the shared array.
inline constexpr std::size_t buffer_bytes = 1 << 15, shared_bytes = 1 << 13;

class maker {
 public:
  explicit maker(std::uint64_t seed) : bits_(seed) {}

  /// `with_barriers`: false leaves them out.
  kernel operator()(bool with_barriers = true) {
    with_barriers_ = with_barriers;
    kernel out;
    const tg::dynamic_array<launch_shape::extent> blocks{{256}, {16, 16}, {64}, {40}, {24, 5}, {4, 4, 8}, {32}, {1, 64}, {128}};
    block_ = blocks[below(static_cast<int>(blocks.size()))];
    out.shape = {{static_cast<std::uint32_t>(1 + below(4))}, block_};
    out.written_bytes = below(3) == 0 ? static_cast<std::size_t>(below(buffer_bytes)) : buffer_bytes;
    out.is_strict = below(4) == 0;
    out.order = below(4) == 0 ? static_cast<std::uint64_t>(1 + below(5)) : 0;
    copies_ = below(6) == 0;
    orders_ = below(3) == 0;
    std::string body;
    for (int left = 3 + below(9); left > 0; --left) body += statement(0);
    out.ptx = ".version 9.0\n.target sm_90\n.address_size 64\n"
              ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
              ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<40>; .reg .b64 %rd<20>;\n"
              ".shared .align 16 .b8 s[8192]; .local .align 16 .b8 l[64];\n"
              "ld.param.u64 %rd0, [p0]; ld.param.u64 %rd1, [p1];\n"
              "mov.u32 %r0, %tid.x; mov.u32 %r1, %tid.y; mov.u32 %r2, %tid.z; mov.u32 %r3, %ctaid.x;\n"
              "mad.lo.u32 %r4, %r2, " +
              number(block_.y) + ", %r1; mad.lo.u32 %r4, %r4, " + number(block_.x) +
              ", %r0;\n"
              "mov.u32 %r20, 7; mov.u32 %r21, %r4; mov.u32 %r22, %r3; mov.u32 %r23, 9;\n" +
              body + "ret;\n}\n";
    return out;
  }

 private:
  int below(int n) { return static_cast<int>(bits_() % static_cast<unsigned>(n)); }
  template <class T> static std::string number(T n) { return std::to_string(n); }

  std::string barrier() { return with_barriers_ ? "bar.sync 0;\n" : ""; }

  std::string statement(int depth) {
    const int kind = below(40);
    if (kind < 9) return barrier();
    if (kind == 9) return orders_ ? "bar.warp.sync 0xffffffff;\n" : barrier();
    if (kind == 10) return orders_ ? "membar.gl;\n" : "";
    if (kind == 11 && depth == 0) return loop();
    if (kind == 12 && depth == 0 && below(2) == 0) {
      const std::string label = "go" + number(labels_++);
      return "setp.lt.u32 %p3, %r4, " + number(1 + below(static_cast<int>(block_.count()))) + "; @%p3 bra " + label +
             "; ret; " + label + ":\n";
    }
    if (kind == 13 && copies_) return copy();
    return guarded(access());
  }

  std::string loop() {
    const std::string label = "loop" + number(labels_++);
    std::string out = "mov.u32 %r30, 0;\n" + label + ":\n";
    for (int left = 1 + below(4); left > 0; --left) out += statement(1);
    return out + "add.u32 %r30, %r30, 1; setp.lt.u32 %p2, %r30, " + number(2 + below(2)) + "; @%p2 bra " + label + ";\n";
  }

  std::string copy() {
    std::string out = address(true, 16, false) + "mov.u32 %r12, %r10;\n" + address(false, 16, false);
    out += "cp.async.ca.shared.global [%r12], [%rd10], 16;\ncp.async.commit_group;\n";
    return out + (below(2) == 0 ? "cp.async.wait_group 0;\n" : "");
  }

  /// Runs `what` for all threads or some, by a branch or a predicate.
  std::string guarded(std::string what) {
    const int kind = below(6);
    if (kind > 2) return what;
    const std::string test = "setp.lt.u32 %p1, " + std::string(below(2) == 0 ? "%r4" : "%r0") + ", " +
                             number(1 + below(static_cast<int>(block_.count()))) + ";\n";
    const std::string label = "skip" + number(labels_++);
    if (kind != 0) return test + "@!%p1 bra " + label + ";\n" + what + label + ":\n";
    const std::size_t last = what.rfind('\n', what.size() - 2) + 1;
    return test + what.substr(0, last) + "@%p1 " + what.substr(last);
  }

  /// Puts an address of an aligned access into %r10 or %rd10, all inside the array whatever the thread.
  std::string address(bool is_shared, int width, bool scatters) {
    const int bytes = static_cast<int>(is_shared ? shared_bytes : buffer_bytes);
    std::string out;
    if (scatters) {
      const int mask = std::min(bytes / width, 1 << (3 + below(7))) - 1;
      out = "mad.lo.u32 %r10, %r4, " + number(1 + 2 * below(20)) + ", " + number(below(64)) + "; and.b32 %r10, %r10, " +
            number(mask) + "; mul.lo.u32 %r10, %r10, " + number(width) + ";\n";
    } else {
      const int x = static_cast<int>(block_.x), y = static_cast<int>(block_.y), z = static_cast<int>(block_.z);
      int dx = width * (below(3) == 0 ? below(4) - 1 : 1), dy = dx * x, dz = dy * y;
      if (below(3) == 0) dy = width * below(40), dz = dy * y;
      if (below(4) == 0) dz = width * below(40);
      const auto reach = [&] { return std::abs(dx) * (x - 1) + std::abs(dy) * (y - 1) + std::abs(dz) * (z - 1) + width; };
      while (reach() > bytes / 2) dx = dx / width / 2 * width, dy = dy / width / 2 * width, dz = dz / width / 2 * width;
      int base = 0;
      for (const auto& [step, count] : {std::pair{dx, x}, {dy, y}, {dz, z}})
        if (step < 0) base -= step * (count - 1);
      base += below(3) == 0 ? below(8) * width : below(3) * 1024;
      base = std::min(base, (bytes / 2 + base) / 2 / width * width);
      int of_block = is_shared || below(3) == 0 ? 0 : reach();
      if (base + reach() + 3 * of_block > bytes) of_block = 0;
      if (base + reach() > bytes) base = (bytes - reach()) / width * width;
      out = "mad.lo.s32 %r10, %r0, " + number(dx) + ", " + number(base) + "; mad.lo.s32 %r10, %r1, " + number(dy) +
            ", %r10; mad.lo.s32 %r10, %r2, " + number(dz) + ", %r10; mad.lo.s32 %r10, %r3, " + number(of_block) + ", %r10;\n";
    }
    if (is_shared) return out + "mov.u32 %r11, s; add.u32 %r10, %r10, %r11;\n";
    return out + "cvt.u64.u32 %rd10, %r10; add.u64 %rd10, %rd10, " + (below(2) == 0 ? "%rd0" : "%rd1") + ";\n";
  }

  /// Ends with a line that holds one instruction, the access.
  std::string access() {
    const int kind = below(20);
    if (kind == 0)
      return "mov.u32 %r10, l;\n" + (below(2) == 0 ? "ld.local.u32 %r14, [%r10+" + number(4 * below(16)) + "];\n"
                                                   : "st.local.u32 [%r10+" + number(4 * below(16)) + "], %r21;\n");
    const bool is_shared = below(2) == 0, scatters = below(8) == 0;
    const std::string space = is_shared ? ".shared" : ".global", at = is_shared ? "[%r10]" : "[%rd10]";
    const std::string value = "%r" + number(20 + below(3));
    if (kind == 1 || (kind == 2 && orders_)) {
      const std::string scope = below(3) == 0 ? ".cta" : ".gpu";
      const std::string order = orders_ && below(2) == 0 ? ".acq_rel" : ".relaxed";
      return address(is_shared, 4, scatters || below(2) == 0) + "atom" + order + scope + space + ".add.u32 %r14, " + at + ", " +
             value + ";\n";
    }
    if (kind == 3 && orders_) {
      const bool loads = below(2) == 0;
      return address(is_shared, 4, scatters) +
             (loads ? "ld.acquire.gpu" + space + ".u32 %r14, " + at : "st.release.gpu" + space + ".u32 " + at + ", " + value) +
             ";\n";
    }
    if (kind == 4)
      return address(is_shared, 4, scatters) +
             (below(2) == 0 ? "ld.volatile" + space + ".u32 %r14, " + at
                            : "st.volatile" + space + ".u32 " + at + ", " + value) +
             ";\n";
    static constexpr int widths[] = {4, 4, 4, 4, 1, 2, 8, 16};
    const int width = widths[below(8)];
    const bool loads = below(2) == 0;
    const std::string from = address(is_shared, width, scatters);
    if (width <= 2) {
      const std::string type = width == 1 ? ".u8" : ".u16";
      return from + (loads ? "ld" + space + type + " %r14, " + at : "st" + space + type + " " + at + ", " + value) + ";\n";
    }
    if (width == 4)
      return from + (loads ? "ld" + space + ".u32 %r14, " + at : "st" + space + ".u32 " + at + ", " + value) + ";\n";
    const std::string vector = width == 8 ? ".v2.u32" : ".v4.u32";
    const std::string loaded = width == 8 ? "{%r14, %r15}" : "{%r14, %r15, %r16, %r17}";
    const std::string stored = width == 8 ? "{%r20, %r21}" : "{%r20, %r21, %r22, %r23}";
    return from +
           (loads ? "ld" + space + vector + " " + loaded + ", " + at : "st" + space + vector + " " + at + ", " + stored) +
           ";\n";
  }

  std::mt19937_64 bits_;
  launch_shape::extent block_;
  bool with_barriers_ = true, copies_ = false, orders_ = false;
  int labels_ = 0;
};

/// What the checkers find in a kernel, and what it was stopped by.
struct outcome {
  std::string error;
  tg::dynamic_array<tg::emulator::check::finding> found;
};

/// Runs a kernel with all checkers but that of leaks. `patterns`: false shows every access to them warp by warp.
inline outcome run(const kernel& k, const std::string& also, bool patterns) {
  tg::emulator::memory memory(std::size_t{1} << 24);
  const auto program = tg::emulator::program::load(k.ptx + also, memory);
  const std::uint64_t first = memory.allocate(buffer_bytes), second = memory.allocate(buffer_bytes);
  std::memset(memory.at(first, buffer_bytes), 0, buffer_bytes);
  if (k.written_bytes != 0) std::memset(memory.at(second, k.written_bytes), 0, k.written_bytes);
  const tg::dynamic_array<std::uint64_t> params{first, second};
  outcome out;
  tg::emulator::options how;
  how.check = tg::emulator::check::checkers::all();
  how.check.strict = k.is_strict;
  how.seed = k.order;
  how.patterns = patterns;
  how.threads = 1;
  how.watchdog_instructions = 1 << 22;
  how.findings = &out.found;
  try {
    tg::emulator::run(memory, *program, program->find_kernel("k").value(), k.shape, std::as_bytes(std::span(params)), how);
  } catch (const tg::error& e) { out.error = e.what(); }
  return out;
}

}  // namespace random_accesses
