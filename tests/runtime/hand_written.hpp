// Kernels whose PTX is written by hand, and tables in which one call fails.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/device.hpp>

namespace hand_written {

/// y = a * x + y
struct saxpy {
  static constexpr std::string_view name = "saxpy";
  static constexpr tg::block_t<256> block{};
  using parameters = tg::parameter_list<tg::in<float>, tg::inout<float>, tg::scalar<float>, tg::scalar<unsigned>>;
};

inline tg::runtime::kernel_source source_of(const saxpy&) {
  return {R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
.reqntid 256, 1, 1
{
  .reg .pred %p<2>;
  .reg .f32 %f<4>;
  .reg .b32 %r<6>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [x];
  ld.param.u64 %rd2, [y];
  ld.param.f32 %f1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1;
  @%p1 bra done;
  mul.wide.u32 %rd3, %r5, 4;
  add.s64 %rd4, %rd1, %rd3;
  add.s64 %rd5, %rd2, %rd3;
  ld.global.f32 %f2, [%rd4];
  ld.global.f32 %f3, [%rd5];
  fma.rn.f32 %f3, %f1, %f2, %f3;
  st.global.f32 [%rd5], %f3;
done:
  ret;
}
)",
          {7, 0},
          70};
}

/// Writes each row's number into the first column.
struct number_rows {
  static constexpr std::string_view name = "number_rows";
  static constexpr tg::block_t<32> block{};
  using parameters = tg::parameter_list<tg::out2<unsigned, tg::multiple_of<4>>, tg::scalar<bool>, tg::scalar<unsigned>>;
};

inline tg::runtime::kernel_source source_of(const number_rows&) {
  return {R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry number_rows(.param .u64 a, .param .u32 row_bytes, .param .u8 on, .param .u32 rows)
{
  .reg .pred %p<3>;
  .reg .b16 %rs<2>;
  .reg .b32 %r<4>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [a];
  ld.param.u32 %r1, [row_bytes];
  ld.param.u8 %rs1, [on];
  ld.param.u32 %r2, [rows];
  mov.u32 %r3, %tid.x;
  setp.ge.u32 %p1, %r3, %r2;
  @%p1 bra done;
  setp.eq.u16 %p2, %rs1, 0;
  @%p2 bra done;
  mul.wide.u32 %rd2, %r3, %r1;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r3;
done:
  ret;
}
)",
          {7, 0},
          70};
}

/// Counts how often it was traced; its text is whatever the test wants.
struct any {
  static constexpr std::string_view name = "any";
  static constexpr tg::block_t<32> block{};
  using parameters = tg::parameter_list<>;
  std::string body;
  tg::ptx::isa_version version{7, 0};
  int sm = 70;
  tg::source_location where{};
};

inline int traced = 0;

inline tg::runtime::kernel_source source_of(const any& k) {
  ++traced;
  return {".version 7.0\n.target sm_70\n.address_size 64\n" + k.body, k.version, k.sm};
}

inline constexpr char empty_entry[] = ".visible .entry any() { ret; }\n";

/// The code and text of the error that `f` throws; 0 when it throws none.
struct thrown {
  int number = 0;
  std::string text;
  bool says(std::string_view part) const { return text.find(part) != std::string::npos; }
};

template <class F> thrown error_of(F f) {
  try {
    f();
  } catch (const tg::error& e) { return {e.number(), e.what()}; }
  return {};
}

/// An emulator that shows two devices while it lives.
struct two_devices {
  two_devices() { tg::emulator::show_devices(2); }
  ~two_devices() { tg::emulator::show_devices(1); }
};

/// The emulator's table, to be changed.
inline tg::driver::table emulator_table() { return tg::emulator::driver_table(); }

/// The emulator's table as if it were a GPU's: without the emulator's own reports.
inline tg::driver::table gpu_table() {
  tg::driver::table api = tg::emulator::driver_table();
  api.take_report = nullptr;
  return api;
}

}  // namespace hand_written
