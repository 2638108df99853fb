// Turns the instructions of one function into operations: slots for registers and constants, refusals.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/emulator/image/floating_mode.hpp>
#include <tg/emulator/image/image.hpp>
#include <tg/emulator/image/lane_type.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/print/print.hpp>

namespace tg::emulator {

/// Where the variables of a module and of one function lie, and its instructions in the text.
struct placement {
  struct place {
    std::uint64_t address = 0;  // in the variable's own space
    bool is_dynamic = false;    // unsized shared memory: behind the static part
    bool is_placed = false;
    bool in_frame = false;  // `address` counts from the frame pointer
  };
  dynamic_array<place> variables;      // of the module
  dynamic_array<place> locals;         // of the function
  dynamic_array<place> params;         // of the function, results behind the parameters
  dynamic_array<std::uint32_t> lines;  // PTX line of each instruction; empty: not known
  bool is_stacked = false;             // the function's frame is on the thread's stack
};

/// What an instruction looks like without its operands: `ld.global.f32`.
inline std::string spelling(const ptx::instruction& i) {
  std::string out{ptx::name(i.op)};
  for (const ptx::token t : i.tokens()) out.append(".").append(ptx::name(t));
  return out;
}

class decoder {
 public:
  decoder(const ptx::module& module, std::uint32_t function_index, const placement& where, const lane_code& lanes,
          detail::image& out, std::uint32_t first_slot)
      : module_(module),
        function_(module.functions[function_index]),
        where_(where),
        lanes_(lanes),
        image_(out),
        next_slot_(first_slot) {
    for (const ptx::register_info& r : function_.registers) {
      registers_.push_back(new_slot(ptx::width_bits(r.type) > 32 ? 8 : 4));
      if (ptx::width_bits(r.type) > 64) new_slot(8);  // the upper 64 bits lie behind the lower
    }
    carry_ = new_slot(4);
    if (where.is_stacked) frame_pointer_ = new_slot(8);
  }

  const ptx::module& module() const { return module_; }
  const lane_code& unit() const { return lanes_; }
  const ptx::function& function() const { return function_; }
  const placement& where() const { return where_; }
  detail::image& image() { return image_; }
  const dynamic_array<frame_value>& values() const { return values_; }
  slot_ref carry() const { return carry_; }
  slot_ref frame_pointer() const { return frame_pointer_; }
  /// What lives longer than one instruction.
  dynamic_array<slot_ref> lasting() const {
    dynamic_array<slot_ref> all = registers_;
    for (std::size_t r = 0; r < registers_.size(); ++r)
      if (ptx::width_bits(function_.registers[r].type) > 64) all.push_back({registers_[r].index + 2, 8});
    all.push_back(carry_);
    if (where_.is_stacked) all.push_back(frame_pointer_);
    return all;
  }
  std::uint32_t slot_end() const { return next_slot_; }

  /// Operations from here on come from `i`, number `index` of the function.
  void begin(const ptx::instruction& i, std::uint32_t index) {
    instruction_ = &i;
    is_first_ = i.op != ptx::opcode::assume;  // for which a GPU runs nothing
    spare_used_ = 0;
    image_.instructions.push_back({static_cast<std::uint32_t>(&function_ - module_.functions.data()), index});
    guard_ = i.is_guarded() ? registers_[i.guard].index : no_slot;
    if (i.is_guarded() && !ptx::has_trait(i.op, ptx::trait::branch) && writes(i, i.guard)) {
      const slot_ref kept = spare(4);
      guard_ = no_slot;
      lanes(lane_op::copy, lane_type::u32, kept, {registers_[i.guard]});
      guard_ = kept.index;
    }
  }

  /// Errors: TG400, always.
  [[noreturn]] void refuse(std::string_view why = "is not supported by the emulator") const {
    const ptx::location& at = instruction_->where;
    const std::uint32_t index = image_.instructions.back().index;
    const std::string line = index < where_.lines.size() ? " (PTX line " + std::to_string(where_.lines[index]) + ")" : "";
    const std::string text = "'" + spelling(*instruction_) + "'" + line + " in '" + function_.name + "' " + std::string(why);
    throw error(code{400}, text, "use another form of it, or run the kernel on a GPU",
                at.line == 0 ? std::string{} : module_.files[at.file], static_cast<int>(at.line));
  }

  slot_ref new_slot(unsigned bytes) {
    if (bytes == 8) next_slot_ += next_slot_ & 1;
    const slot_ref made{next_slot_, static_cast<std::uint8_t>(bytes)};
    next_slot_ += bytes / 4;
    return made;
  }

