// Index expressions made from numbers: each seed is another expression over the coordinates of a thread.
#pragma once

#include <cstdint>
#include <utility>

#include <tg/tg.hpp>

namespace agreement {

using namespace tg::literals;

/// A well-mixed number for each pair of numbers.
constexpr std::uint32_t mixed(std::uint32_t a, std::uint32_t b = 0) {
  std::uint32_t x = a * 0x9e3779b9u + b * 0x85ebca6bu + 0x27220a95u;
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

/// Each form costs its compiler a tenth of a second. Of every four seeds g++ judges the first two, clang++ the others.
inline constexpr int compilers = 2;
#ifdef __clang__
inline constexpr std::uint32_t first_seed = 2;
#else
inline constexpr std::uint32_t first_seed = 0;
#endif

template <std::uint32_t... Seeds> constexpr auto seeds_of_compiler(std::integer_sequence<std::uint32_t, Seeds...>) {
  return std::integer_sequence<std::uint32_t, (Seeds / 2 * 4 + first_seed + Seeds % 2)...>{};
}

/// The seeds below `Count` whose forms this compiler judges.
template <std::uint32_t Count> requires(Count % 4 == 0)
using seeds = decltype(seeds_of_compiler(std::make_integer_sequence<std::uint32_t, Count / compilers>{}));

/// One of the given numbers, chosen by a seed.
template <std::uint32_t Seed, long long... Choices> constexpr auto chosen() {
  constexpr long long all[] = {Choices...};
  return tg::constant<all[mixed(Seed, 17) % sizeof...(Choices)]>{};
}

template <std::uint32_t Seed, class Block> auto coordinate(const Block& block) {
  constexpr std::uint32_t kind = mixed(Seed, 3) % 5;
  if constexpr (kind == 0) return block.thread.x;
  else if constexpr (kind == 1) return block.thread.y;
  else if constexpr (kind == 2) return block.thread.z;
  else return block.thread_index();
}

/// An expression of `Depth` operators whose value is the same in each block.
template <std::uint32_t Seed, int Depth, class Block> auto lane_expression(const Block& block) {
  if constexpr (Depth == 0) {
    return coordinate<Seed>(block);
  } else {
    constexpr std::uint32_t kind = mixed(Seed, 5 + Depth) % 14;
    constexpr std::uint32_t next = mixed(Seed, 11);
    const auto inner = lane_expression<next, Depth - 1>(block);
    if constexpr (kind == 0) return inner * chosen<Seed, 1, 2, 3, 4, 5, 8>();
    else if constexpr (kind == 1) return inner + chosen<Seed, 1, 2, 7, 16, 33>();
    else if constexpr (kind == 2) return inner + coordinate<mixed(Seed, 7)>(block) * chosen<Seed, 1, 2, 32, 33>();
    else if constexpr (kind == 3) return inner / chosen<Seed, 2, 3, 4, 7, 8, 16, 32>();
    else if constexpr (kind == 4) return inner % chosen<Seed, 2, 3, 4, 8, 12, 32, 64>();
    else if constexpr (kind == 5) return inner ^ chosen<Seed, 1, 2, 3, 4, 31>();
    else if constexpr (kind == 6) return inner ^ coordinate<mixed(Seed, 7)>(block);
    else if constexpr (kind == 7) return inner & chosen<Seed, 1, 3, 6, 7, 15, 28, 31, 63>();
    else if constexpr (kind == 8) return inner | chosen<Seed, 1, 2, 4, 16>();
    else if constexpr (kind == 9) return inner >> chosen<Seed, 1, 2, 3, 4>();
    else if constexpr (kind == 10) return inner << chosen<Seed, 1, 2, 3>();
    else if constexpr (kind == 11) return tg::min(inner, chosen<Seed, 3, 8, 20, 100>());
    else if constexpr (kind == 12) return tg::max(inner, chosen<Seed, 3, 8, 20>());
    else return chosen<Seed, 63, 127, 1023>() - inner % 64_c;
  }
}

/// An expression that depends on the number of the block too, of which the compiler knows a divisor.
template <std::uint32_t Seed, class Block> auto block_expression(const Block& block) {
  constexpr std::uint32_t kind = mixed(Seed, 23) % 6;
  const auto lanes = lane_expression<Seed, 1 + mixed(Seed, 29) % 3>(block);
  if constexpr (kind == 0) return lanes;
  else if constexpr (kind == 1) return block.index.x * chosen<Seed, 1, 2, 3, 4, 8, 12, 32, 256>() + lanes;
  else if constexpr (kind == 2) return block.global_index() * chosen<Seed, 1, 2, 4>();
  else if constexpr (kind == 3) return (block.index.x * 96_c + lanes % 32_c) / chosen<Seed, 2, 3, 4, 6, 8>();
  else if constexpr (kind == 4) return (block.index.x * 64_c + lanes % 64_c) % 64_c + block.index.x;
  else return (block.index.x * 256_c + lanes % 128_c) ^ chosen<Seed, 1, 4, 31, 96>();
}

}  // namespace agreement
