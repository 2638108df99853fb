// PTX text → program: parses, places variables, decodes every function.
#pragma once

#include <tg/emulator/decode/program.hpp>

#include <algorithm>
#include <cstring>

#include <tg/analysis/capability_table.hpp>
#include <tg/analysis/occupancy.hpp>
#include <tg/base/config.hpp>
#include <tg/emulator/decode/abreast.hpp>
#include <tg/emulator/decode/decode.hpp>
#include <tg/emulator/decode/decode_patterns.hpp>
#include <tg/emulator/decode/device_target.hpp>
#include <tg/emulator/decode/extents.hpp>
#include <tg/emulator/decode/kept_text.hpp>
#include <tg/emulator/lanes/vector_unit.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/verify/verify.hpp>

namespace tg::emulator::detail {

inline std::uint64_t aligned(std::uint64_t at, const ptx::variable& v) {
  const std::uint64_t unit = std::max<std::uint64_t>({1, v.align, static_cast<std::uint64_t>(ptx::width_bits(v.type)) / 8});
  return (at + unit - 1) / unit * unit;
}

/// Lays variables out one behind the other.
class stacker {
 public:
  explicit stacker(std::uint64_t from) : end_(from) {}
  placement::place push(const ptx::variable& v) {
    const std::uint64_t at = aligned(end_, v);
    end_ = at + size_bytes(v);
    return {at, false, true};
  }
  std::uint64_t end() const { return end_; }

 private:
  std::uint64_t end_;
};

/// Calls `see(kind, id)` for every variable and function that `f` names.
template <class See> void each_name(const ptx::function& f, See see) {
  const auto look = [&](const ptx::operand& o) { see(o.kind == ptx::operand_kind::address ? o.base : o.kind, o.id); };
  for (const ptx::instruction& i : f.body)
    for (const ptx::operand& o : i.operands()) look(o);
  for (const ptx::operand& o : f.elements) look(o);
}

class loader {
 public:
  loader(const ptx::module& module, const ptx::line_map& lines, const dynamic_array<placement::place>& variables)
      : module_(module), graph_(module) {
    frames_.graph = &graph_;
    frames_.where.resize(module.functions.size());
    for (std::size_t id = 0; id < frames_.where.size(); ++id) {
      frames_.where[id].variables = variables;
      if (id < lines.size()) frames_.where[id].lines = lines[id];
    }
    image_.functions.resize(module.functions.size());
  }

  image operator()() {
    for (const ptx::function& f : module_.functions) check_calls(f);
    find_stacked();
    place();
    const auto returns = static_cast<std::uint32_t>(module_.functions.size());  // their slots come first
    image_.stack_pointer = {(returns + 1) & ~1u, 8};
    image_.slot_count = image_.stack_pointer.index + 2;
    const lane_code lanes = find_lane_code();
    std::uint32_t kernels_from = image_.slot_count;
    for (const bool are_kernels : {false, true})
      for (const std::uint32_t id : graph_.order()) {
        const ptx::function& f = module_.functions[id];
        if (f.is_entry != are_kernels || f.is_external || f.alias != ptx::no_index) continue;
        const std::uint32_t from = (are_kernels ? kernels_from : image_.slot_count) + 1;
        decode_function(module_, id, frames_, lanes, from & ~1u, image_);
        image_.slot_count = std::max(image_.slot_count, image_.functions[id].slot_end);
        if (!are_kernels) kernels_from = image_.slot_count;
      }
    check::find_extents(module_, frames_.where, image_);
    for (std::size_t k = 0; k < image_.code.size(); ++k) {
      if (image_.code[k].act != action::begin_call) continue;
      const std::uint32_t callee = image_.calls[image_.code[k].detail].callee;
      if (callee != no_slot) image_.code[k + 1].target = image_.functions[callee].entry;
    }
    set_pattern_rules(image_.code, lanes);
    mark_skips(image_.code);
    mark_abreast(module_, image_);
    return std::move(image_);
  }