  /// A slot for the inside of this instruction.
  slot_ref spare(unsigned bytes) {
    for (; spare_used_ < spares_.size(); ++spare_used_)
      if (spares_[spare_used_].bytes == bytes) return spares_[spare_used_++];
    ++spare_used_;
    return spares_.emplace_back(new_slot(bytes));
  }
  slot_ref spare(lane_type t) { return spare(static_cast<unsigned>(slot_bytes(t))); }

  /// A slot that always holds what `from` and `value` say.
  slot_ref constant(frame_value::source from, std::int64_t value, unsigned bytes, lane_type type = lane_type::u64) {
    frame_value wanted{{no_slot, static_cast<std::uint8_t>(bytes)}, from, type, value};
    for (auto [at, end] = by_value_.equal_range(value); at != end; ++at) {
      const frame_value& known = values_[at->second];
      wanted.to.index = known.to.index;
      if (known == wanted) return known.to;
    }
    wanted.to = new_slot(bytes);
    by_value_.emplace(value, values_.size());
    return values_.emplace_back(wanted).to;
  }
  slot_ref number(std::int64_t value, unsigned bytes) {
    return constant(frame_value::source::number, bytes == 4 ? static_cast<std::int32_t>(value) : value, bytes);
  }
  slot_ref number(std::int64_t value, lane_type t) { return number(value, static_cast<unsigned>(slot_bytes(t))); }

  slot_ref reg(std::uint32_t id) const { return registers_[id]; }

  /// Where an operand that is written lies; `_` is a slot nobody reads.
  slot_ref result(const ptx::operand& o, unsigned bytes) {
    if (o.kind == ptx::operand_kind::sink) return spare(bytes);
    if (o.kind != ptx::operand_kind::reg) refuse("has a result that is no register");
    if (o.value != 0) refuse("writes a part of a register");
    return registers_[o.id];
  }

  slot_ref result(const ptx::operand& o, lane_type t) { return result(o, static_cast<unsigned>(slot_bytes(t))); }

