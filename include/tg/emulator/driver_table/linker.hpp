// The emulated driver's linker. What it makes is PTX text again.
#pragma once

#include <tg/emulator/driver_table/device_runtime.hpp>
#include <tg/emulator/driver_table/merge_modules.hpp>
#include <tg/emulator/driver_table/module.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

namespace tg::emulator::entry {

using driver::jit_input;
using driver::link_handle;

struct link {
  context_handle owner;
  jit_options options;
  module_merger modules;
  bool is_empty = true;
  std::string libraries;  // that were added; their machine code is not linked
  std::string text;
};

inline result cuLinkCreate(unsigned count, jit_option* options, void** values, link_handle* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.links.add(std::make_shared<link>(link{current(m), jit_options(count, options, values), {}, true, {}, {}}));
  });
}

/// A static library is machine code. It is accepted, because what programs want of one is libcudadevrt.a, whose barrier of
/// a grid the emulator has as PTX.
/// Errors: invalid_image for what is no archive.
inline void add_library(link& l, std::string_view bytes, std::string_view name) {
  require(bytes.starts_with("!<arch>\n"), result::invalid_image);
  if (!l.libraries.empty()) l.libraries += ", ";
  l.libraries += name.empty() ? "a library without a name" : name;
}

/// Takes PTX, also inside fat binaries, and static libraries.
/// Errors: no_binary_for_gpu, with a line on stderr, for machine code.
inline void add_input(link& l, jit_input type, const std::string& bytes, const char* path) {
  const std::string_view name = path == nullptr ? "" : path;
  if (type == jit_input::library) return add_library(l, bytes, name);
  if (type != jit_input::ptx && type != jit_input::fatbinary) {
    std::fprintf(stderr,
                 "tg emulator: the linker was given %s '%s', which is machine code; give it PTX (nvcc -ptx, or -fatbin "
                 "with code=compute_80)\n",
                 type == jit_input::cubin ? "the cubin" : "the object", std::string(name).c_str());
    throw refused{result::no_binary_for_gpu};
  }
  l.options.log([&] {
    ptx::module added = ptx::parse(text_of_image(bytes.c_str()));
    require_target(added);
    l.modules.add(std::move(added));
  });
  l.is_empty = false;
}

inline result cuLinkAddData(link_handle link, jit_input type, void* data, std::size_t bytes, const char* name, unsigned,
                            jit_option*, void**) {
  return guarded([&](machine& m) {
    require(data && bytes > 0);
    add_input(*m.links.at(link), type, std::string(static_cast<const char*>(data), bytes), name);
  });
}

inline result cuLinkAddFile(link_handle link, jit_input type, const char* path, unsigned, jit_option*, void**) {
  return guarded([&](machine& m) {
    require(path);
    entry::link& l = *m.links.at(link);
    add_input(l, type, read_file(path), path);
  });
}

/// The text of all that was added. Adds what the emulator has of the device runtime library where a library was given.
/// Errors: those of loading it; TG401 names the libraries that were left out.
inline std::string linked_text(link& l, memory& memory) {
  module_merger modules = l.modules;
  if (!l.libraries.empty()) modules.add(ptx::parse(device_runtime_text));
  ptx::module linked = modules.merged();
  l.options.limit_registers(linked);
  std::string text = ptx::print(linked);
  try {
    program::load(text, memory);
  } catch (const error& e) {
    if (e.number() != 401 || l.libraries.empty()) throw;
    throw error(e.code(), std::string(e.what()).substr(std::string_view("TG401: ").size()),
                "what " + l.libraries + " defines is machine code, which the emulator leaves out: link the PTX of it");
  }
  return text;
}

inline result cuLinkComplete(link_handle link, void** cubin, std::size_t* bytes) {
  return guarded([&](machine& m) {
    require(cubin);
    entry::link& l = *m.links.at(link);
    require(!l.is_empty, result::invalid_image);
    l.options.log([&] { l.text = linked_text(l, m.memory); });
    *cubin = l.text.data();
    if (bytes) *bytes = l.text.size() + 1;
  });
}

inline result cuLinkDestroy(link_handle link) {
  return guarded([&](machine& m) { m.links.take(link); });
}

}  // namespace tg::emulator::entry
