// The value of an instruction whose sources are all immediate, exactly as the machine computes it.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <optional>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>
#include <tg/ptx/meaning/constant_domain.hpp>

namespace tg::ptx {

/// The result as an immediate operand, or nothing where it is not exactly known. Predicates are 0 and -1.
std::optional<operand> evaluate(const instruction& i);

namespace detail {

template <class T> constexpr bool holds(token comparison, T a, T b) {
  if (a != a || b != b) return false;  // NaN: also for `ne`, the unordered forms have names of their own
  switch (comparison) {
    case token::eq: return a == b;
    case token::ne: return a != b;
    case token::lt:
    case token::lo: return a < b;
    case token::le:
    case token::ls: return a <= b;
    case token::gt:
    case token::hi: return a > b;
    case token::ge:
    case token::hs: return a >= b;
    default: return false;
  }
}

constexpr bool is_ordinary_comparison(token t) {
  return t == token::eq || t == token::ne || t == token::lt || t == token::le || t == token::gt || t == token::ge ||
         t == token::lo || t == token::ls || t == token::hi || t == token::hs;
}

template <class T> T to_float(const operand& o) {
  if constexpr (sizeof(T) == 4) return std::bit_cast<float>(static_cast<std::uint32_t>(o.value));
  else return std::bit_cast<double>(o.value);
}

template <class T> std::optional<operand> float_operand(T value) {
  if (std::isnan(value)) return std::nullopt;  // which NaN it is differs from machine to machine
  if constexpr (sizeof(T) == 4) return operand::f32(value);
  else return operand::f64(value);
}

template <class T> T larger(T a, T b) {  // +0 is larger than -0
  return a == b ? (std::signbit(a) ? b : a) : (a < b ? b : a);
}

// Round to nearest is what the host does too; other roundings, flushing and saturation are left to the machine.
template <class T> std::optional<operand> float_value(const instruction& i) {
  for (const token t : {token::ftz, token::sat, token::approx, token::full, token::rz, token::rm, token::rp, token::NaN,
                        token::abs, token::xorsign})
    if (i.has(t)) return std::nullopt;
  const T a = to_float<T>(i[1]);
  const T b = i.operand_count > 2 ? to_float<T>(i[2]) : T(0);
  if (std::isnan(a) || std::isnan(b)) return std::nullopt;
  if (i.op == opcode::sqrt) return float_operand(std::sqrt(a));
  switch (calculation_of(i.op)) {
    case calculation::copy: return i[1];
    case calculation::add: return float_operand(a + b);
    case calculation::sub: return float_operand(a - b);
    case calculation::mul: return float_operand(a * b);
    case calculation::div: return float_operand(a / b);
    case calculation::fused_mul_add: return float_operand(std::fma(a, b, to_float<T>(i[3])));
    case calculation::neg: return float_operand(-a);
    case calculation::abs: return float_operand(std::fabs(a));
    case calculation::min: return float_operand(-larger(-a, -b));
    case calculation::max: return float_operand(larger(a, b));
    default: return std::nullopt;
  }
}

// Between integers, from integers to floats, and from f32 to f64.
inline std::optional<operand> converted(const instruction& i) {
  if (i.token_count < 2 || i.has(token::sat) || i.has(token::ftz)) return std::nullopt;
  const token from = i.type();
  const token to = i.token_array[i.token_count - 2u];
  if (from == token::f32 && to == token::f64) return float_operand(static_cast<double>(to_float<float>(i[1])));
  if (from != token::u8 && from != token::s8 && !is_word(from)) return std::nullopt;
  const std::int64_t value = number_in(i[1].value, from);
  const bool is_huge = !is_signed(from) && value < 0;
  if (is_float(to)) {
    if (!i.has(token::rn)) return std::nullopt;
    const auto large = static_cast<std::uint64_t>(value);
    if (to == token::f32) return operand::f32(is_huge ? static_cast<float>(large) : static_cast<float>(value));
    return operand::f64(is_huge ? static_cast<double>(large) : static_cast<double>(value));
  }
  if (!is_integer(to)) return std::nullopt;
  return operand::integer(sign_extend(value, width_bits(to)));
}

inline std::optional<operand> compared(const instruction& i) {
  if (i.token_count != 2 || !is_ordinary_comparison(i.token_array[0])) return std::nullopt;
  const token comparison = i.token_array[0];
  bool result = false;
  if (i.type() == token::f32) result = holds(comparison, to_float<float>(i[1]), to_float<float>(i[2]));
  else if (i.type() == token::f64) result = holds(comparison, to_float<double>(i[1]), to_float<double>(i[2]));
  else if (is_signed(i.type())) result = holds(comparison, i[1].value, i[2].value);
  else result = holds(comparison, low_bits(i[1].value, width_bits(i.type())), low_bits(i[2].value, width_bits(i.type())));
  return operand::integer(result ? -1 : 0);
}

}  // namespace detail

inline std::optional<operand> evaluate(const instruction& i) {
  if (i.operand_count < 2 || !i[0].is_reg() || i.is_guarded()) return std::nullopt;
  for (std::size_t k = 1; k < i.operand_count; ++k)
    if (!i[k].is_immediate() || i[k].negated) return std::nullopt;
  if (computes(i.op, calculation::compare)) return detail::compared(i);
  if (computes(i.op, calculation::convert)) return detail::converted(i);
  if (i.type() == token::f32) return detail::float_value<float>(i);
  if (i.type() == token::f64) return detail::float_value<double>(i);
  if (!is_word(i.type())) return std::nullopt;
  if (i.has(token::cc)) return std::nullopt;
  const auto value = integer_result(i, constant_domain(), [&](std::size_t k) { return std::optional(i[k].value); });
  if (!value) return std::nullopt;
  const int bits = width_bits(i.type()) * (i.has(token::wide) ? 2 : 1);
  return operand::integer(sign_extend(*value, bits));
}

}  // namespace tg::ptx