  /// Where the value of an operand read as `t` lies.
  slot_ref source(const ptx::operand& o, lane_type t) {
    using enum ptx::operand_kind;
    const unsigned bytes = static_cast<unsigned>(slot_bytes(t));
    switch (o.kind) {
      case reg:
        if (o.value != 0) refuse("reads a part of a register");
        return o.negated ? inverted(registers_[o.id]) : registers_[o.id];
      case special: return special_value(static_cast<ptx::special>(o.id), bytes);
      case integer: return number(o.value, bytes);
      case f32:
        return t == lane_type::f64 ? number(std::bit_cast<std::int64_t>(
                                                static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(o.value)))),
                                            8)
                                   : number(o.value, bytes);
      case f64:
        return t == lane_type::f32 ? number(std::bit_cast<std::int32_t>(static_cast<float>(std::bit_cast<double>(o.value))), 4)
                                   : number(o.value, bytes);
      case variable:
      case local:
      case param:
      case function: return symbol(o.kind, o.id, o.value, bytes);
      case address: return symbol(o.base, o.id, o.value, bytes);
      default: refuse("has an operand that cannot be read");
    }
  }

  /// Where the truth of a predicate operand lies; a number holds unless it is 0.
  slot_ref predicate(const ptx::operand& o) {
    return o.kind == ptx::operand_kind::integer ? number(o.value != 0 ? -1 : 0, 4) : source(o, lane_type::u32);
  }

  /// `source` of an operand of type `type`, or `predicate` where that is `.pred`.
  slot_ref value(const ptx::operand& o, ptx::token type) {
    return type == ptx::token::pred ? predicate(o) : source(o, to_lane_type(type));
  }

  slot_ref inverted(slot_ref predicate) {
    const slot_ref made = spare(4);
    lanes(lane_op::not_, lane_type::u32, made, {predicate});
    return made;
  }

  /// The address of a variable in its own space, or of a function.
  slot_ref symbol(ptx::operand_kind kind, std::uint32_t id, std::int64_t offset, unsigned bytes) {
    using enum ptx::operand_kind;
    if (kind == function) return number(static_cast<std::int64_t>(code_window + code_step * id), bytes);
    const auto& list = kind == variable ? where_.variables : kind == local ? where_.locals : where_.params;
    if (id >= list.size() || !list[id].is_placed) refuse("names a variable that has no place");
    const auto value = static_cast<std::int64_t>(list[id].address) + offset;
    if (list[id].is_dynamic) return constant(frame_value::source::dynamic_shared, offset, bytes);
    if (!list[id].in_frame) return number(value, bytes);
    const slot_ref sum = spare(8);
    lanes(lane_op::add, lane_type::u64, sum, {frame_pointer_, number(value, 8)});
    return bytes == 8 ? sum : narrowed(sum, lane_type::u32);
  }

  /// Appends an operation that only looks at its slots.
  void lanes(lane_op op, lane_type t, slot_ref to, std::initializer_list<slot_ref> sources, std::uint32_t mode = 0) {
    lanes(lanes_.find(op, t), {to}, {sources.begin(), sources.size()}, mode);
  }
  void lanes(lane_op op, lane_type t, slot_ref to, std::span<const slot_ref> sources, std::uint32_t mode = 0) {
    lanes(lanes_.find(op, t), {to}, sources, mode);
  }
  void lanes(lane_handler run, std::initializer_list<slot_ref> results, std::span<const slot_ref> sources,
             std::uint32_t mode = 0) {
    if (run == nullptr) refuse();
    operation& made = append(action::lanes);
    made.run = run;
    made.mode = mode;
    for (const slot_ref r : results) add_slot(made, r);
    made.result_count = static_cast<std::uint8_t>(results.size());
    for (const slot_ref s : sources) add_slot(made, s);
  }
  void convert(lane_type to, lane_type from, slot_ref result, slot_ref source, std::uint32_t mode = 0) {
    lanes(lanes_.find_convert(to, from), {result}, {&source, 1}, mode);
  }

  lane_handler handler(lane_op op, lane_type t) const {
    const lane_handler found = lanes_.find(op, t);
    if (found == nullptr) refuse();
    return found;
  }

  operation& append(action act) {
    operation& made = image_.code.emplace_back();
    made.act = act;
    made.is_first = is_first_;
    is_first_ = false;
    made.guard = guard_;
    made.guard_negated = instruction_ != nullptr && guard_ != no_slot && instruction_->guard_negated;
    made.instruction = static_cast<std::uint32_t>(image_.instructions.size() - 1);
    return made;
  }
  void add_slot(operation& o, slot_ref s) {
    if (o.slot_count == operation::max_slots) refuse("has too many operands");
    o.slots[o.slot_count] = s.index;
    o.slot_bytes[o.slot_count++] = s.bytes;
  }

  /// The value with the upper bits that `t` in a slot of `bytes` needs; 64-bit registers are cut down.
  slot_ref narrowed(slot_ref value, lane_type t) {
    if (value.bytes == 4 || slot_bytes(t) == 8) return value;
    const slot_ref low = spare(4);
    convert(lane_type::u32, lane_type::u64, low, value);
    return low;
  }

 private:
  bool writes(const ptx::instruction& i, std::uint32_t id) const {
    const auto is = [&](const ptx::operand& o) { return o.kind == ptx::operand_kind::reg && o.id == id; };
    if (i.operand_count == 0) return false;
    if (i[0].kind != ptx::operand_kind::vector && i[0].kind != ptx::operand_kind::pair) return is(i[0]);
    for (const ptx::operand& part : function_.parts(i[0]))
      if (is(part)) return true;
    return false;
  }

  slot_ref special_value(ptx::special s, unsigned bytes) {
    using enum ptx::special;
    switch (s) {
      case clock:
      case clock_hi:
      case clock64:
      case globaltimer:
      case globaltimer_lo:
      case globaltimer_hi: {
        const slot_ref now = spare(bytes);
        operation& made = append(action::clock);
        add_slot(made, now);
        made.result_count = 1;
        made.detail = s == clock_hi || s == globaltimer_hi ? 32 : 0;
        return now;
      }
      case pm0:
      case pm1:
      case pm2:
      case pm3:
      case envreg0:
      case envreg3:
      case current_graph_exec: refuse("reads a register that the emulator does not have");
      default:
        if (s >= reserved_smem_offset_begin) image_.uses_reserved_shared = true;
        return constant(frame_value::source::special, static_cast<std::int64_t>(s), bytes);
    }
  }

  const ptx::module& module_;
  const ptx::function& function_;
  const placement& where_;
  const lane_code& lanes_;
  detail::image& image_;
  std::uint32_t next_slot_;
  dynamic_array<slot_ref> registers_;
  slot_ref carry_;
  slot_ref frame_pointer_;
  dynamic_array<slot_ref> spares_;
  std::size_t spare_used_ = 0;
  dynamic_array<frame_value> values_;
  std::unordered_multimap<std::int64_t, std::size_t> by_value_;  // places in values_
  const ptx::instruction* instruction_ = nullptr;
  std::uint32_t guard_ = no_slot;
  bool is_first_ = true;
};

}  // namespace tg::emulator
