// Kernels with a planted fault, and clean twins, as the analysis sees them.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include <tg/dsl.hpp>
#include <tg/dsl/proof/analyze.hpp>

namespace planted {

using namespace tg::literals;

/// The answers of `statements(block, parameters...)` for blocks of `Block`.
template <class Block, class Statements> tg::kernel_analysis analyze(Statements statements) {
  return tg::analyze(tg::kernel<"planted">(
      Block{}, [&](auto block, tg::in<float> x, tg::inout<float> y, tg::inout<unsigned> u, tg::inout2<float> m,
                   tg::scalar<unsigned> n, tg::scalar<unsigned> k) { statements(block, x, y, u, m, n, k); }));
}

/// The statements must be refuted with this question and these lines (0: any) among the answers.
template <class Block = tg::block_t<64>, class Statements>
void check_refuted(tg::question q, int line, int other, Statements statements) {
  const auto a = analyze<Block>(statements);
  INFO(a.text());
  bool is_found = false;
  for (const tg::finding& f : a.refuted()) {
    CHECK(f.question == q);
    is_found = is_found || ((line == 0 || f.where.line == line) && (other == 0 || f.other.line == other));
  }
  CHECK(is_found);
  CHECK_FALSE(a.is_proved(q));
}

/// Nothing may be refuted, and what is asked must be proved.
template <class Block = tg::block_t<64>, class Statements> void check_proved(Statements statements) {
  const auto a = analyze<Block>(statements);
  INFO(a.text());
  CHECK(a.refuted().empty());
  CHECK(a.unknown().empty());
}

/// Nothing may be refuted, nor claimed: data decides.
template <class Block = tg::block_t<64>, class Statements> void check_unknown(tg::question q, Statements statements) {
  const auto a = analyze<Block>(statements);
  INFO(a.text());
  CHECK(a.refuted().empty());
  CHECK_FALSE(a.is_proved(q));
}

/// The number of the error that what is refuted ends with, and whether it names both lines; 0 where nothing is.
inline int thrown(const tg::kernel_analysis& a) {
  try {
    a.require();
  } catch (const tg::error& e) {
    const tg::finding first = a.refuted().front();
    const bool names_both =
        !first.other.is_known() || std::string(e.what()).find(tg::finding::place(first.other)) != std::string::npos;
    return names_both && e.where().line == first.where.line ? e.number() : -1;
  }
  return 0;
}

/// The threads that come here leave the kernel.
inline void leave() { tg::detail::tracer::current().emit(tg::ptx::opcode::exit, {}, {}); }

}  // namespace planted
