// What a pass may do with an instruction: remove, merge, move, or nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include <tg/ptx/instruction.hpp>

namespace tg::ptx {

/// How an instruction touches the world beyond its results; a later one binds more than an earlier one.
enum class effect : std::uint8_t {
  pure,            // the result follows from the operands: may be removed, merged, moved, computed early
  reads_constant,  // of memory that no one writes while the kernel runs: may be removed, merged, moved after its guard
  reads_memory,    // may be removed; merged or moved only where nothing between writes
  convergent,      // reads other lanes: may be removed; never moved or merged across control flow
  ordered,         // volatile loads, clocks, the carry flag: stays as it is, in its place
  writes_memory,
  atomic,
  synchronizes,  // barriers, fences, waits: memory accesses do not cross it
  control,       // branches, calls, labels and the markers of structured control flow
};

namespace detail {

constexpr bool has_token(const instruction& i, token t) {
  for (std::size_t k = 0; k < i.token_count; ++k)
    if (i.token_array[k] == t) return true;
  return false;
}

/// A register whose value may differ between two reads.
constexpr bool is_changing(special s) {
  return (s >= special::clock && s <= special::globaltimer_hi) || (s >= special::pm0 && s <= special::pm3) ||
         s == special::smid || s == special::warpid;
}

constexpr effect effect_of_load(const instruction& i) {
  const operand& from = i.operand_array[1];
  if (has_token(i, token::volatile_) || has_token(i, token::mmio)) return effect::ordered;
  if (has_token(i, token::acquire)) return effect::synchronizes;
  if (has_token(i, token::relaxed)) return effect::ordered;
  if (has_token(i, token::nc) || has_token(i, token::const_) || from.base == operand_kind::param)
    return effect::reads_constant;
  return effect::reads_memory;
}

// Where modifiers and operands do not say more.
constexpr effect usual_effect(opcode op) {
  if (is_marker(op)) return effect::control;
  switch (op) {
    case opcode::none:
    case opcode::label:
    case opcode::bra:
    case opcode::brx:
    case opcode::call:
    case opcode::exit:
    case opcode::ret:
    case opcode::trap:
      return effect::control;
    case opcode::bar:
    case opcode::barrier:
    case opcode::fence:
    case opcode::membar:
    case opcode::griddepcontrol:
    case opcode::setmaxnreg:
    case opcode::tcgen05:
    case opcode::wgmma:
    case opcode::mbarrier:
      return effect::synchronizes;
    case opcode::atom:
    case opcode::red:
    case opcode::sured:
    case opcode::multimem:
      return effect::atomic;
    case opcode::st:
    case opcode::stmatrix:
    case opcode::sust:
    case opcode::tensormap:
    case opcode::discard:
      return effect::writes_memory;
    case opcode::cp:
      return effect::writes_memory;
    case opcode::activemask:
    case opcode::elect:
    case opcode::ldmatrix:
    case opcode::match:
    case opcode::mma:
    case opcode::movmatrix:
    case opcode::redux:
    case opcode::shfl:
    case opcode::vote:
    case opcode::wmma:
      return effect::convergent;
    case opcode::ld:
    case opcode::ldu:
    case opcode::suld:
    case opcode::tex:
    case opcode::tld4:
      return effect::reads_memory;
    case opcode::addc:
    case opcode::alloca:
    case opcode::applypriority:
    case opcode::assume:
    case opcode::brkpt:
    case opcode::madc:
    case opcode::nanosleep:
    case opcode::pmevent:
    case opcode::prefetch:
    case opcode::prefetchu:
    case opcode::stackrestore:
    case opcode::stacksave:
    case opcode::subc:
      return effect::ordered;
    default:
      return effect::pure;
  }
}

inline constexpr std::uint8_t by_modifiers = 0xff;

constexpr std::uint8_t usual_results(opcode op) {
  if (is_marker(op)) return 0;
  switch (op) {
    case opcode::none:
    case opcode::label:
    case opcode::applypriority:
    case opcode::assume:
    case opcode::bra:
    case opcode::brkpt:
    case opcode::brx:
    case opcode::cp:
    case opcode::discard:
    case opcode::exit:
    case opcode::fence:
    case opcode::griddepcontrol:
    case opcode::membar:
    case opcode::multimem:
    case opcode::nanosleep:
    case opcode::pmevent:
    case opcode::prefetch:
    case opcode::prefetchu:
    case opcode::red:
    case opcode::ret:
    case opcode::setmaxnreg:
    case opcode::st:
    case opcode::stackrestore:
    case opcode::stmatrix:
    case opcode::sured:
    case opcode::sust:
    case opcode::tcgen05:
    case opcode::tensormap:
    case opcode::trap:
      return 0;
    case opcode::bar:
    case opcode::barrier:
    case opcode::mbarrier:
    case opcode::wgmma:
    case opcode::wmma:
      return by_modifiers;
    default:
      return 1;
  }
}

struct opcode_facts {
  effect does = effect::pure;
  std::uint8_t results = 0;
};

// A load of one byte in place of a switch: passes ask this of every instruction.
inline constexpr auto facts = [] {
  std::array<opcode_facts, std::size(opcode_names)> out{};
  for (std::size_t op = 0; op < out.size(); ++op)
    out[op] = {usual_effect(static_cast<opcode>(op)), usual_results(static_cast<opcode>(op))};
  return out;
}();

constexpr const opcode_facts& facts_of(opcode op) { return facts[static_cast<std::size_t>(op)]; }

constexpr effect effect_of_arithmetic(const instruction& i) {
  if (has_token(i, token::cc)) return effect::ordered;
  for (std::size_t k = 0; k < i.operand_count; ++k)
    if (const operand& o = i.operand_array[k]; o.kind == operand_kind::special && is_changing(static_cast<special>(o.id)))
      return effect::ordered;
  return effect::pure;
}

constexpr bool is_group_step(const instruction& i) {
  return has_token(i, token::commit_group) || has_token(i, token::wait_group) || has_token(i, token::wait_all) ||
         has_token(i, token::mbarrier);
}

constexpr int results_by_modifiers(const instruction& i) {
  switch (i.op) {
    case opcode::bar:
    case opcode::barrier:
      return has_token(i, token::red) ? 1 : 0;
    case opcode::mbarrier:
      return has_token(i, token::arrive) || has_token(i, token::arrive_drop) || has_token(i, token::test_wait) ||
             has_token(i, token::try_wait) || has_token(i, token::pending_count);
    case opcode::wgmma:
      return has_token(i, token::mma_async) ? 1 : 0;
    default:
      return has_token(i, token::store) ? 0 : 1;
  }
}

}  // namespace detail

/// What `i` does beyond its results.
constexpr effect effect_of(const instruction& i) {
  const effect usual = detail::facts_of(i.op).does;
  if (usual == effect::pure) return detail::effect_of_arithmetic(i);
  switch (i.op) {
    case opcode::ld:
    case opcode::ldu:
      return detail::effect_of_load(i);
    case opcode::cp:
      return detail::is_group_step(i) ? effect::synchronizes : usual;
    case opcode::wmma:
      return detail::has_token(i, token::store) ? effect::writes_memory : usual;
    default:
      return usual;
  }
}

/// Textures and surfaces, which `verify` refuses.
constexpr bool is_texture(opcode op) {
  return op == opcode::istypep || op == opcode::suld || op == opcode::suq || op == opcode::sured ||
         op == opcode::sust || op == opcode::tex || op == opcode::tld4 || op == opcode::txq;
}

constexpr bool is_pure(const instruction& i) { return effect_of(i) == effect::pure; }

/// An instruction whose result nobody reads may go if this holds.
constexpr bool is_removable(const instruction& i) { return effect_of(i) <= effect::convergent; }

/// How many leading operands are written; a vector or pair counts as one, and so does the result list of a call.
constexpr int result_count(const instruction& i) {
  const std::uint8_t usual = detail::facts_of(i.op).results;
  return usual != detail::by_modifiers ? usual : detail::results_by_modifiers(i);
}

}  // namespace tg::ptx
