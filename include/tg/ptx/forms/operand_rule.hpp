// What one operand of a form may be.
#pragma once

#include <span>

#include <tg/ptx/forms/form_row.hpp>
#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/matrix_shape.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::ptx {

/// What an operand of a form is.
enum class operand_class : std::uint8_t {
  none,
  destination,       // register
  source,            // register or immediate
  predicate,         // written
  predicate_source,  // read, may be negated
  address,
  coordinates,  // inside the brackets of the tensor map before them
  im2col_offsets,
  size_or_predicate,
  immediate,    // a number
  move_source,  // register, immediate, special register, name, or a vector packed or unpacked by mov
  move_destination,
  label,
  label_list,
  callee,
  list,  // of a call
  prototype,
};

/// One operand as a row of the form table describes it.
struct operand_rule {
  enum class from : std::uint8_t { fixed, last, previous, twice_last };

  operand_class kind = operand_class::none;
  from type_from = from::last;
  token fixed = token::none;
  std::uint8_t vector = 0;  // parts of a vector that must be there
  std::uint8_t share = 0;   // the shape's columns per part
  bool counted = false;     // `vector_length(tokens)` parts
  bool wider = false;       // register may be wider than the type
  bool may_pair = false;    // d|p, p|q
  bool must_pair = false;   // the second result must be there
  bool may_sink = false;    // _
  bool optional = false;

  /// The type of the operand in an instruction with `tokens`.
  token type(std::span<const token> tokens) const {
    if (type_from == from::fixed) return fixed;
    token last = token::none, previous = token::none;
    for (const token t : tokens)
      if (is_type(t)) {
        previous = last;
        last = t;
      }
    if (type_from == from::previous) return previous;
    if (type_from == from::last) return last;
    switch (last) {
      case token::u16: return token::u32;
      case token::s16: return token::s32;
      case token::u32: return token::u64;
      case token::s32: return token::s64;
      default: return bits_type(2 * width_bits(last));
    }
  }
};

/// 2, 4 or 8 for .v2, .x4 and so on, else 1.
constexpr int vector_length(std::span<const token> tokens) {
  for (const token t : tokens) switch (t) {
      case token::v2:
      case token::x2: return 2;
      case token::v4:
      case token::x4: return 4;
      case token::v8: return 8;
      default: break;
    }
  return 1;
}

/// Dimensions of the tensor that .1d to .5d name; 0 where none does.
constexpr int tensor_dimensions(std::span<const token> tokens) {
  for (const token t : tokens) switch (t) {
      case token::_1d: return 1;
      case token::_2d: return 2;
      case token::_3d: return 3;
      case token::_4d: return 4;
      case token::_5d: return 5;
      default: break;
    }
  return 0;
}

/// Parts of the vector that an operand of `rule` must be; 0: none.
constexpr int part_count(const operand_rule& rule, std::span<const token> tokens) {
  if (rule.share != 0) return static_cast<int>(to_matrix_shape(tokens).n) / rule.share;
  return rule.vector != 0 ? rule.vector : rule.counted ? vector_length(tokens) : 0;
}

namespace detail {

constexpr operand_class to_operand_class(char letter) {
  switch (letter) {
    case 'd': return operand_class::destination;
    case 'p':
    case 'q': return operand_class::predicate;
    case '!': return operand_class::predicate_source;
    case '[': return operand_class::address;
    case 'i': return operand_class::immediate;
    case 'm': return operand_class::move_source;
    case 't': return operand_class::coordinates;
    case 'o': return operand_class::im2col_offsets;
    case 's': return operand_class::size_or_predicate;
    case 'D': return operand_class::move_destination;
    case 'L': return operand_class::label;
    case 'F': return operand_class::callee;
    case '(': return operand_class::list;
    case 'x': return operand_class::prototype;
    default: return operand_class::source;
  }
}

/// Takes the first rule off `text`, a non-empty operand list of a row.
inline operand_rule next_rule(std::string_view& text) {
  operand_rule out;
  if (text.starts_with("[,")) {
    out.optional = true;
    text.remove_prefix(2);
  } else if (text.front() == ',') {
    text.remove_prefix(1);
    if (text.starts_with("[,")) return next_rule(text);
  }
  out.kind = to_operand_class(text.front());
  if (out.kind == operand_class::predicate || out.kind == operand_class::predicate_source) {
    out.type_from = operand_rule::from::fixed;
    out.fixed = token::pred;
  }
  if (out.kind == operand_class::address) text.remove_prefix(1);
  if (out.kind == operand_class::predicate_source) text.remove_prefix(1);
  text.remove_prefix(1);
  while (!text.empty() && text.front() != ',' && !text.starts_with("[,")) {
    const char c = text.front();
    text.remove_prefix(1);
    switch (c) {
      case '+': out.wider = true; break;
      case '*': out.counted = true; break;
      case '_': out.may_sink = true; break;
      case '&': out.must_pair = true; [[fallthrough]];
      case '|':
        out.may_pair = true;
        text.remove_prefix(1);
        break;
      case '{':
        if (text.front() == '}') {
          out.kind = operand_class::label_list;
        } else if (text.front() == '/') {
          out.share = static_cast<std::uint8_t>(text[1] - '0');
          text.remove_prefix(2);
        } else {
          out.vector = static_cast<std::uint8_t>(text.front() - '0');
          text.remove_prefix(1);
        }
        text.remove_prefix(1);
        break;
      case ':': {
        const std::string_view type = text.substr(0, text.find_first_of(",[]|&+*"));
        text.remove_prefix(type.size());
        if (type == "T") out.type_from = operand_rule::from::last;
        else if (type == "U") out.type_from = operand_rule::from::previous;
        else if (type == "2T") out.type_from = operand_rule::from::twice_last;
        else out.type_from = operand_rule::from::fixed, out.fixed = to_token(type);
        break;
      }
      default: break;  // ']' and ')' close what their opener said
    }
  }
  return out;
}

}  // namespace detail
}  // namespace tg::ptx
