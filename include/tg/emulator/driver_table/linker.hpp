// The emulated driver's linker. What it makes is PTX text again.
#pragma once

#include <tg/emulator/driver_table/merge_modules.hpp>
#include <tg/emulator/driver_table/module.hpp>
#include <tg/ptx/parse.hpp>
#include <tg/ptx/print.hpp>

namespace tg::emulator::entry {

using driver::jit_input;
using driver::link_handle;

struct link {
  context_handle owner;
  jit_options options;
  module_merger modules;
  bool is_empty = true;
  std::string text;
};

inline result cuLinkCreate(unsigned count, jit_option* options, void** values, link_handle* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.links.add(std::make_shared<link>(link{current(m), jit_options(count, options, values), {}, true, {}}));
  });
}

inline void add_input(link& l, const std::string& text) {
  l.options.log([&] {
    ptx::module added = ptx::parse(text);
    require_target(added);
    l.modules.add(std::move(added));
  });
  l.is_empty = false;
}

/// Takes PTX, also inside fat binaries. Errors: no_binary_for_gpu for machine code.
inline result cuLinkAddData(link_handle link, jit_input type, void* data, std::size_t bytes, const char*, unsigned,
                            jit_option*, void**) {
  return guarded([&](machine& m) {
    require(data && bytes > 0);
    entry::link& l = *m.links.at(link);
    require(type == jit_input::ptx || type == jit_input::fatbinary, result::no_binary_for_gpu);
    add_input(l, text_of_image(std::string(static_cast<const char*>(data), bytes).c_str()));
  });
}

inline result cuLinkAddFile(link_handle link, jit_input type, const char* path, unsigned, jit_option*, void**) {
  return guarded([&](machine& m) {
    require(path);
    entry::link& l = *m.links.at(link);
    require(type == jit_input::ptx || type == jit_input::fatbinary, result::no_binary_for_gpu);
    add_input(l, text_of_image(read_file(path).c_str()));
  });
}

inline result cuLinkComplete(link_handle link, void** cubin, std::size_t* bytes) {
  return guarded([&](machine& m) {
    require(cubin);
    entry::link& l = *m.links.at(link);
    require(!l.is_empty, result::invalid_image);
    l.options.log([&] {
      l.text = ptx::print(l.modules.merged());
      program::load(l.text, m.memory);
    });
    *cubin = l.text.data();
    if (bytes) *bytes = l.text.size() + 1;
  });
}

inline result cuLinkDestroy(link_handle link) {
  return guarded([&](machine& m) { m.links.take(link); });
}

}  // namespace tg::emulator::entry