 private:
  /// Errors: TG401 for a function that is defined nowhere.
  void check_calls(const ptx::function& f) const {
    for (const ptx::instruction& i : f.body) {
      if (!ptx::has_trait(i.op, ptx::trait::calls) || i[1].kind != ptx::operand_kind::function) continue;
      const ptx::function& callee = module_.functions[real_function(module_, i[1].id)];
      if (callee.is_external && to_system_function(callee.name) == system_function::none)
        throw error(code{401}, "'" + f.name + "' calls '" + callee.name + "', which is defined nowhere",
                    "define it in the same module; the emulator itself has vprintf, __assertfail, malloc, free, memcpy, "
                    "memmove and memset");
    }
  }

  /// Functions that may be entered again before they return, or whose frame grows.
  void find_stacked() {
    for (std::uint32_t id = 0; id < module_.functions.size(); ++id) {
      const ptx::function& f = module_.functions[id];
      const bool grows = std::ranges::any_of(f.body, [](const ptx::instruction& i) {
        return i.op == ptx::opcode::alloca || i.op == ptx::opcode::stacksave || i.op == ptx::opcode::stackrestore;
      });
      frames_.where[id].is_stacked = !f.is_entry && (grows || graph_.may_come_back(id));
      image_.functions[id].is_stacked = frames_.where[id].is_stacked;
      image_.uses_stack = image_.uses_stack || grows || frames_.where[id].is_stacked;
    }
  }

  void place_shared(std::uint32_t id, stacker& shared, dynamic_array<placed_variable>& names) {
    const ptx::function& f = module_.functions[id];
    placement& own = frames_.where[id];
    own.locals.resize(f.locals.size());
    for (std::size_t k = 0; k < f.locals.size(); ++k)
      if (f.locals[k].space == ptx::token::shared) own.locals[k] = put(f.locals[k], shared, names);
    each_name(f, [&](ptx::operand_kind kind, std::uint32_t v) {
      if (kind != ptx::operand_kind::variable || module_.variables[v].space != ptx::token::shared || own.variables[v].is_placed)
        return;
      own.variables[v] = put(module_.variables[v], shared, names);
    });
  }

  static placement::place put(const ptx::variable& v, stacker& shared, dynamic_array<placed_variable>& names) {
    if (v.count < 0) return {0, true, true};  // dynamic; `.extern` with a size is not
    const placement::place made = shared.push(v);
    names.push_back({v.name, made.address, size_bytes(v)});
    return made;
  }

  /// Shared variables of device functions come first in every kernel's shared memory, then the kernel's own; parameters
  /// and local variables of device functions first in local memory.
  void place() {
    stacker common_shared(0), common_local(local_window);
    dynamic_array<placed_variable> common_names;
    dynamic_array<placement::place> common_variables;
    for (std::uint32_t id = 0; id < module_.functions.size(); ++id) {
      if (module_.functions[id].is_entry) continue;
      if (!common_variables.empty()) frames_.where[id].variables = common_variables;
      place_shared(id, common_shared, common_names);
      common_variables = frames_.where[id].variables;
      place_stack(id, common_local);
    }
    std::uint64_t local_end = common_local.end();
    for (std::uint32_t id = 0; id < module_.functions.size(); ++id) {
      const ptx::function& f = module_.functions[id];
      if (!f.is_entry) continue;
      if (!common_variables.empty()) frames_.where[id].variables = common_variables;
      stacker shared = common_shared, local = common_local, params(param_window);
      function_image& made = image_.functions[id];
      made.shared = common_names;
      place_shared(id, shared, made.shared);
      made.shared_bytes = (shared.end() + dynamic_align() - 1) / dynamic_align() * dynamic_align();
      name_tiles(made);
      for (const ptx::variable& p : f.params) frames_.where[id].params.push_back(params.push(p));
      place_stack(id, local);
      made.local_bytes = local.end() - local_window;
      local_end = std::max(local_end, local.end());
    }
    image_.local_bytes = (local_end - local_window + 15) / 16 * 16;
  }

