// How a tracer appends to the recording: instructions, accesses, parameters, tiles and constants.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/launch_number_maker.hpp>
#include <tg/dsl/recorder/tape.hpp>

namespace tg::detail {

[[gnu::used]] inline constexpr char include_tg_library_hpp_in_one_source_file = 0;

/// The recording in progress on this thread.
inline tracer*& active_tracer() {
  static thread_local tracer* instance = nullptr;
  return instance;
}

TG_LIBRARY_FUNCTION tracer* tracer::exchange_active(tracer* t) { return std::exchange(active_tracer(), t); }

TG_LIBRARY_FUNCTION tracer& tracer::current(source_location where) {
  tracer* const own = active_tracer();
  if (own == nullptr)
    throw error(code{121}, "a device value was used outside a kernel",
                "values, views and tiles exist only while tg records the kernel's lambda", where);
  if (where.is_known()) own->tape_.build.at(where);
  return *own;
}

TG_LIBRARY_FUNCTION source_location tracer::where() const { return tape_.where; }

TG_LIBRARY_FUNCTION tracer& tracer::begin(source_location where) {
  tracer& own = current(where);
  own.at(where);
  return own;
}

TG_LIBRARY_FUNCTION void tracer::at(source_location where) {
  tape_.where = where;
  tape_.build.at(where);
}

TG_LIBRARY_FUNCTION ptx::operand tracer::new_register(ptx::token type) {
  return tape_.mark(ptx::operand::reg(tape_.fn().new_register(type)));
}

TG_LIBRARY_FUNCTION void tracer::new_registers(ptx::operand* out, int count, ptx::token type, ptx::token move,
                                               const ptx::operand& x) {
  for (int i = 0; i < count; ++i) {
    out[i] = new_register(type);
    assign(move, out[i], x);
  }
}

TG_LIBRARY_FUNCTION ptx::operand tracer::new_vector(const ptx::operand* parts, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) tape_.require_own(parts[k]);
  return tape_.fn().new_vector({parts, count});
}

TG_LIBRARY_FUNCTION ptx::operand tracer::compute(ptx::token type, ptx::opcode op, tokens tokens, operands sources) {
  if (tape_.bodies.needs_care()) [[unlikely]]
    before_statement(op);
  tape_.require_own(sources);
  const ptx::operand made = tape_.values.compute(tape_.build, type, op, tokens, sources);
  if (type == ptx::token::pred) tape_.evaluated(made);
  return tape_.mark(made);
}

TG_LIBRARY_FUNCTION ptx::operand tracer::compute(ptx::token type, const ptx::operation& what, operands sources) {
  const ptx::token first = what.tokens[0], second = what.tokens[1], third = what.tokens[2];
  if (second == ptx::token::none) return compute(type, what.op, {first}, sources);
  if (third == ptx::token::none) return compute(type, what.op, {first, second}, sources);
  return compute(type, what.op, {first, second, third}, sources);
}

TG_LIBRARY_FUNCTION ptx::operand compute_two(ptx::token type, ptx::opcode op, ptx::token modifier, ptx::token own,
                                             const ptx::operand& a, const ptx::operand& b) {
  return tracer::current().compute(type, op, {modifier, own}, {a, b});
}

TG_LIBRARY_FUNCTION void tracer::emit(ptx::opcode op, tokens tokens, operands operands) {
  if (tape_.bodies.needs_care()) [[unlikely]]
    before_statement(op);
  tape_.require_own(operands);
  ++tape_.emitted;
  tape_.values.emit(tape_.build, op, tokens, operands);
  if (op != ptx::opcode::mov) tape_.count_effect();
}

TG_LIBRARY_FUNCTION void tracer::settle(const ptx::operand& registers) { tape_.values.settle(tape_.build, {registers}); }

TG_LIBRARY_FUNCTION void tracer::emit_access(ptx::opcode op, tokens tokens, operands operands, const access& entry) {
  if (tape_.bodies.needs_care()) [[unlikely]]
    before_statement(op);
  tape_.require_own(operands);
  ++tape_.emitted;
  tape_.values.emit(tape_.build, op, tokens, operands);
  tape_.count_effect();
  tape_.fn().body.back().access = static_cast<std::uint32_t>(tape_.accesses.size());
  tape_.accesses.push_back(entry);
  tape_.accesses.back().where = tape_.where;
}

TG_LIBRARY_FUNCTION std::uint32_t tracer::recorded_count() const {
  return tape_.emitted + static_cast<std::uint32_t>(tape_.fn().body.size());
}

TG_LIBRARY_FUNCTION bool tracer::loop_has_effect() const {
  const auto& body = tape_.fn().body;
  for (std::size_t n = body.size(); n-- > 0 && body[n].op != ptx::opcode::loop;)
    if (!ptx::is_pure(body[n])) return true;
  return false;
}

TG_LIBRARY_FUNCTION void tracer::guard_reads_of(const ptx::operand& result) { tape_.guarded_selections.push_back(result.id); }

TG_LIBRARY_FUNCTION void tracer::require_no_effect_since(const ptx::operand& condition) const {
  if (condition.is_reg() && condition.id < tape_.effects_before.size() && tape_.effects_before[condition.id] != tape_.effects)
    throw error(code{137}, "what the right side of && or || does to memory happens whatever the left side says",
                "write the right side as a lambda, i < n && [&] { return ...; }, or name it before", tape_.where);
}

