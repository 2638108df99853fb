// Whether an access keeps to its tile, or to the elements that the type of its buffer promises.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/ledger.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/tiles.hpp>
#include <tg/dsl/proof/values.hpp>
#include <tg/ptx/ir/shared_tile.hpp>

namespace tg::proof {

/// What a number that the arguments of a launch decide is as a form; nothing where it does not follow from sums and products.
inline std::optional<form> form_of(const ptx::launch_number& steps, values& v) {
  const auto& params = v.code().params;
  dynamic_array<form> stack;
  for (const ptx::launch_step& s : steps) {
    using enum ptx::launch_step_kind;
    if (s.kind == number) {
      stack.push_back(constant(s.value));
    } else if (s.kind == argument) {
      const auto id = static_cast<std::uint32_t>(s.value);
      if (id >= params.size() || v.is_row_stride(id)) return std::nullopt;
      stack.push_back(v.read_parameter(id, params[id].type));
      if (v.unknowns().has_object(stack.back())) return std::nullopt;
    } else {
      if (stack.size() < 2) return std::nullopt;
      const form b = std::move(stack.back());
      stack.pop_back();
      form& a = stack.back();
      if (s.kind == add || s.kind == sub) {
        a = proof::add(a, b, s.kind == add ? 1 : -1);
      } else {
        const auto product = s.kind == mul ? v.unknowns().product(a, b) : std::nullopt;
        if (!product) return std::nullopt;
        a = *product;
      }
    }
  }
  return stack.size() == 1 ? std::optional(stack[0]) : std::nullopt;
}

/// Bytes of a tile; nothing where it is not known how they follow from the arguments of the launch.
inline std::optional<form> size_of(const tiles& all, std::uint32_t tile, values& v) {
  if (all.bytes(tile) > 0) return constant(all.bytes(tile));
  if (all.sized() == nullptr) return std::nullopt;
  form out = constant(all.sized()->element_bytes);
  for (const ptx::shared_tile::extent& e : all.sized()->extents) {
    const auto extent = form_of(e.size, v);
    const auto product = extent ? v.unknowns().product(out, *extent) : std::nullopt;
    if (!product || product->is_broken) return std::nullopt;
    out = *product;
  }
  return out;
}

/// Asks of one access whether all its bytes are inside. Requires: `u.offset` counts from where the object begins.
inline void check_extents(values& v, ledger& answers, const tiles& all, const dynamic_array<parameter_fact>& parameters,
                          const use& u) {
  const number promised = u.where.is_shared ? 0 : parameters[u.where.id].least_elements * parameters[u.where.id].element_bytes;
  if (!u.where.is_shared && promised <= 0) return;
  answers.ask(question::extents, u.instruction, u.where);
  const std::optional<form> size = u.where.is_shared ? size_of(all, u.where.id, v) : constant(promised);
  constexpr const char* fix = "keep the index inside the extents";
  if (!size)
    return answers.answer_with(question::extents, u.instruction, answer::unknown,
                               "whether the access stays inside its tile is not known: the launch decides its place", fix,
                               u.where);
  limits known(v.unknowns(), u.way.may, {});
  for (form& f : u.way.facts(v.predicates())) known.know(std::move(f));
  const form behind = add(add(u.offset, *size, -1), constant(u.bytes));
  if (known.keeps_to({behind, {}}, 0) && known.keeps_to({scaled(u.offset, -1), {}}, 0)) return;
  // Where the launch decides the size no example is made: whoever launches it may know better.
  const bool is_sized = !size->is_number();
  const std::string tile = is_sized ? "a tile whose size the launch decides" : std::to_string(size->base) + " bytes";
  for (const number argument : arguments_to_try) {
    if (is_sized || !answers.seeks(question::extents, u.instruction)) break;
    const choice chosen(v.unknowns(), v.predicates(), argument, {});
    for (std::size_t t = 0; t < v.threads(); ++t) {
      if (!u.way.may[t]) continue;
      const auto at = chosen.value(u.offset, t);
      if (!at || (*at >= 0 && *at + u.bytes <= size->base)) continue;
      if (!(u.way.is_sure && u.way.must[t]) && chosen.takes(u.way, t) != true) continue;
      const number byte = *at < 0 ? *at : *at + u.bytes - 1;
      const char* const what = u.where.is_shared ? " of a tile of " : " of a buffer that promises ";
      return answers.answer_with(
          question::extents, u.instruction, answer::refuted,
          "thread " + answers.thread_text(t) + " touches byte " + std::to_string(byte) + what + std::to_string(size->base), fix,
          u.where, t, byte);
    }
  }
  answers.answer_with(question::extents, u.instruction, answer::unknown,
                      "whether the access stays inside " + tile + " is not known", fix, u.where);
}

}  // namespace tg::proof