  /// Where dynamic shared memory begins, behind the static part of any kernel, is a multiple of it, as ptxas makes it. A launch
  /// makes it one of 16 bytes by itself.
  std::uint64_t dynamic_align() const {
    std::uint64_t most = 1;
    for (const ptx::variable& v : module_.variables)
      if (v.space == ptx::token::shared && v.count < 0 && v.align > 16) most = std::max<std::uint64_t>(most, v.align);
    return most;
  }

  /// Tiles of fixed size in dynamic shared memory, for messages.
  void name_tiles(function_image& made) const {
    std::uint64_t at = made.shared_bytes;
    for (const ptx::shared_tile& t : module_.tiles) {
      if (!ptx::is_fixed(t)) continue;
      made.shared.push_back({t.name, at, static_cast<std::uint64_t>(t.element_bytes)});
      at += static_cast<std::uint64_t>(ptx::aligned_tile_bytes(t.element_bytes));
    }
  }

  /// Parameters and local variables: in the frame of a stacked function, else at a place of their own.
  void place_stack(std::uint32_t id, stacker& local) {
    const ptx::function& f = module_.functions[id];
    placement& own = frames_.where[id];
    stacker frame(0);
    const auto put = [&](const ptx::variable& v) {
      placement::place made = own.is_stacked ? frame.push(v) : local.push(v);
      image_.functions[id].frame_align = std::max<std::uint64_t>(image_.functions[id].frame_align, v.align);
      made.in_frame = own.is_stacked;
      return made;
    };
    for (std::size_t k = 0; k < f.locals.size(); ++k)
      if (f.locals[k].space == ptx::token::local || f.locals[k].space == ptx::token::param) own.locals[k] = put(f.locals[k]);
    if (f.is_entry) return;
    function_image& made = image_.functions[id];
    for (const auto* list : {&f.params, &f.results})
      for (const ptx::variable& v : *list) {
        own.params.push_back(put(v));
        made.params.push_back({{}, own.params.back().address, own.is_stacked, size_bytes(v)});
      }
    made.frame_bytes = (frame.end() + 15) / 16 * 16 + 16;  // no frame is empty, so that no recursion is endless
  }

  const ptx::module& module_;
  call_graph graph_;
  call_frames frames_;
  image image_;
};

/// Registers of a thread that the directives of a kernel leave it on sm_90.
inline std::uint32_t most_registers(const ptx::function& f) {
  const auto number = [](std::uint64_t n) { return static_cast<int>(std::min<std::uint64_t>(n, 1u << 20)); };
  return static_cast<std::uint32_t>(analysis::register_cap(analysis::multiprocessor_of(90), number(f.bounds.block_threads()),
                                                           number(f.bounds.min_blocks_per_sm), number(f.bounds.max_registers)));
}

inline kernel_info describe(const ptx::function& f, const function_image& made) {
  kernel_info k;
  k.name = f.name;
  stacker params(0), in_code(parameters_begin);
  for (const ptx::variable& p : f.params) {
    const std::uint64_t at = params.push(p).address;
    k.parameters.push_back({at, size_bytes(p), in_code.push(p).address - parameters_begin});
  }
  k.parameter_bytes = params.end();
  k.parameter_bytes_in_code = in_code.end() - parameters_begin;
  k.static_shared_bytes = made.shared_bytes;
  k.local_bytes = made.local_bytes;
  std::uint32_t units = 0;
  for (const ptx::register_info& r : f.registers)
    units += ptx::width_bits(r.type) > 32 ? 2 : ptx::width_bits(r.type) > 1 ? 1 : 0;
  k.max_threads = f.bounds.max_threads;
  k.required_threads = f.bounds.required_threads;
  k.register_count = std::min(std::max(units, 16u), most_registers(f));
  k.cluster = f.bounds.cluster;
  k.max_cluster_rank = f.bounds.max_cluster_rank;
  k.needs_cluster = f.bounds.explicit_cluster;
  return k;
}

}  // namespace tg::emulator::detail

