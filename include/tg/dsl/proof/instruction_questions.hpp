// What one instruction of a kernel is asked: what it touches, who comes to a barrier, whether a warp is whole where its lanes
// exchange values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tg/dsl/proof/access.hpp>
#include <tg/dsl/proof/bulk_questions.hpp>
#include <tg/dsl/proof/division.hpp>
#include <tg/dsl/proof/drawn_numbers.hpp>
#include <tg/dsl/proof/memory.hpp>
#include <tg/dsl/proof/named_barriers.hpp>
#include <tg/dsl/proof/operand_bytes.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// Asks instructions that threads come to by one way, which lives as long as this.
class instruction_questions {
 public:
  instruction_questions(values& v, ledger& l, memory& m, const dynamic_array<ptx::view_map>& maps, const path& way)
      : values_(v), ledger_(l), memory_(m), way_(way), bulk_(v, l, m, maps, way), operands_(v.code(), v) {}

  /// Asks about instruction `i`, number `n`, of the threads on the way. Requires: some thread may be on it.
  void operator()(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    found_ = {};
    has_read_buffer_ = false;
    const bool is_ordering = i.has(token::acquire) || i.has(token::release) || i.has(token::acq_rel);
    if (is_ordering) memory_.doubt(mbarrier_phase_at::nowhere, i.op != opcode::mbarrier);
    if (ptx::has_trait(i.op, ptx::trait::deferred)) return multiply(n, i);
    if (ptx::has_trait(i.op, ptx::trait::meets_block) && i.has(token::cluster)) return meet_in_cluster(n);
    if (ptx::has_trait(i.op, ptx::trait::meets_block)) return i.has(token::warp) ? meet_in_warps(n, i) : meet_in_block(n, i);
    // ldmatrix, mma and others
    if (i.has(token::sync) && i.has(token::aligned))
      ask(n, 32, "instruction of its warp", "call it with all lanes of the warp");
    if (ptx::has_trait(i.op, ptx::trait::access)) return access(n, i);
    switch (i.op) {
      case opcode::cp: return i.has(token::bulk) ? bulk_(n, i) : copy(n, i);
      case opcode::mbarrier: return bulk_.synchronize(n, i);
      case opcode::elect:
      case opcode::shfl:
      case opcode::vote:
      case opcode::redux:
      case opcode::match: return ask_for_whole_warps(n, i);
      default:
        if (const ptx::effect does = ptx::effect_of(i);
            does == ptx::effect::writes_memory || does == ptx::effect::atomic || does == ptx::effect::reads_memory)
          memory_.lose(n, "what this instruction touches is not followed");
        else if (i.has(token::proxy) && i.has(token::async))
          memory_.fence_async_proxy(
              way_, {.shared = !i.has(token::global), .global = !i.has(token::shared_cta) && !i.has(token::shared_cluster)});
        else if (does == ptx::effect::synchronizes && !i.has(token::mbarrier_init))
          memory_.doubt(mbarrier_phase_at::nowhere, true);
    }
  }

  /// What is known of the number that the last access leaves in its register.
  const std::optional<form>& found() const { return found_; }

  /// The instruction that was asked last has left in its register what it found in a buffer.
  void know_register(const ptx::instruction& i) {
    if (!std::exchange(has_read_buffer_, false)) return;
    const form own = values_.form_of(i[0]);
    if (own.is_symbol()) memory_.find(own.terms[0].symbol, ptx::is_signed(i.type()));
  }

  /// Instructions from here on are in a loop that is not followed iteration by iteration, or not. Returns: what was before.
  bool be_repeated(bool is) {
    bulk_.be_repeated(is);
    return std::exchange(is_repeated_, is);
  }

  /// What is known of mbarriers and of copies that they count.
  bulk_questions& bulk() { return bulk_; }
  const bulk_questions& bulk() const { return bulk_; }

  /// Who came to which barriers in an earlier walk; none: not known.
  void know_meetings(const named_barriers* meetings) { known_meetings_ = meetings; }
  /// Who has come to which barriers.
  const named_barriers& meetings() const { return meetings_; }

  /// What became of the barriers with numbers.
  void judge_named_barriers() {
    for (const auto& [n, j] : meetings_.judge()) {
      if (j.what == answer::proved) continue;
      ledger_.answer_with(question::barrier, n, j.what, j.fact,
                          "give the barrier the number of threads that come to it, and let all of them come");
    }
  }

