// What the runtime can say is wrong: TG520 to TG549.
#pragma once

#include <array>

#include <tg/base/code.hpp>

namespace tg::runtime {

inline constexpr code device_wish{520};
inline constexpr code grid_size{521};
inline constexpr code block_size{522};
inline constexpr code empty_buffer{523};
inline constexpr code foreign_buffer{524};
inline constexpr code misaligned_base{525};
inline constexpr code broken_contract{526};
inline constexpr code scalar_range{527};
inline constexpr code copy_range{528};
inline constexpr code size_overflow{529};
inline constexpr code matrix_shape{530};
inline constexpr code aliased_views{531};

inline constexpr auto codes = std::to_array<code_info>({
    {520, "the device asked for is not understood", "TG_DEVICE is misspelt", "write emulator, gpu or gpu:1"},
    {521, "the grid is empty or too large", "a size of zero, a negative size, or y and z swapped with x",
     "launch at least one element; put the longest extent into x"},
    {522, "the kernel cannot run with this block", "too many threads or registers for the device", "use a smaller block"},
    {523, "a view got an empty buffer", "a buffer of no elements, or one that was moved from",
     "give it a buffer with elements"},
    {524, "a buffer belongs to another device", "two devices are in use", "use buffers of the device that launches"},
    {525, "a buffer does not begin where its view promises", "a part of a buffer begins at an odd element",
     "begin at a multiple, or declare the view with tg::aligned<...>"},
    {526, "an argument breaks a multiple_of contract", "the size is not padded",
     "pad it, or launch a kernel without the contract"},
    {527, "a number does not fit the kernel's parameter", "a size beyond 32 bits, or a negative number",
     "check the number, or give the kernel a wider parameter"},
    {528, "a copy reaches past the end of a buffer", "first + count is larger than the size", "copy fewer elements"},
    {529, "a buffer is larger than any memory", "a size that was computed from a negative number", "check the size"},
    {530, "a matrix does not fit its buffer", "rows and columns swapped, or a leading dimension below the columns",
     "check rows * leading dimension against the buffer's size"},
    {531, "a tg::in view shares elements with a view that is written", "a kernel is used in place",
     "declare one tg::inout parameter for both"},
});

}  // namespace tg::runtime
