// Runs many instructions on many operands in one launch, and compares what comes out with an evaluation of its own.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "machine.hpp"

namespace conformance {

using runner::words;

/// Operand k of row r is columns[k][r]; see `snippet`.
using columns = std::vector<words>;

/// One instruction. Operand k is in %rd{10+k} and, cut down, in %r{10+k}, %h{10+k}, %f{10+k}, %fd{10+k}; the truth of
/// its lowest bit in %p{3+k}, k < 4. The result is left in `result`: "%r20", "%rd30", "%h19", "%f19", "%fd19" or "%p9".
struct snippet {
  std::string body;
  std::string result;
};

inline std::string as_word(const std::string& result) {
  if (result.starts_with("%p")) return "selp.u64 %rd7, 1, 0, " + result + ";\n";
  if (result.starts_with("%rd") || result.starts_with("%fd")) return "mov.b64 %rd7, " + result + ";\n";
  if (result.starts_with("%h")) return "cvt.u64.u16 %rd7, " + result + ";\n";
  return "mov.b32 %r7, " + result + "; cvt.u64.u32 %rd7, %r7;\n";
}

/// The kernel that runs all snippets for every row: p0 inputs, p1 outputs, p2 rows.
inline std::string batch_text(std::size_t arity, std::span<const snippet> all) {
  std::string text = "mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mad.lo.u32 %r0, %r1, %r2, %r0;\n"
                     "cvt.u32.u64 %r3, %rd2; setp.ge.u32 %p0, %r0, %r3; @%p0 bra end;\n"
                     "mul.wide.u32 %rd5, %r0, 8; add.u64 %rd6, %rd5, %rd1; add.u64 %rd5, %rd5, %rd0; shl.b64 %rd4, %rd2, 3;\n";
  for (std::size_t k = 0; k < arity; ++k) {
    const std::string n = std::to_string(10 + k);
    text += "ld.global.u64 %rd" + n + ", [%rd5]; add.u64 %rd5, %rd5, %rd4; cvt.u32.u64 %r" + n + ", %rd" + n +
            "; cvt.u16.u32 %h" + n + ", %r" + n + "; mov.b32 %f" + n + ", %r" + n + "; mov.b64 %fd" + n + ", %rd" + n + ";\n";
    if (k < 4) text += "and.b32 %r9, %r" + n + ", 1; setp.ne.u32 %p" + std::to_string(3 + k) + ", %r9, 0;\n";
  }
  for (const snippet& s : all)
    text += s.body + "\n" + as_word(s.result) + "st.global.u64 [%rd6], %rd7; add.u64 %rd6, %rd6, %rd4;\n";
  return runner::kernel_text(text + "end:\n");
}

/// What each snippet leaves for each row.
inline std::vector<words> run(const columns& inputs, std::span<const snippet> all) {
  const std::size_t rows = inputs[0].size();
  machine b(batch_text(inputs.size(), all));
  words flat;
  for (const words& column : inputs) flat.insert(flat.end(), column.begin(), column.end());
  const std::uint64_t in = b.upload(flat), out = b.upload(words(rows * all.size()));
  b.run({{static_cast<std::uint32_t>((rows + 255) / 256)}, {256}}, {in, out, rows});
  std::vector<words> results;
  for (std::size_t k = 0; k < all.size(); ++k) results.push_back(b.download<std::uint64_t>(out + k * rows * 8, rows));
  return results;
}

/// One form and its evaluation: the operands of a row → the result's bits.
struct form_case {
  snippet form;
  std::function<std::uint64_t(const std::uint64_t*)> expected;
  bool (*equal)(std::uint64_t got, std::uint64_t want) = nullptr;  // null: the same bits
};

/// What is wrong with each form that is not as expected, its first wrong row named.
inline std::vector<std::string> differences(const columns& inputs, const std::vector<form_case>& cases) {
  constexpr std::size_t at_once = 12;
  std::vector<std::string> out;
  std::vector<std::uint64_t> row(inputs.size());
  const auto read_row = [&](std::size_t r) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = inputs[j][r];
    return row.data();
  };
  for (std::size_t from = 0; from < cases.size(); from += at_once) {
    const std::size_t count = std::min(at_once, cases.size() - from);
    std::vector<snippet> forms;
    for (std::size_t k = 0; k < count; ++k) forms.push_back(cases[from + k].form);
    const auto results = run(inputs, forms);
    for (std::size_t k = 0; k < count; ++k) {
      const form_case& c = cases[from + k];
      std::size_t wrong = 0, first = 0;
      for (std::size_t r = 0; r < inputs[0].size(); ++r) {
        const std::uint64_t want = c.expected(read_row(r)), got = results[k][r];
        if (got == want || (c.equal != nullptr && c.equal(got, want))) continue;
        if (wrong++ == 0) first = r;
      }
      if (wrong == 0) continue;
      const std::uint64_t want = c.expected(read_row(first));
      std::string operands;
      for (const std::uint64_t v : row) operands += (operands.empty() ? "" : ", ") + tg::emulator::hex(v);
      out.push_back(c.form.body + " of " + operands + ": " + tg::emulator::hex(results[k][first]) + ", not " +
                    tg::emulator::hex(want) + "; " + std::to_string(wrong) + " rows are wrong");
    }
  }
  return out;
}

inline void check_forms(const columns& inputs, const std::vector<form_case>& cases) {
  CHECK_GT(cases.size(), 0);
  for (const std::string& difference : differences(inputs, cases)) FAIL_CHECK(difference);
}

/// Values that one operand takes.
inline words every(std::uint64_t count) {
  words out(count);
  for (std::uint64_t k = 0; k < count; ++k) out[k] = k;
  return out;
}

/// Every combination of the edge values, then `random` rows of random bits, a quarter of them edge values.
inline columns edges_and_random(const words& edges, std::size_t arity, std::size_t random, std::uint64_t mask,
                                unsigned seed = 1) {
  columns out(arity);
  for (const words& row : runner::combinations(edges, arity))
    for (std::size_t k = 0; k < arity; ++k) out[k].push_back(row[k]);
  std::mt19937_64 bits(seed);
  for (std::size_t r = 0; r < random; ++r)
    for (words& column : out) {
      const std::uint64_t v = bits();
      column.push_back((bits() & 3) == 0 ? edges[v % edges.size()] : v & mask);
    }
  return out;
}

/// All 2^16 values against each edge value in both orders, then random pairs.
inline columns sixteen_bit_pairs(const words& edges, std::size_t random = 100000) {
  columns out = edges_and_random(edges, 2, random, 0xffff);
  for (const std::uint64_t e : edges)
    for (std::uint64_t v = 0; v < 0x10000; ++v) {
      out[0].push_back(v);
      out[1].push_back(e);
    }
  return out;
}

}  // namespace conformance