  /// Whether this is a barrier of the block with a number or a number of threads.
  static bool is_named(const ptx::instruction& i) {
    if (!ptx::has_trait(i.op, ptx::trait::meets_block) || i.has(ptx::token::warp) || i.has(ptx::token::cluster)) return false;
    if (i.has(ptx::token::red)) return i.operand_count != 3 || !i[1].is(ptx::operand_kind::integer) || i[1].value != 0;
    return i.operand_count > 1 || !i[0].is(ptx::operand_kind::integer) || i[0].value != 0 || i.has(ptx::token::arrive);
  }

 private:
  using opcode = ptx::opcode;

  void access(std::uint32_t n, const ptx::instruction& i) {
    if (is_unshared(i)) return;
    if (i.has(ptx::token::shared_cluster)) lose_tile(n, "which block's tile is meant is not followed");
    else if (auto u = access_of(values_, way_, n, i)) follow(i, std::move(*u));
    else memory_.lose(n, "the address may be in any memory");
  }

  void follow(const ptx::instruction& i, use u) {
    using ptx::token;
    const bool is_shared = u.where.is_shared, is_word = ptx::is_word(i.type()) && u.bytes * 8 == ptx::width_bits(i.type());
    if (!memory_.touch(std::move(u)) || is_repeated_ || i.is_guarded() || !is_word) return;
    has_read_buffer_ = !is_shared && i.op == opcode::ld && i[0].is_reg();
    if (const auto axis = axis_counted(values_, i)) {
      found_ = memory_.draw(*axis, i.has(token::acq_rel));
    } else if (is_shared && i.op == opcode::st) {
      form number = values_.form_of(i[1]);
      if (!number.is_broken && values_.unknowns().shared(number) <= sharing::block && !values_.unknowns().is_loose(number) &&
          !values_.has_rows(i[1]) && !values_.unknowns().has_object(number))
        memory_.leave(std::move(number));
    } else if (is_shared && i.op == opcode::ld) {
      found_ = memory_.found();
    }
  }

  void copy(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    if (i.has(token::commit_group)) return memory_.commit(way_, group_of::copies);
    if (i.has(token::wait_all)) return memory_.wait(way_, {.all = true});
    if (i.has(token::wait_group)) return memory_.wait(way_, {.left = static_cast<std::uint32_t>(i[0].value)});
    if (!i.has(token::global) || !i[2].is(ptx::operand_kind::integer)) {
      memory_.doubt();
      bulk_.lose_barriers();
      return memory_.lose(n, "what this copy touches is not followed");
    }
    memory_.touch(copy_source(values_, way_, n, i));
    memory_.touch(copy_target(values_, way_, n, i), completion::copy_group);
  }

  bool ask(std::uint32_t n, std::size_t group, const char* what, const char* fix) {
    ledger_.ask(question::barrier, n);
    const division d = divided(values_, way_, group, ledger_.seeks(question::barrier, n));
    if (d.what == division::kind::none) {
      const auto is_of_data = [&](const literal& l) { return values_.predicates().is_of_data(l.condition); };
      if (std::any_of(way_.literals->begin(), way_.literals->end(), is_of_data))
        ledger_.ask(question::barrier, n).rests_on_memory = true;
      return true;
    }
    const bool is_refuted = d.what == division::kind::found;
    ledger_.answer_with(question::barrier, n, is_refuted ? answer::refuted : answer::unknown,
                        is_refuted ? "thread " + ledger_.thread_text(d.comes) + " comes to the " + what + " and thread " +
                                         ledger_.thread_text(d.stays) + " does not"
                                   : std::string("whether all threads come to the ") + what + " depends on data",
                        fix, {}, d.comes, 0, d.branch);
    return false;
  }

