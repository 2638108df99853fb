// Whether the driver stays inside an image of machine code that it is given. It gets an address without a length and follows
// the sizes that the image states, so those are compared with the bytes that are there first. Source: ELF-64 Object File
// Format 1.5; fatbinary: what nvcc 13.0 writes (`fatbinary --create`).
#pragma once

#include <string_view>

namespace tg::runtime {

/// Whether every header, section, segment, string and symbol name of an ELF file, and every entry of a fat binary, ends inside
/// of the image. A text is inside: it ends at its first zero. Cost: microseconds. It says nothing about the code, which runs on
/// the GPU with the rights of the process.
bool is_inside(std::string_view image);

}  // namespace tg::runtime
