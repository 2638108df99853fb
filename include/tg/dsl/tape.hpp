// What is recorded of a kernel: its IR, and what is known beyond the text of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/analysis/lane_value.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/known_values.hpp>
#include <tg/dsl/open_bodies.hpp>
#include <tg/dsl/open_judgement.hpp>
#include <tg/dsl/tracer.hpp>
#include <tg/ptx/builder.hpp>

namespace tg::detail {

/// A register that a loop steps: start + uniform multiple of step.
struct loop_counter {
  std::uint32_t reg = 0;
  ptx::operand start;
  ptx::operand step;
};

/// A tile in shared memory. One whose size the launch decides has `bytes`, and `begin` behind the first of them, in which
/// all others begin; the first has no `begin`.
struct recorded_tile {
  std::uint32_t variable = 0;
  ptx::shared_tile size;
  ptx::operand begin;
  ptx::operand bytes;
};

/// What a register holds in each warp of the block; one value where it is the same in all.
using warp_values = std::vector<analysis::lane_value>;

/// One kernel on its way into a module.
class tape {
 public:
  tape(ptx::module& m, std::uint32_t function) : build(m, function) {}

  ptx::function& fn() { return build.fn(); }
  ptx::module& mod() { return build.mod(); }

  /// The instruction that computed a register's value; null for a variable, which is not followed.
  const ptx::instruction* definition_of(std::uint32_t reg) { return values.definition_of(fn(), reg); }

  /// The values of each register that an index led to; empty: none did.
  std::vector<warp_values>& followed() {
    followed_.resize(fn().registers.size());
    return followed_;
  }

  ptx::builder build;
  known_values values;
  open_bodies bodies;
  std::uint32_t switches = 0;
  std::vector<std::pair<std::uint32_t, long long>> labels;  // of each switch
  analysis::block_extent block;
  source_location where;
  std::vector<access> accesses;
  std::vector<open_judgement> open;  // `access::open` counts from 1
  std::vector<loop_counter> counters;
  std::vector<recorded_tile> tiles;
  std::vector<std::int64_t> parameter_divisors;
  std::uint32_t emitted = 0;                      // assignments that wait included
  std::vector<std::uint32_t> guarded_selections;  // registers of `tracer::guard_reads_of`
  std::uint32_t effects = 0;                      // writes, atomics, barriers and ordered reads
  std::vector<std::uint32_t> effects_before;      // of each condition: how many there were when it was evaluated last

  /// The variable of one more tile in shared memory.
  ptx::operand new_tile(std::int64_t bytes, std::vector<ptx::shared_tile::extent> extents) {
    auto& variables = mod().variables;
    const auto id = static_cast<std::uint32_t>(variables.size());
    const bool is_sized = !extents.empty();
    ptx::variable& v = variables.emplace_back();
    v.space = ptx::token::shared;
    v.align = ptx::tile_alignment_bytes;
    v.count = is_sized ? -1 : bytes;
    v.name = "tile" + std::to_string(id);
    v.external = is_sized;
    tiles.push_back({id, {v.name, where.file, static_cast<std::uint32_t>(where.line), bytes, std::move(extents)}, {}, {}});
    return mark(ptx::operand::named(ptx::operand_kind::variable, id));
  }

  /// Marks `o` as made by this recording.
  ptx::operand mark(ptx::operand o) const {
    o.recording = number_;
    return o;
  }
  /// The instruction at the end was recorded.
  void count_effect() {
    const ptx::instruction& last = fn().body.back();
    const ptx::effect e = last.op == ptx::opcode::ld ? ptx::effect_of(last) : ptx::detail::facts_of(last.op).does;
    effects += e == ptx::effect::ordered ? last.op == ptx::opcode::ld : e > ptx::effect::ordered && e < ptx::effect::control;
  }
  void evaluated(const ptx::operand& condition) {
    if (condition.id >= effects_before.size()) effects_before.resize(condition.id + 1);
    effects_before[condition.id] = effects;
  }

  /// Errors: TG121 for what another recording made.
  void require_own(std::initializer_list<ptx::operand> operands) const {
    for (const ptx::operand& o : operands) require_own(o);
  }
  void require_own(const ptx::operand& o) const {
    if (o.recording != number_ && o.recording != 0) [[unlikely]]
      refuse_foreign();
  }

 private:
  // 1 to 255, in turn: two recordings with one number lie 255 recordings apart.
  static std::uint8_t next_number() {
    static std::atomic<std::uint32_t> count = 0;
    return static_cast<std::uint8_t>(count.fetch_add(1, std::memory_order_relaxed) % 255 + 1);
  }

  [[noreturn, gnu::cold]] void refuse_foreign() const {
    throw error(code{121}, "a value, variable, view or tile of another kernel is used in this one",
                "make it in this kernel too, or pass it through memory", where);
  }

