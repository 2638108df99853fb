// How exact the sums of wgmma's products of 8-bit floats are, where the tests run.
#pragma once

#include "gpu_machine.hpp"

/// How far a sum of `depth` products of 8-bit floats may be off, as a part of the sum of their magnitudes. An H100 adds 32
/// products to the sum at once and keeps 14 bits of them: for a depth of 64 a test found 2^-12.7. The emulator adds as f32
/// does.
inline double error_of_f8_sums(int depth) { return gpu_machine::is_asked() ? (depth / 32 + 1) * 0x1p-12 : 0; }
