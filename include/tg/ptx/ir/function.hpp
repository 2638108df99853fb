// A kernel or device function: parameters, registers, instructions in order.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/ptx/ir/instruction.hpp>

namespace tg::ptx {

/// A parameter, a module variable or a function-scope variable.
struct variable {
  token space = token::none;  // global, shared, const, local, param; `none` for kernel parameters
  token type = token::b8;
  std::uint32_t align = 0;  // bytes; 0: that of the type
  std::int64_t count = 0;   // elements; 0: a scalar; -1: unsized `[]`, as extern shared memory is
  std::string name = {};
  bool visible = false;                   // .visible
  bool external = false;                  // .extern
  bool weak = false;                      // .weak
  bool managed = false;                   // .attribute(.managed)
  dynamic_array<std::byte> initial = {};  // empty: zero (global, const) or unset (shared, local)
  struct relocation {                     // the address of `variable` or function placed at `offset`
    std::int64_t offset = 0;
    operand target;
    bool generic = false;
    friend bool operator==(const relocation&, const relocation&) = default;
  };
  dynamic_array<relocation> relocations = {};
  friend bool operator==(const variable&, const variable&) = default;
};

/// A virtual register; assigned more than once only if it is a variable of the program.
struct register_info {
  token type = token::b32;
  friend bool operator==(const register_info&, const register_info&) = default;
};

/// Launch bounds written as directives; 0: not given.
struct launch_bounds {
  fixed_array<std::uint32_t, 3> max_threads{};       // .maxntid
  fixed_array<std::uint32_t, 3> required_threads{};  // .reqntid
  std::uint32_t min_blocks_per_sm = 0;               // .minnctapersm
  std::uint32_t max_registers = 0;                   // .maxnreg
  fixed_array<std::uint32_t, 3> cluster{};           // .reqnctapercluster
  std::uint32_t max_cluster_rank = 0;                // .maxclusterrank
  bool explicit_cluster = false;                     // .explicitcluster

  /// Threads of the largest block that .reqntid or .maxntid allows; 0: neither is given.
  std::uint64_t block_threads() const {
    const auto& block = required_threads[0] != 0 ? required_threads : max_threads;
    std::uint64_t out = block[0];
    for (std::size_t i = 1; i < 3; ++i) out = std::min<std::uint64_t>(out * std::max(1u, block[i]), UINT32_MAX);
    return out;
  }
  friend bool operator==(const launch_bounds&, const launch_bounds&) = default;
};

/// Results and parameters of a function called through a register, `.callprototype`.
struct prototype {
  dynamic_array<variable> results;
  dynamic_array<variable> params;
  bool never_returns = false;
  friend bool operator==(const prototype&, const prototype&) = default;
};

/// `.pragma`: a hint to ptxas.
struct pragma {
  std::uint32_t before = no_index;  // which instruction; no_index: in front of the body
  std::string text;
  friend bool operator==(const pragma&, const pragma&) = default;
};

/// Instructions in program order. In structured form, control flow is pairs of markers (`opcode::if_` …); in flat form,
/// labels and branches. `flatten` goes from one to the other; only flat functions are printed.
struct function {
  std::string name;
  bool is_entry = true;
  bool is_visible = true;
  bool is_external = false;  // .extern: declared, defined elsewhere
  bool is_weak = false;
  bool never_returns = false;      // .noreturn
  std::uint32_t alias = no_index;  // .alias: the function of the module that this is another name of
  launch_bounds bounds;
  dynamic_array<variable> results;  // of a .func
  dynamic_array<variable> params;
  dynamic_array<variable> locals;
  dynamic_array<prototype> prototypes;
  dynamic_array<pragma> pragmas;  // in their order
  dynamic_array<register_info> registers;
  dynamic_array<instruction> body;
  dynamic_array<operand> elements;  // operands inside vectors and pairs
  std::uint32_t label_count = 0;

  /// Instructions of the body, those that passes have emptied included.
  std::uint32_t body_size() const { return static_cast<std::uint32_t>(body.size()); }

  std::uint32_t new_register(token type) {
    registers.push_back({type});
    return static_cast<std::uint32_t>(registers.size() - 1);
  }

  operand new_vector(std::span<const operand> parts) {
    operand out{.kind = operand_kind::vector,
                .id = static_cast<std::uint32_t>(elements.size()),
                .value = static_cast<std::int64_t>(parts.size())};
    elements.insert(elements.end(), parts.begin(), parts.end());
    return out;
  }

  operand new_pair(operand first, operand second) {
    const operand parts[] = {first, second};
    operand out = new_vector(parts);
    out.kind = operand_kind::pair;
    return out;
  }

  /// The operands inside a vector or pair.
  std::span<operand> parts(const operand& group) { return {elements.data() + group.id, static_cast<std::size_t>(group.value)}; }
  std::span<const operand> parts(const operand& group) const {
    return {elements.data() + group.id, static_cast<std::size_t>(group.value)};
  }

  friend bool operator==(const function&, const function&) = default;
};

}  // namespace tg::ptx
