// What is recorded of a kernel: its IR, and what is known beyond the text of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tg/analysis/lane_value.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/known_values.hpp>
#include <tg/dsl/recorder/open_bodies.hpp>
#include <tg/dsl/recorder/open_judgement.hpp>
#include <tg/dsl/recorder/rectangle_change.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/ptx/ir/builder.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

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

/// The threads of a block that the body of its kernel does not see: they fetch what pipelines want.
struct producer_part {
  ptx::operand consumes;     // the condition under which a thread runs the body; no register: there is no producer
  ptx::operand fetches;      // that of the branches that they are to run in its place
  bool has_fetches = false;  // there are such branches
};

/// What a register holds in each warp of the block; one value where it is the same in all.
using warp_values = dynamic_array<analysis::lane_value>;

/// One kernel on its way into a module.
class tape {
 public:
  tape(ptx::module& m, std::uint32_t function) : build(m, function) {}

  ptx::function& fn() { return build.fn(); }
  ptx::module& mod() { return build.mod(); }

  /// The instruction that computed a register's value; null for a variable, which is not followed.
  const ptx::instruction* definition_of(std::uint32_t reg) { return values.definition_of(fn(), reg); }

  /// The values of each register that an index led to; empty: none did.
  dynamic_array<warp_values>& followed() {
    followed_.resize(fn().registers.size());
    return followed_;
  }

  ptx::builder build;
  known_values values;
  open_bodies bodies;
  std::uint32_t switches = 0;
  dynamic_array<std::pair<std::uint32_t, long long>> labels;  // of each switch
  dynamic_array<tracer::changes> changes;                     // of object 1, 2, ...
  analysis::block_extent block;
  source_location where;
  dynamic_array<access> accesses;
  dynamic_array<open_judgement> open;  // `access::open` counts from 1
  dynamic_array<loop_counter> counters;
  dynamic_array<recorded_tile> tiles;
  dynamic_array<std::int64_t> parameter_divisors;
  std::uint32_t emitted = 0;                        // assignments that wait included
  dynamic_array<std::uint32_t> guarded_selections;  // registers of `tracer::guard_reads_of`
  dynamic_array<rectangle_change> rectangle_changes;
  producer_part producer;
  std::uint32_t effects = 0;                    // writes, atomics, barriers and ordered reads
  dynamic_array<std::uint32_t> effects_before;  // of each condition: how many there were when it was evaluated last

  /// The variable of one more tile in shared memory.
  ptx::operand new_tile(std::int64_t bytes, dynamic_array<ptx::shared_tile::extent> extents) {
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
    const ptx::effect e = ptx::is_load(last.op) ? ptx::effect_of(last) : ptx::row_of(last.op).does;
    effects += e == ptx::effect::ordered ? ptx::is_load(last.op) : e > ptx::effect::ordered && e < ptx::effect::control;
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

  /// Errors: TG121 unless a number from 1 to `count`, which this recording gave to `count` objects, is one of them.
  void require_own(std::uint32_t number, std::size_t count) const {
    if (number > count) [[unlikely]]
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

  dynamic_array<warp_values> followed_;
  std::uint8_t number_ = next_number();
};

}  // namespace tg::detail
