// Instructions that ptxas takes and the IR has not, written with those that it has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/codes.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/state_space.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/parse/parse_body.hpp>

namespace tg::ptx::detail {

/// Expands the instruction that was read last.
class expansion {
 public:
  expansion(lexer& in, const module& m, function& f, function_body& body) : in_(in), module_(m), function_(f), body_(body) {}

  /// Stores registers from `first` to a .param variable, or loads them: the instructions go to `out`.
  static void move_parts(const operand& to, std::uint32_t first, std::uint32_t parts, token type, bool stores,
                         dynamic_array<instruction>& out) {
    type = bits_type(width_bits(type));
    for (std::uint32_t part = 0; part < parts; ++part) {
      const operand r = operand::reg(first + part), at = operand::address(to, part * (width_bits(type) / 8));
      out.push_back(stores ? instruction{opcode::st, {token::param, type}, {at, r}}
                           : instruction{opcode::ld, {token::param, type}, {r, at}});
    }
  }

  /// The special register that a cvt between integers reads is moved into a register first.
  void read_special() {
    instruction& i = body_.last();
    if (i.operand_count != 2 || !i[1].is(operand_kind::special) || i.has(token::pack)) return;
    const token to = i.token_count < 2 ? token::none : i.token_array[i.token_count - 2u];
    const auto s = static_cast<special>(i[1].id);
    if (!is_whole_number(to) || !is_whole_number(i.type()) || s == special::is_explicit_cluster) return;
    const token type = is_wide(s) ? token::b64 : token::b32;
    const operand read = operand::reg(function_.new_register(type)), from = i[1];
    i[1] = read;
    body_.put_in_front({{operation::copy(type), {read, from}}});
  }

  /// `mov.v2.u32 {a, b}, {c, d}` becomes a mov of each part. What one writes and a later one reads is kept first.
  void move_vector() {
    const instruction whole = body_.last();
    const token type = whole.type();
    const std::size_t count = whole.has(token::v2) ? 2 : 4;
    const auto is_right = [&](const operand& o) { return o.is(operand_kind::vector) && function_.parts(o).size() == count; };
    const bool has_type = is_integer(type) || is_float(type) || type == token::b16 || type == token::b32 || type == token::b64;
    if (whole.token_count != 2 || whole.operand_count != 2 || !is_right(whole[0]) || !is_right(whole[1]) || !has_type ||
        width_bits(type) * static_cast<int>(count) > 128)
      in_.fail(wrong_operand, "mov." + std::string(name(whole.token_array[0])) + " moves a vector of " + std::to_string(count) +
                                  " parts and at most 128 bits to another");
    dynamic_array<operand> to(function_.parts(whole[0]).begin(), function_.parts(whole[0]).end());
    dynamic_array<operand> from(function_.parts(whole[1]).begin(), function_.parts(whole[1]).end());
    dynamic_array<instruction> moves;
    for (std::size_t k = 1; k < count; ++k) {
      const auto written = std::span(to).first(k);
      if (!from[k].is_reg() || std::find(written.begin(), written.end(), from[k]) == written.end()) continue;
      const operand kept = operand::reg(function_.new_register(function_.registers[from[k].id].type));
      moves.push_back({operation::copy(type), {kept, from[k]}});
      from[k] = kept;
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (to[k].is(operand_kind::sink)) continue;
      instruction part{operation::copy(type), {to[k], from[k]}};
      part.guard = whole.guard;
      part.guard_negated = whole.guard_negated;
      moves.push_back(part);
    }
    body_.replace_last(moves);
  }

  /// Puts the address of an array's element, by number, in front of the instruction that was read last: ld and st access
  /// it, mov and cvta take it for a value.
  void address_of(const operand_parser::element& e) {
    const variable& array = e.array.is(operand_kind::variable) ? module_.variables[e.array.id] : function_.locals[e.array.id];
    const instruction& reader = body_.last();
    const bool is_value =
        computes(reader.op, calculation::copy) || (computes(reader.op, calculation::convert_address) && !reader.has(token::to));
    const bool is_first = reader.operand_count > 0 && reader[0] == operand::address(e.array);
    if (is_value ? is_first : !is_load(reader.op) && !is_store(reader.op))
      in_.fail(wrong_operand, "an element of an array as an operand of '" + std::string(name(reader.op)) + "'",
               "move its address into a register");
    const token named = named_space(reader);
    if (!is_value && e.index.is_reg() && named != array.space && (named != token::none || array.space != token::global))
      in_.fail(wrong_address,
               "an element of an array in ." + std::string(name(array.space)) + " space, in no or another space");
    const std::int64_t offset = e.offset * (width_bits(array.type) / 8);
    operand at = is_value ? e.array : operand::address(e.array, offset);
    if (is_value) at.value = offset;
    if (e.index.is_reg()) at = indexed(e.array, e.index, width_bits(array.type) / 8, offset, is_value);
    for (operand& o : body_.last().operands())
      if (o == operand::address(e.array)) o = at;
  }

 private:
  static bool is_whole_number(token t) { return is_integer(t) || t == token::u8 || t == token::s8; }

  /// The sum of an array's address, a register times `bytes` and `offset`, as an address or a value.
  operand indexed(const operand& array, operand index, std::int64_t bytes, std::int64_t offset, bool is_value) {
    const auto new_word = [&] { return operand::reg(function_.new_register(token::b64)); };
    const operand scaled = new_word(), base = new_word(), size = operand::integer(bytes);
    dynamic_array<instruction> before;
    const int width = width_bits(function_.registers[index.id].type);
    if (width == 16) {
      const operand extended = operand::reg(function_.new_register(token::b32));
      before.push_back({operation::convert(token::s32, token::s16), {extended, index}});
      index = extended;
    }
    if (width == 64) before.push_back({operation::mul_low(token::s64), {scaled, index, size}});
    else before.push_back({operation::mul_wide(token::s32), {scaled, index, size}});
    before.push_back({operation::copy(token::u64), {base, array}});
    before.push_back({operation::add(token::s64), {base, base, scaled}});
    operand out = operand::address(base, offset);
    if (is_value) {
      out = base;
      if (offset != 0) before.push_back({operation::add(token::s64), {base, base, operand::integer(offset)}});
      if (width_bits(body_.last().type()) == 32) {
        out = operand::reg(function_.new_register(token::b32));
        before.push_back({operation::convert(token::u32, token::u64), {out, base}});
      }
    }
    body_.put_in_front(before);
    return out;
  }

  lexer& in_;
  const module& module_;
  function& function_;
  function_body& body_;
};

}  // namespace tg::ptx::detail