TG_LIBRARY_FUNCTION std::shared_ptr<const tg::emulator::program> tg::emulator::program::load(std::string_view ptx,
                                                                                             memory& memory) {
  ptx::line_map lines;
  ptx::module module = ptx::parse(ptx, lines);
  auto made = load(std::move(module), memory, std::move(lines));
  keep_text(ptx);
  return made;
}

TG_LIBRARY_FUNCTION std::shared_ptr<const tg::emulator::program> tg::emulator::program::load(ptx::module module, memory& memory,
                                                                                             ptx::line_map lines) {
  require_target(module);
  ptx::verify(module, ptx::unwritten_reads::allowed);
  require_features(module);
  std::size_t constant_bytes = 0;
  for (const ptx::variable& v : module.variables)
    if (v.space == ptx::token::const_) constant_bytes += detail::size_bytes(v);
  require_room("constant memory", constant_bytes, most_constant_bytes);
  const std::shared_ptr<program> made(new program(memory));
  made->module_ = std::move(module);
  made->lines_ = std::move(lines);
  dynamic_array<placement::place> places(made->module_.variables.size());
  for (std::size_t k = 0; k < places.size(); ++k) {
    const ptx::variable& v = made->module_.variables[k];
    if (v.space != ptx::token::global && v.space != ptx::token::const_) continue;
    if (v.external) throw error(code{401}, "variable '" + v.name + "' is defined nowhere", "define it in the same module");
    const std::uint64_t bytes = std::max<std::uint64_t>(detail::size_bytes(v), 1);
    places[k] = {memory.allocate(bytes, v.space == ptx::token::const_), false, true};
    made->symbols_.emplace_back(v.name, symbol{places[k].address, bytes});
    std::byte* const first = memory.at(places[k].address, bytes);
    if (!v.initial.empty()) std::memcpy(first, v.initial.data(), std::min<std::uint64_t>(bytes, v.initial.size()));
  }
  detail::image image = detail::loader(made->module_, made->lines_, places)();
  for (std::size_t k = 0; k < places.size(); ++k)
    for (const ptx::variable::relocation& r : made->module_.variables[k].relocations) {
      if (!places[k].is_placed) continue;
      const std::uint64_t target =
          r.target.kind == ptx::operand_kind::function ? code_window + code_step * r.target.id : places[r.target.id].address;
      const std::uint64_t value = target + static_cast<std::uint64_t>(r.target.value);
      std::memcpy(memory.at(places[k].address + static_cast<std::uint64_t>(r.offset), 8), &value, 8);
    }
  for (std::size_t k = 0; k < made->module_.functions.size(); ++k) {
    const ptx::function& f = made->module_.functions[k];
    if (!f.is_entry || f.is_external) continue;
    made->kernels_.push_back(detail::describe(f, image.functions[k]));
    const kernel_info& info = made->kernels_.back();
    require_room("parameters of '" + info.name + "'", info.parameter_bytes, most_parameter_bytes(made->module_));
    require_room("static shared memory of '" + info.name + "'", info.static_shared_bytes, analysis::max_static_shared_bytes);
    made->kernel_functions_.push_back(static_cast<std::uint32_t>(k));
  }
  made->image_ = std::make_shared<const detail::image>(std::move(image));
  return made;
}

inline tg::emulator::program::~program() {
  for (const auto& [name, where] : symbols_) memory_.release(where.address);
}

TG_LIBRARY_FUNCTION std::optional<std::size_t> tg::emulator::program::find_kernel(std::string_view name) const {
  for (std::size_t k = 0; k < kernels_.size(); ++k)
    if (kernels_[k].name == name) return k;
  return std::nullopt;
}

TG_LIBRARY_FUNCTION std::optional<tg::emulator::symbol> tg::emulator::program::find_symbol(std::string_view name) const {
  for (const auto& [own, where] : symbols_)
    if (own == name) return where;
  return std::nullopt;
}
