// The video instructions: on parts of 32-bit words, or on two or four parts at once.
#pragma once

#include <algorithm>

#include <tg/emulator/decode/decoder.hpp>
#include <tg/emulator/image/video_recipe.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/register_part.hpp>

namespace tg::emulator {

namespace detail {

/// A byte or half of a register, as `.b3` or `.h1` names it; the whole where nothing is named.
struct word_part {
  unsigned at = 0;
  unsigned bits = 32;

  static word_part of(decoder& d, const ptx::operand& o) {
    const std::string name = o.is_reg() ? ptx::register_part_name(o.value) : std::string();
    if (name.empty()) return {};
    const unsigned bits = name[0] == 'b' ? 8 : 16, at = bits * static_cast<unsigned>(name[1] - '0');
    if (name.size() != 2 || at >= 32) d.refuse("names no part of one register");
    return {at, bits};
  }
};

/// The register whose part an operand names, or that it negates.
inline ptx::operand whole(ptx::operand o) {
  if (o.is_reg()) o.value = 0;
  o.negated = false;
  return o;
}

/// A source as 32 bits, its part extended as its type says.
inline slot_ref video_source(decoder& d, const ptx::operand& o, bool is_signed) {
  const slot_ref word = d.source(whole(o), lane_type::u32);
  const word_part part = word_part::of(d, o);
  if (part.bits == 32) return word;
  const slot_ref made = d.spare(4);
  d.lanes(lane_op::bfe, is_signed ? lane_type::s32 : lane_type::u32, made,
          {word, d.number(part.at, 4), d.number(part.bits, 4)});
  return made;
}

/// The elements of a SIMD source, picked from a and b: `.h32` are the upper and lower half of b.
inline slot_ref picked(decoder& d, const ptx::operand& o, std::string_view standard, slot_ref a, slot_ref b) {
  std::string name = o.is_reg() ? ptx::register_part_name(o.value) : std::string();
  if (name.empty()) name = standard;
  if (name.size() != standard.size() || name[0] != standard[0]) d.refuse("names too few or other parts");
  std::int64_t selector = 0;
  for (const char digit : name.substr(1)) {
    const std::int64_t k = digit - '0';
    selector = name[0] == 'b' ? selector << 4 | k : selector << 8 | (2 * k + 1) << 4 | 2 * k;
  }
  const slot_ref made = d.spare(4);
  d.lanes(lane_op::prmt, lane_type::u32, made, {a, b, d.number(selector, 4)});
  return made;
}

inline std::uint8_t video_mask(decoder& d, const ptx::operand& o, std::uint8_t elements) {
  const std::string name = o.is_reg() ? ptx::register_part_name(o.value) : std::string();
  std::uint8_t mask = 0;
  for (const char digit : std::string_view(name).substr(std::min<std::size_t>(1, name.size())))
    mask = static_cast<std::uint8_t>(mask | 1u << (digit - '0'));
  if (mask >> elements != 0 || (!name.empty() && (name[0] == 'b') != (elements == 4))) d.refuse("has a wrong mask");
  return name.empty() ? std::uint8_t{0xf} : mask;
}

inline video_recipe::operation video_operation(decoder& d, const ptx::instruction& i) {
  using enum video_recipe::operation;
  std::string_view name = ptx::name(i.op);
  if (name.back() == '2' || name.back() == '4') name.remove_suffix(1);
  if (name == "vset") {
    constexpr std::pair<ptx::token, video_recipe::operation> orders[] = {{ptx::token::eq, eq}, {ptx::token::ne, ne},
                                                                         {ptx::token::lt, lt}, {ptx::token::le, le},
                                                                         {ptx::token::gt, gt}, {ptx::token::ge, ge}};
    for (const auto& [token, how] : orders)
      if (i.has(token)) return how;
  }
  constexpr std::pair<std::string_view, video_recipe::operation> names[] = {
      {"vadd", add}, {"vsub", sub},      {"vabsdiff", absdiff}, {"vmin", min}, {"vmax", max},
      {"vshl", shl}, {"vavrg", average}, {"vshr", shr},         {"vmad", mad}};
  for (const auto& [known, how] : names)
    if (name == known) return how;
  d.refuse();
}

inline void decode_video_elements(decoder& d, const ptx::instruction& i, video_recipe recipe) {
  const slot_ref a = d.source(whole(i[1]), lane_type::u32), b = d.source(whole(i[2]), lane_type::u32),
                 c = d.source(i[3], lane_type::u32);
  const bool is_bytes = recipe.elements == 4;
  recipe.accumulates = i.has(ptx::token::add);
  recipe.mask = video_mask(d, i[0], recipe.elements);
  recipe.clamp_bits = is_bytes ? 8 : 16;
  const slot_ref first = picked(d, i[1], is_bytes ? "b3210" : "h10", a, b),
                 second = picked(d, i[2], is_bytes ? "b7654" : "h32", a, b);
  d.lanes(lane_op::video, lane_type::u32, d.result(whole(i[0]), 4), {first, second, c, d.number(recipe.coded(), 4)});
}

/// The second operation of a scalar video instruction, or where in c its result goes.
inline void decode_video_word(decoder& d, const ptx::instruction& i, video_recipe recipe) {
  using ptx::token;
  const word_part part = word_part::of(d, i[0]);
  recipe.clamp_bits = static_cast<std::uint8_t>(part.bits);
  recipe.adds_one = i.has(token::po);
  if (i.op == ptx::opcode::vmad) {
    recipe.negates_product = i[1].negated != i[2].negated;
    recipe.negates_c = i[3].negated;
    recipe.d_signed = recipe.a_signed || recipe.b_signed || recipe.negates_product || recipe.negates_c;
  }
  recipe.scale = i.has(token::shr7) ? 7 : i.has(token::shr15) ? 15 : 0;
  const slot_ref a = video_source(d, i[1], recipe.a_signed);
  slot_ref b = video_source(d, i[2], recipe.b_signed);
  if (i.has(token::clamp) || i.has(token::wrap)) {
    const slot_ref amount = d.spare(4);
    d.lanes(i.has(token::clamp) ? lane_op::min : lane_op::and_, lane_type::u32, amount,
            {b, d.number(i.has(token::clamp) ? 32 : 31, 4)});
    b = amount;
  }
  const bool has_third = i.operand_count == 4;
  const slot_ref c = has_third ? d.source(whole(i[3]), lane_type::u32) : d.number(0, 4), to = d.result(whole(i[0]), 4);
  const bool combines = has_third && i.op != ptx::opcode::vmad;
  const slot_ref value = combines ? d.spare(4) : to;
  d.lanes(lane_op::video, lane_type::u32, value, {a, b, c, d.number(recipe.coded(), 4)});
  if (!combines) return;
  // The second operation of vset has the type of a. Source: an H100.
  const bool is_signed = i.op == ptx::opcode::vset ? recipe.a_signed : recipe.d_signed;
  const lane_type t = is_signed ? lane_type::s32 : lane_type::u32;
  if (part.bits != 32) d.lanes(lane_op::bfi, lane_type::u32, to, {value, c, d.number(part.at, 4), d.number(part.bits, 4)});
  else if (i.has(token::add)) d.lanes(lane_op::add, t, to, {value, c});
  else if (i.has(token::min) || i.has(token::max)) d.lanes(i.has(token::min) ? lane_op::min : lane_op::max, t, to, {value, c});
  else d.lanes(lane_op::copy, t, to, {value});
}

}  // namespace detail

/// Returns: false when `i` is no video instruction.
inline bool decode_video(decoder& d, const ptx::instruction& i) {
  if (!ptx::has_trait(i.op, ptx::trait::video)) return false;
  video_recipe recipe;
  recipe.how = detail::video_operation(d, i);
  const std::string_view name = ptx::name(i.op);
  const bool compares = name.starts_with("vset");
  recipe.d_signed = !compares && i.token_array[0] == ptx::token::s32;
  recipe.a_signed = i.token_array[compares ? 0 : 1] == ptx::token::s32;
  recipe.b_signed = i.token_array[compares ? 1 : 2] == ptx::token::s32;
  recipe.saturates = i.has(ptx::token::sat);
  recipe.elements = name.back() == '2' ? 2 : name.back() == '4' ? 4 : 1;
  if (recipe.elements == 1) detail::decode_video_word(d, i, recipe);
  else detail::decode_video_elements(d, i, recipe);
  return true;
}

}  // namespace tg::emulator
