// Packaged kernels as C++ source, so that a program brings them along: what the CMake function tg_add_kernels runs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/runtime/package.hpp>

namespace tg {

/// A package and the C++ name under which a program sees it.
struct embedded_kernel {
  std::string identifier;
  kernel_package package;
};

/// Bytes as a C++ string literal, a line for each of theirs.
std::string to_literal(std::string_view bytes);

/// The header that declares the kernels in a namespace, and the source that holds them.
std::string to_header(std::string_view name_space, const std::vector<embedded_kernel>& kernels);
/// The source file that holds the kernels which `to_header` declares.
std::string to_source(std::string_view name_space, const std::vector<embedded_kernel>& kernels);

/// Writes `folder/name_space.hpp` and `folder/name_space.cpp`. Errors: TG552.
void embed(const std::string& folder, const std::string& name_space, const std::vector<embedded_kernel>& kernels);

}  // namespace tg