  void meet_in_block(std::uint32_t n, const ptx::instruction& i) {
    if (!is_named(i)) {
      const bool is_met =
          ask(n, values_.threads(), "barrier", "move the barrier out of the branch, and let no thread leave before it");
      meetings_.come({.instruction = n,
                      .count = static_cast<int>(values_.threads()),
                      .must = way_.must,
                      .may = way_.may,
                      .is_certain = is_met && way_.is_sure && !is_repeated_});
      if (is_met) memory_.barrier(n, way_, way_.literals->empty() && way_.is_sure);
      else memory_.meet({way_.must}, false);
      return;
    }
    ledger_.ask(question::barrier, n);
    const bool is_known = i[0].is(ptx::operand_kind::integer) && (i.operand_count < 2 || i[1].is(ptx::operand_kind::integer));
    const number id = is_known ? i[0].value : -1;
    const number count = is_known && i.operand_count > 1 ? i[1].value : static_cast<number>(values_.threads());
    meetings_.come({.instruction = n,
                    .id = static_cast<int>(id),
                    .count = static_cast<int>(count),
                    .is_arrival = i.has(ptx::token::arrive),
                    .must = way_.must,
                    .may = way_.may,
                    .is_certain = way_.is_sure && !is_repeated_,
                    .is_sure_to_come = is_known && ledger_.seeks(question::barrier, n) && memory_.comes_any(way_)});
    const bool is_met = known_meetings_ != nullptr && known_meetings_->is_simple(static_cast<int>(id));
    memory_.meet({way_.may}, is_met);
  }

  // Tiles are touched, and nothing is known of where.
  void lose_tile(std::uint32_t n, const char* what) { bulk_.lose_tile(n, what); }

  // One block of a cluster is followed; all come where no branch and no loop of unknown length leads.
  void meet_in_cluster(std::uint32_t n) {
    memory_.doubt();
    const bool is_met = ask(n, values_.threads(), "barrier of its cluster", "let all threads of the cluster come to it");
    if (is_met && (!way_.literals->empty() || is_repeated_ || !way_.is_sure))
      ledger_.answer_with(question::barrier, n, answer::unknown,
                          "whether the other blocks of the cluster come to the barrier is not followed",
                          "move the barrier out of branches and loops");
  }

  // All threads of a warpgroup together read the tiles, until they have waited for the group of the product.
  void multiply(std::uint32_t n, const ptx::instruction& i) {
    using ptx::token;
    constexpr std::size_t group = 128;
    ask(n, group, "product of its warpgroup", "call it with all threads of the warpgroup");
    if (i.has(token::commit_group)) return memory_.commit(way_, group_of::products);
    if (i.has(token::wait_group))
      return memory_.wait(way_, {.left = static_cast<std::uint32_t>(i[0].value), .what = group_of::products});
    if (!i.has(token::mma_async)) return;
    const auto read = operands_.of(n);
    if (!read) {
      memory_.doubt();
      return lose_tile(n, "which tiles a product of a warpgroup reads is not followed");
    }
    for (const operand_bytes& o : *read) {
      if (!memory_.is_tile_aligned(o.start, o.alignment)) {
        lose_tile(n, "a product of a warpgroup reads a tile that does not begin where its swizzle does");
        continue;
      }
      for (const number run : o.runs) {
        memory_.touch({.instruction = n,
                       .where = {true, 0},
                       .offset = add(o.start, constant(run)),
                       .bytes = o.bytes,
                       .reads = true,
                       .has_more = o.has_more,
                       .way = way_},
                      completion::products);
        memory_.see_through_proxy();
      }
    }
  }

  void meet_in_warps(std::uint32_t n, const ptx::instruction& i) {
    const bool are_all = i[0].is(ptx::operand_kind::integer) && static_cast<std::uint32_t>(i[0].value) == 0xffffffff;
    const bool are_whole = are_all && ask(n, 32, "barrier of its warp", "call it with all lanes of the warp");
    memory_.meet({way_.must, true, are_whole ? way_.literals : nullptr}, are_all);
  }

  void ask_for_whole_warps(std::uint32_t n, const ptx::instruction& i) {
    const ptx::operand& mask = i[i.operand_count - 1u];
    if (i.has(ptx::token::sync) && mask.is(ptx::operand_kind::integer) && static_cast<std::uint32_t>(mask.value) == 0xffffffff)
      ask(n, 32, "exchange of its warp", "call it with all lanes of the warp");
  }

  values& values_;
  ledger& ledger_;
  memory& memory_;
  const path& way_;
  bulk_questions bulk_;
  shared_operands operands_;
  named_barriers meetings_;
  const named_barriers* known_meetings_ = nullptr;
  bool is_repeated_ = false;
  std::optional<form> found_;
  bool has_read_buffer_ = false;  // the last access is a plain load of a word from a buffer
};

}  // namespace tg::proof
