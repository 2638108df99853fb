// The text of the C++ files that hold packaged kernels.
#pragma once

#include <tg/runtime/embed.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <tg/base/config.hpp>
#include <tg/runtime/file_descriptor.hpp>

namespace tg {

TG_LIBRARY_FUNCTION std::string to_literal(std::string_view bytes) {
  std::string out = "\"";
  std::size_t column = 0;
  for (const char c : bytes) {
    if (column > 100 || (column > 0 && out.ends_with("\\n"))) {
      out += "\"\n    \"";
      column = 0;
    }
    const auto before = out.size();
    if (c == '\n') {
      out += "\\n";
    } else if (c == '"' || c == '\\') {
      out.append(1, '\\').append(1, c);
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {  // three octal digits end by themselves
      const auto byte = static_cast<unsigned char>(c);
      for (const char digit : {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
                               static_cast<char>('0' + (byte & 7))})
        out += digit;
    }
    column += out.size() - before;
  }
  return out + '"';
}

TG_LIBRARY_FUNCTION std::string to_header(std::string_view name_space, const std::vector<embedded_kernel>& kernels) {
  std::string out = "// Kernels made ahead of time, launched as the ones they were made from.\n#pragma once\n\n"
                    "#include <cstdint>\n#include <string_view>\n\n#include <tg/runtime.hpp>\n";
  const auto is_narrow = [](const auto& kernel) {
    const std::string& own = kernel.package.parameters;
    return own.find("<tg::f") != std::string::npos || own.find("<tg::bf") != std::string::npos ||
           own.find("<tg::tf") != std::string::npos;
  };
  if (std::any_of(kernels.begin(), kernels.end(), is_narrow)) out += "#include <tg/dsl/vector/packed.hpp>\n";
  out += '\n';
  out.append("namespace ").append(name_space).append(" {\n");
  for (const auto& [name, p] : kernels) {
    const std::string type = name + "_kernel";
    out += "\nstruct " + type + " {\n  static constexpr std::string_view name = " + to_literal(p.name) +
           ";\n  static constexpr tg::block_t<" + std::to_string(p.block[0]) + ", " + std::to_string(p.block[1]) + ", " +
           std::to_string(p.block[2]) + "> block{};\n  using parameters = tg::parameter_list<" + p.parameters +
           ">;\n};\ntg::runtime::kernel_source source_of(const " + type + "&);\ninline constexpr " + type + ' ' + name +
           "{};\n";
  }
  return out.append("\n}  // namespace ").append(name_space).append("\n");
}

TG_LIBRARY_FUNCTION std::string to_source(std::string_view name_space, const std::vector<embedded_kernel>& kernels) {
  const auto string_of = [](std::string_view bytes) {
    return "std::string(" + to_literal(bytes) + ",\n    " + std::to_string(bytes.size()) + ')';
  };
  std::string out = "#include <string>\n\n#include <tg/runtime/kernel_source.hpp>\n\nnamespace ";
  out.append(name_space).append(" {\n");
  for (const auto& [name, p] : kernels) {
    const auto& source = p.source;
    out += "\nstruct " + name + "_kernel;\ntg::runtime::kernel_source source_of(const " + name + "_kernel&);\n" +
           "tg::runtime::kernel_source source_of(const " + name + "_kernel&) {\n  return {\n    " + string_of(source.ptx) +
           ",\n    {" + std::to_string(source.version.major) + ", " + std::to_string(source.version.minor) + "}, " +
           std::to_string(source.sm) + ", 0, " + std::to_string(static_cast<int>(source.target_suffix)) + ", {";
    for (const auto& code : source.code) out += "\n    {" + std::to_string(code.sm) + ", " + string_of(code.image) + "},";
    out += "}, {";
    for (const std::uint32_t most : source.most_blocks) out += std::to_string(most) + "u, ";
    out += "}, " + std::to_string(source.more_threads) + "};\n}\n";
  }
  return out.append("\n}  // namespace ").append(name_space).append("\n");
}

TG_LIBRARY_FUNCTION void embed(const std::string& folder, const std::string& name_space,
                               const std::vector<embedded_kernel>& kernels) {
  const auto write = [&](const std::string& path, const std::string& text) {
    errno = 0;
    if (!runtime::make_folder(folder) || !runtime::write_whole(path, text))
      throw error(runtime::package_file, "'" + path + "' cannot be written: " + std::strerror(errno), "check the path");
  };
  write(folder + '/' + name_space + ".hpp", to_header(name_space, kernels));
  write(folder + '/' + name_space + ".cpp", to_source(name_space, kernels));
}

}  // namespace tg
