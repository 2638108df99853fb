// What libcudadevrt.a brings for cooperative grids, as PTX: the library itself is machine code. The blocks of a grid meet at
// the second word of the workspace that %envreg1 and %envreg2 name, as in PTX from nvcc, which has this inline.
// Source: cuda_device_runtime_api.h and cooperative_groups/details/sync.h of CUDA 13.0 (names, parameters, the word's top bit).
#pragma once

#include <string_view>

namespace tg::emulator::entry {

/// cudaCGGetIntrinsicHandle, cudaCGSynchronize, cudaCGSynchronizeGrid. A grid that was not launched cooperatively has the
/// handle 0; synchronising it gives cudaErrorInvalidValue, 1.
inline constexpr std::string_view device_runtime_text = R"(.version 6.0
.target sm_70
.address_size 64

.weak .func (.param .b64 result) cudaCGGetIntrinsicHandle(.param .b32 scope)
{
  .reg .pred %is_grid;
  .reg .b32 %scope, %high, %low;
  .reg .b64 %handle;
  ld.param.b32 %scope, [scope];
  mov.u32 %high, %envreg1;
  mov.u32 %low, %envreg2;
  mov.b64 %handle, {%low, %high};
  setp.eq.u32 %is_grid, %scope, 1;
  selp.b64 %handle, %handle, 0, %is_grid;
  st.param.b64 [result], %handle;
  ret;
}

.weak .func (.param .b32 result) cudaCGSynchronizeGrid(.param .b64 handle, .param .b32 flags)
{
  .reg .pred %is_other, %is_first, %waits;
  .reg .b32 %any, %n, %step, %old, %now;
  .reg .b64 %at;
  ld.param.b64 %at, [handle];
  mov.u32 %any, 1;
  setp.eq.u64 %is_other, %at, 0;
  @%is_other bra done;
  add.u64 %at, %at, 4;
  barrier.sync 0;
  mov.u32 %any, %tid.x;
  mov.u32 %n, %tid.y;
  or.b32 %any, %any, %n;
  mov.u32 %n, %tid.z;
  or.b32 %any, %any, %n;
  setp.ne.u32 %is_other, %any, 0;
  @%is_other bra together;
  mov.u32 %any, %ctaid.x;
  mov.u32 %n, %ctaid.y;
  or.b32 %any, %any, %n;
  mov.u32 %n, %ctaid.z;
  or.b32 %any, %any, %n;
  setp.eq.u32 %is_first, %any, 0;
  mov.u32 %n, %nctaid.x;
  mov.u32 %step, %nctaid.y;
  mul.lo.u32 %n, %n, %step;
  mov.u32 %step, %nctaid.z;
  mul.lo.u32 %n, %n, %step;
  sub.u32 %n, 0x80000001, %n;
  selp.b32 %step, %n, 1, %is_first;
  fence.acq_rel.gpu;
  atom.add.acq_rel.gpu.u32 %old, [%at], %step;
again:
  ld.acquire.gpu.u32 %now, [%at];
  xor.b32 %now, %now, %old;
  setp.ge.s32 %waits, %now, 0;
  @%waits bra again;
  fence.acq_rel.gpu;
together:
  barrier.sync 0;
  mov.u32 %any, 0;
done:
  st.param.b32 [result], %any;
  ret;
}

.weak .func (.param .b32 result) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)
{
  .reg .b32 %flags, %result;
  .reg .b64 %handle;
  ld.param.b64 %handle, [handle];
  ld.param.b32 %flags, [flags];
  {
    .param .b64 to;
    .param .b32 how;
    .param .b32 out;
    st.param.b64 [to], %handle;
    st.param.b32 [how], %flags;
    call.uni (out), cudaCGSynchronizeGrid, (to, how);
    ld.param.b32 %result, [out];
  }
  st.param.b32 [result], %result;
  ret;
}
)";

}  // namespace tg::emulator::entry
