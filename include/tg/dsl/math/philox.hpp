// Random numbers without state: a function of a counter and a key.
#pragma once

#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/bits.hpp>
#include <tg/dsl/value/let.hpp>

namespace tg {

/// Four words that `tg::philox` makes.
struct philox_words { value<unsigned> x, y, z, w; };

/// Random bits by Philox 4x32-10: other counters or keys give words that have nothing to do with each other. Any of the
/// arguments may be a C++ number. Errors: TG101, TG102. Cost: 20 wide products and 40 exclusive ors. Source: Salmon et al.,
/// "Parallel random numbers: as easy as 1, 2, 3", 2011. Example: const auto bits = tg::philox(block.global_index(), 0u, 0u, 0u,
/// seed, 0u);
template <operand_like A, operand_like B, operand_like C, operand_like D, operand_like K, operand_like L>
philox_words philox(const A& x, const B& y, const C& z, const D& w, const K& key, const L& second_key) {
  constexpr unsigned factors[] = {0xD2511F53u, 0xCD9E8D57u}, steps[] = {0x9E3779B9u, 0xBB67AE85u};
  const auto word = [](const auto& a) { return value<unsigned>{detail::argument<unsigned>(a)}; };
  ptx::operand c[] = {word(x).operand, word(y).operand, word(z).operand, word(w).operand};
  ptx::operand k[] = {word(key).operand, word(second_key).operand};
  const auto of = [](const ptx::operand& o) { return value<unsigned>{o}; };
  for (int round = 0; round < 10; ++round) {
    if (round > 0)
      for (int i = 0; i < 2; ++i) k[i] = (of(k[i]) + steps[i]).operand;
    const auto high0 = tg::mul_high(of(c[0]), factors[0]), high1 = tg::mul_high(of(c[2]), factors[1]);
    const auto low0 = of(c[0]) * factors[0], low1 = of(c[2]) * factors[1];
    const ptx::operand next[] = {(high1 ^ of(c[1]) ^ of(k[0])).operand, low1.operand, (high0 ^ of(c[3]) ^ of(k[1])).operand,
                                 low0.operand};
    for (int i = 0; i < 4; ++i) c[i] = next[i];
  }
  return {of(c[0]), of(c[1]), of(c[2]), of(c[3])};
}

}  // namespace tg
