// What can be proved of a kernel before it runs: races, barriers, uninitialised shared memory, asynchronous copies,
// extents.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/memory/length.hpp>
#include <tg/dsl/proof/finding.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>

namespace tg {

/// The answers to all questions about one kernel, in the order of its text.
class kernel_analysis {
 public:
  kernel_analysis(std::string kernel, dynamic_array<finding> findings, dynamic_array<source_location> redundant)
      : kernel_(std::move(kernel)), findings_(std::move(findings)), redundant_(std::move(redundant)) {}

  /// One answer per question and instruction.
  const dynamic_array<finding>& verdicts() const& { return findings_; }
  dynamic_array<finding> verdicts() && { return std::move(findings_); }

  dynamic_array<finding> with(answer a) const {
    dynamic_array<finding> out;
    std::copy_if(findings_.begin(), findings_.end(), std::back_inserter(out), [&](const finding& f) { return f.answer == a; });
    return out;
  }
  dynamic_array<finding> refuted() const { return with(answer::refuted); }
  dynamic_array<finding> unknown() const { return with(answer::unknown); }

  /// Every question of this kind is answered with yes.
  bool is_proved(question q) const {
    return std::all_of(findings_.begin(), findings_.end(),
                       [&](const finding& f) { return f.question != q || f.answer == answer::proved; });
  }
  /// No two threads race, in shared or global memory, and nothing is used that is still being copied.
  bool race_free() const {
    return is_proved(question::shared_race) && is_proved(question::global_race) && is_proved(question::async_copy);
  }
  /// Every barrier and every exchange of a warp is met by all threads that it waits for.
  bool barriers_met() const { return is_proved(question::barrier); }

  /// What the proofs take for granted of a launch, all together. A kernel that never looks at its blocks is proved for
  /// one block, for example.
  assumptions assumed() const {
    assumptions out;
    for (const finding& f : findings_)
      if (f.answer == answer::proved) out |= f.assumed;
    return out;
  }

  /// Barriers that separate no two accesses of which one needs the other to be over.
  const dynamic_array<source_location>& redundant_barriers() const& { return redundant_; }
  dynamic_array<source_location> redundant_barriers() && { return std::move(redundant_); }

  /// Throws what is refuted. Errors: TG230 to TG235, with both C++ lines.
  const kernel_analysis& require() const {
    for (const finding& f : findings_) {
      if (f.answer != answer::refuted) continue;
      const std::string other = f.other.is_known() ? "; the other line: " + finding::place(f.other) : "";
      throw error(code_of(f.question), kernel_ + ": " + f.fact + other, f.fix, f.where);
    }
    return *this;
  }

  /// One line per answer that is not proved, one for each redundant barrier, and one for what is assumed.
  std::string text() const {
    std::string out = kernel_ + ": " + std::to_string(with(answer::proved).size()) + " proved, " +
                      std::to_string(refuted().size()) + " refuted, " + std::to_string(unknown().size()) + " unknown\n";
    for (const finding& f : findings_)
      if (f.answer != answer::proved) out += "  " + f.text() + "\n";
    for (const source_location& b : redundant_) out += "  redundant barrier (" + finding::place(b) + ")\n";
    if (assumed().any()) out += "  assumed: " + assumed().text() + "\n";
    return out;
  }

 private:
  std::string kernel_;
  dynamic_array<finding> findings_;
  dynamic_array<source_location> redundant_;
};

namespace detail {

kernel_analysis analyze(const recordable& kernel, const dynamic_array<proof::parameter_fact>& parameters);

template <class P> struct parameter_facts;
template <class T, mode M, int R, class... O> struct parameter_facts<view<T, M, R, O...>> {
  static void add(dynamic_array<proof::parameter_fact>& out, int argument) {
    using kind = proof::parameter_fact::kind;
    constexpr view_facts facts = view<T, M, R, O...>::facts;
    out.push_back({.what = kind::buffer,
                   .least_elements = facts.rank == 1 ? facts.least_elements : 0,
                   .element_bytes = sizeof(T),
                   .argument = argument});
    for (int k = facts.rank - 2; k >= 0; --k)
      if (const dimension_step step = facts.step(k); !step.is_known)
        out.push_back({.what = k == facts.rank - 2 ? kind::row_stride : kind::scalar,
                       .multiple_of = step.elements * static_cast<int>(sizeof(T)),
                       .element_bytes = sizeof(T),
                       .example = k == facts.rank - 2 ? 0 : proof::plane_elements(facts.rank, k) * static_cast<int>(sizeof(T)),
                       .argument = argument});
  }
};
template <class T, class C> struct parameter_facts<scalar<T, C>> {
  static void add(dynamic_array<proof::parameter_fact>& out, int argument) {
    out.push_back({.what = proof::parameter_fact::kind::scalar,
                   .multiple_of = promised<C>,
                   .most = promised_most<C>,
                   .argument = argument});
  }
};

template <class P> requires P::is_tensor_map
struct parameter_facts<P> {
  static void add(dynamic_array<proof::parameter_fact>& out, int argument) {
    out.push_back({.what = proof::parameter_fact::kind::scalar, .box_bytes = P::bytes, .argument = argument});
  }
};

template <class... P> dynamic_array<proof::parameter_fact> facts_of(parameter_list<P...>) {
  dynamic_array<proof::parameter_fact> out;
  int argument = 0;
  (parameter_facts<P>::add(out, argument++), ...);
  return out;
}

template <recordable_kernel K> dynamic_array<proof::parameter_fact> facts_of(const K& kernel) {
  if constexpr (is_kernel<K>) return facts_of(typename K::parameters{});
  else return kernel.parameter_facts();
}

}  // namespace detail

/// Follows a kernel for all threads of a block, and for two blocks, and answers every question that its text asks.
/// Taken for granted of every launch: views are different buffers, what `tg::assume` and contracts say holds, and along
/// each axis the grid has fewer than 2^32 threads. What else a proof takes for granted stands in the answer (`assumed`):
/// that there is one block along an axis which the kernel never looks at, that no sum of indices exceeds its type, that
/// columns lie in their rows, that a counter at which each block draws a number is 0 before the launch.
/// Returns: proved, refuted with an example of two threads and two lines, or unknown where data decides.
/// Cost: milliseconds, more than a launch may spend: a test asks, or a program before it launches.
template <recordable_kernel K> kernel_analysis analyze(const K& kernel) {
  return detail::analyze(detail::to_recordable(kernel), detail::facts_of(kernel));
}

}  // namespace tg