TG_LIBRARY_FUNCTION void tracer::append(const ptx::operand& o) {
  tape_.require_own(o);
  tape_.fn().body.back().add(o);
}

TG_LIBRARY_FUNCTION void tracer::take_back() {
  tape_.bodies.top().has_pending_rest = false;
  tape_.bodies.look();
  tape_.fn().body.pop_back();
  tape_.values.reopened();
}

TG_LIBRARY_FUNCTION ptx::operand tracer::load_parameter(ptx::token reg, ptx::token type, long long divisor) {
  auto& params = tape_.fn().params;
  const auto id = static_cast<std::uint32_t>(params.size());
  params.push_back({.type = type, .name = tape_.fn().name + "_param_" + std::to_string(id)});
  tape_.parameter_divisors.push_back(divisor);
  return load(reg, {ptx::token::param, type}, ptx::operand::address(ptx::operand::named(ptx::operand_kind::param, id)));
}

TG_LIBRARY_FUNCTION ptx::operand tracer::constant_variable(const char* name, ptx::token type, std::size_t count,
                                                           const void* numbers, std::size_t bytes) {
  auto& variables = tape_.mod().variables;
  std::uint32_t id = 0;
  while (id < variables.size() && variables[id].name != name) ++id;
  if (id < variables.size() &&
      (variables[id].initial.size() != bytes || std::memcmp(variables[id].initial.data(), numbers, bytes) != 0))
    throw error(code{187}, "two constant tables of this kernel have the name '" + std::string(name) + "' and different numbers",
                "give each table a name of its own", tape_.where);
  if (id == variables.size()) {
    ptx::variable& added = variables.emplace_back();
    added.space = ptx::token::const_;
    added.type = type;
    added.count = static_cast<std::int64_t>(count);
    added.name = name;
    added.initial.resize(bytes);
    std::memcpy(added.initial.data(), numbers, bytes);
  }
  return ptx::operand::named(ptx::operand_kind::variable, id);
}

// The emulator asks the lanes of each warp. Of 64 bits it sees the lower half, in which powers of two stay divisors.
TG_LIBRARY_FUNCTION void tracer::assume_uniform(const ptx::operand& x, long long multiple, bool is_signed) {
  const bool is_wide = tape_.fn().registers[x.id].type == ptx::token::b64;
  const ptx::operand low =
      is_wide ? compute(ptx::token::b32, ptx::operation::convert(ptx::token::u32, ptx::token::u64), {x}) : x;
  emit(ptx::opcode::assume, {ptx::token::warp, ptx::token::b32},
       {low, ptx::operand::integer(is_wide || is_signed ? multiple & -multiple : multiple)});
  tape_.followed()[x.id] = {analysis::uniform(multiple, is_signed)};
}

TG_LIBRARY_FUNCTION void tracer::add_counter(const ptx::operand& reg, const ptx::operand& start, const ptx::operand& step) {
  tape_.counters.push_back({reg.id, start, step});
}

TG_LIBRARY_FUNCTION ptx::operand tracer::new_tile(std::int64_t bytes) { return tape_.new_tile(bytes, {}); }

TG_LIBRARY_FUNCTION void tracer::align_tile(const ptx::operand& variable, std::int64_t bytes) {
  tape_.require_own(variable);
  std::uint32_t& align = tape_.mod().variables[variable.id].align;
  align = std::max(align, static_cast<std::uint32_t>(bytes));
}

TG_LIBRARY_FUNCTION ptx::operand tracer::new_sized_tile(std::int64_t element_bytes,
                                                        std::initializer_list<tile_extent> extents) {
  using ptx::operand;
  const auto combine = [&](const ptx::operation& what, const operand& a, const operand& b) {
    return compute(ptx::token::b32, what, {a, b});
  };
  dynamic_array<ptx::shared_tile::extent> sizes;
  for (const tile_extent& e : extents)
    sizes.push_back({launch_number_maker(tape_, tape_.where)(e.size), e.divisor, e.remainder});

  // It begins behind the one before it, at a multiple of `tile_alignment_bytes`.
  const recorded_tile* before = nullptr;
  for (const recorded_tile& t : tape_.tiles)
    if (!ptx::is_fixed(t.size)) before = &t;
  operand begin;
  if (before != nullptr) {
    const operand end =
        combine(ptx::operation::add(ptx::token::u32), before->bytes, operand::integer(ptx::tile_alignment_bytes - 1));
    const operand bytes =
        compute(ptx::token::b32, ptx::operation::bit_and(ptx::token::b32), {end, operand::integer(-ptx::tile_alignment_bytes)});
    begin = before->begin.is_reg() ? combine(ptx::operation::add(ptx::token::u32), before->begin, bytes) : bytes;
  }
  operand bytes = copy(ptx::token::b32, ptx::token::u32, operand::integer(element_bytes));
  for (const tile_extent& e : extents) bytes = combine(ptx::operation::mul_low(ptx::token::u32), bytes, e.size);

  const operand variable = tape_.new_tile(element_bytes, std::move(sizes));
  tape_.tiles.back().begin = begin;
  tape_.tiles.back().bytes = bytes;
  return copy(ptx::token::b32, ptx::token::u32, variable);
}

}  // namespace tg::detail