  std::vector<warp_values> followed_;
  std::uint8_t number_ = next_number();
};

/// The recording in progress on this thread.
inline tracer*& active_tracer() {
  static thread_local tracer* instance = nullptr;
  return instance;
}

inline tracer::tracer(tape& t) : tape_(t), outer_(std::exchange(active_tracer(), this)) {}

inline tracer::~tracer() { active_tracer() = outer_; }

inline tracer& tracer::current(source_location where) {
  tracer* const own = active_tracer();
  if (own == nullptr)
    throw error(code{121}, "a device value was used outside a kernel",
                "values, views and tiles exist only while tg records the kernel's lambda", where);
  if (where.is_known()) own->tape_.build.at(where);
  return *own;
}

inline source_location tracer::where() const { return tape_.where; }

inline void tracer::at(source_location where) {
  tape_.where = where;
  tape_.build.at(where);
}

inline ptx::operand tracer::new_register(ptx::token type) {
  return tape_.mark(ptx::operand::reg(tape_.fn().new_register(type)));
}

inline ptx::operand tracer::new_vector(const ptx::operand* parts, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) tape_.require_own(parts[k]);
  return tape_.fn().new_vector({parts, count});
}

inline ptx::operand tracer::compute(ptx::token type, ptx::opcode op, tokens tokens, operands sources) {
  if (tape_.bodies.needs_care()) [[unlikely]] before_statement(op);
  tape_.require_own(sources);
  const ptx::operand made = tape_.values.compute(tape_.build, type, op, tokens, sources);
  if (type == ptx::token::pred) tape_.evaluated(made);
  return tape_.mark(made);
}

inline void tracer::emit(ptx::opcode op, tokens tokens, operands operands) {
  if (tape_.bodies.needs_care()) [[unlikely]] before_statement(op);
  tape_.require_own(operands);
  ++tape_.emitted;
  tape_.values.emit(tape_.build, op, tokens, operands);
  if (op != ptx::opcode::mov) tape_.count_effect();
}

inline void tracer::emit_access(ptx::opcode op, tokens tokens, operands operands, const access& entry) {
  if (tape_.bodies.needs_care()) [[unlikely]] before_statement(op);
  tape_.require_own(operands);
  ++tape_.emitted;
  tape_.values.emit(tape_.build, op, tokens, operands);
  tape_.count_effect();
  tape_.fn().body.back().access = static_cast<std::uint32_t>(tape_.accesses.size());
  tape_.accesses.push_back(entry);
  tape_.accesses.back().where = tape_.where;
}

inline std::uint32_t tracer::recorded_count() const {
  return tape_.emitted + static_cast<std::uint32_t>(tape_.fn().body.size());
}

inline bool tracer::loop_has_effect() const {
  const auto& body = tape_.fn().body;
  for (std::size_t n = body.size(); n-- > 0 && body[n].op != ptx::opcode::loop;)
    if (!ptx::is_pure(body[n])) return true;
  return false;
}

inline void tracer::guard_reads_of(const ptx::operand& result) { tape_.guarded_selections.push_back(result.id); }

inline void tracer::require_no_effect_since(const ptx::operand& condition) const {
  if (condition.is_reg() && condition.id < tape_.effects_before.size() && tape_.effects_before[condition.id] != tape_.effects)
    throw error(code{137}, "what the right side of && or || does to memory happens whatever the left side says",
                "write the right side as a lambda, i < n && [&] { return ...; }, or name it before",
                tape_.where);
}

inline void tracer::append(const ptx::operand& o) {
  tape_.require_own(o);
  tape_.fn().body.back().add(o);
}

inline void tracer::take_back() {
  tape_.bodies.top().has_pending_rest = false;
  tape_.bodies.look();
  tape_.fn().body.pop_back();
  tape_.values.reopened();
}

inline ptx::operand tracer::load_parameter(ptx::token reg, ptx::token type, long long divisor) {
  auto& params = tape_.fn().params;
  const auto id = static_cast<std::uint32_t>(params.size());
  params.push_back({.type = type, .name = tape_.fn().name + "_param_" + std::to_string(id)});
  tape_.parameter_divisors.push_back(divisor);
  return compute(reg, ptx::opcode::ld, {ptx::token::param, type},
                 {ptx::operand::address(ptx::operand::named(ptx::operand_kind::param, id))});
}

inline ptx::operand tracer::constant_variable(const char* name, ptx::token type, std::size_t count, const void* numbers,
                                              std::size_t bytes) {
  auto& variables = tape_.mod().variables;
  std::uint32_t id = 0;
  while (id < variables.size() && variables[id].name != name) ++id;
  if (id < variables.size() && (variables[id].initial.size() != bytes || std::memcmp(variables[id].initial.data(), numbers, bytes) != 0))
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
inline void tracer::assume_uniform(const ptx::operand& x, long long multiple, bool is_signed) {
  const bool is_wide = tape_.fn().registers[x.id].type == ptx::token::b64;
  const ptx::operand low =
      is_wide ? compute(ptx::token::b32, ptx::opcode::cvt, {ptx::token::u32, ptx::token::u64}, {x}) : x;
  emit(ptx::opcode::assume, {ptx::token::warp, ptx::token::b32},
       {low, ptx::operand::integer(is_wide || is_signed ? multiple & -multiple : multiple)});
  tape_.followed()[x.id] = {analysis::uniform(multiple, is_signed)};
}

inline void tracer::add_counter(const ptx::operand& reg, const ptx::operand& start, const ptx::operand& step) {
  tape_.counters.push_back({reg.id, start, step});
}

}  // namespace tg::detail

#include <tg/dsl/recorded_jump.hpp>
#include <tg/dsl/tile_record.hpp>
