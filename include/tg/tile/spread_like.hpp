// Tiles spread in another way over the threads.
#pragma once

#include <tg/base/extremes.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/layout/bank_swizzle.hpp>

#include <tg/tile/register_tile.hpp>

namespace tg {

namespace detail {

/// The elements that a thread has side by side, 16 bytes at most.
template <class D, class T>
inline constexpr int shared_run = D::value.run() * int(sizeof(T)) > 16 ? 16 / int(sizeof(T)) : D::value.run();

/// How far rows are moved apart so that lanes in rows below each other meet other banks: by what the lanes of one row hold.
template <class D, class T>
inline constexpr int row_gap = [] {
  int piece = shared_run<D, T>;
  for (int b = 0; b < distribution::lane_bits; ++b)
    if (D::value.bits[D::value.register_bits + b] == tile_place{0, piece}) piece *= 2;
  return piece * int(sizeof(T)) < 128 ? piece : 0;
}();

/// `body(register, row, column)` for each run of registers in `count` rows from `first` on, where `row` counts from.
template <class D, int Width, class Team, class Body> void each_run(const Team& team, int first, int count, const Body& body) {
  for (int r = 0; r < D::value.registers(); r += Width) {
    const tile_place at = D::value.at(r);
    if (at.row < first || at.row >= first + count) continue;
    body(r, own_row<D>(team) + tg::uniform(at.row - first), own_column<D>(team) + tg::uniform<Width>(at.column));
  }
}

template <class T, int Run, class Memory, class R, class C>
void put_run(const Memory& to, const R& row, const C& column, const ptx::operand* from) {
  if constexpr (Run == 1) {
    to(row, column) = value<T>{*from};
  } else {
    fixed_array<ptx::operand, Run> some;
    for (std::size_t e = 0; e < Run; ++e) some[e] = from[e];
    to.template vec<Run>(row, column) = to_vec<T>(some);
  }
}
template <class T, int Run, class Memory, class R, class C>
void get_run(const Memory& from, const R& row, const C& column, ptx::operand* to) {
  if constexpr (Run == 1) {
    *to = from(row, column).get().operand;
  } else {
    const auto some = from.template vec<Run>(row, column).get();
    for (int e = 0; e < Run; ++e) to[e] = some(e).operand;
  }
}

/// Whether no two lanes of a phase meet in a bank when each moves `Run` elements of rows that are `pitch` elements apart.
template <class D, class T, int Run> constexpr bool are_banks_apart(int pitch) {
  constexpr int bytes = Run * int(sizeof(T)), lanes = bytes <= 4 ? 32 : 128 / bytes;
  for (int first = 0; first < 32; first += lanes) {
    int word_in[32] = {};  // of each bank: the word that is read there, plus 1
    for (int l = first; l < first + lanes; ++l) {
      const tile_place at = D::value.lane(l);
      const int begin = (at.row * pitch + at.column) * int(sizeof(T)) / 4;
      for (int word = begin; word < begin + (bytes < 4 ? 1 : bytes / 4); ++word) {
        int& own = word_in[word % 32];
        if (own != 0 && own != word + 1) return false;
        own = word + 1;
      }
    }
  }
  return true;
}

/// What bits of a lane's number add to its address in rows without gaps.
constexpr lane_access access_of(const distribution& d, int element_bytes, int run) {
  lane_access out{{}, run * element_bytes};
  for (int b = 0; b < distribution::lane_bits; ++b) {
    const tile_place at = d.bits[d.register_bits + b];
    out.lanes[std::size_t(b)] = static_cast<std::uint32_t>((at.row * d.columns + at.column) * element_bytes);
  }
  return out;
}

/// The swizzle of a tile between two distributions, and the elements that an access moves: as many as leave both sides free of
/// conflicts.
struct staged_plan {
  bank_swizzle swizzle;
  int out = 1, in = 1;
};
constexpr staged_plan plan_staged(const distribution& from, const distribution& to, int rows, int element_bytes, int most_out,
                                  int most_in) {
  const int bits = __builtin_ctz(static_cast<unsigned>(rows * to.columns * element_bytes));
  for (int both = most_out * most_in; both >= 1; both /= 2)
    for (int out = most_out; out >= 1; out /= 2) {
      if (both % out != 0 || both / out > most_in) continue;
      const lane_access store = access_of(from, element_bytes, out), load = access_of(to, element_bytes, both / out);
      const bank_swizzle found = find_bank_swizzle(store, load, bits);
      if (store.is_free(found) && load.is_free(found)) return {found, out, both / out};
    }
  return {{}, most_out, most_in};
}

/// Bits from `to` on, `bits` of them, that those `shift` above are added to.
struct neighbouring_bits { int bits = 0, to = 0, shift = 0; };
/// The fewest terms that make a swizzle: neighbouring bits whose sources are as far away are one.
struct swizzle_terms {
  fixed_array<neighbouring_bits, std::size_t{bank_swizzle::first_bit} * bank_swizzle::most_bits> all{};
  std::size_t count = 0;
};
template <bank_swizzle S>
inline constexpr swizzle_terms terms_of = [] {
  swizzle_terms out;
  for (int shift = 1; shift < bank_swizzle::most_bits; ++shift)
    for (int to = 0; to < bank_swizzle::first_bit; ++to) {
      const int from = to + shift;
      if (from < bank_swizzle::first_bit || from >= bank_swizzle::most_bits || (S.mask[from] >> to & 1) == 0) continue;
      const bool goes_on = out.count != 0 && out.all[out.count - 1].shift == shift &&
                           out.all[out.count - 1].to + out.all[out.count - 1].bits == to;
      if (goes_on) ++out.all[out.count - 1].bits;
      else out.all[out.count++] = {1, to, shift};
    }
  return out;
}();

/// A swizzle of bytes as one of elements of `Bytes` bytes; nothing where no bit changes.
template <bank_swizzle S, int Bytes> constexpr auto to_element_swizzle() {
  if constexpr (terms_of<S>.count == 0) {
    return static_cast<void*>(nullptr);
  } else {
    return []<std::size_t... K>(detail::index_sequence<K...>) {
      return swizzles_t<swizzle_t<terms_of<S>.all[K].bits, terms_of<S>.all[K].to - __builtin_ctz(unsigned{Bytes}),
                                  terms_of<S>.all[K].shift>...>{};
    }(detail::make_index_sequence<terms_of<S>.count>{});
  }
}

/// How Ts lie between two distributions, and how many of them an access moves.
template <auto Layout, int Out, int In> struct staged_as {
  static constexpr auto layout = Layout;
  static constexpr int out = Out, in = In;
};
/// Bytes above which a tile is staged in parts where that can be.
inline constexpr int large_staged_bytes = 16384;

/// Parts of rows that are staged one after the other, a power of two: halves of halves while both sides have each half in
/// registers of their own.
template <class From, class To, class T>
inline constexpr int staged_parts = [] {
  const auto has_halves = [](const distribution& d, int half) {
    for (int b = 0; b < d.register_bits; ++b)
      if (d.bits[b] == tile_place{half, 0}) return true;
    return false;
  };
  int parts = 1;
  for (int rows = To::value.rows; rows * To::value.columns * int(sizeof(T)) > large_staged_bytes; rows /= 2, parts *= 2)
    if (rows % 2 != 0 || !has_halves(From::value, rows / 2) || !has_halves(To::value, rows / 2)) break;
  return parts;
}();

/// `Rows` rows, moved apart, or, where lanes would meet in a bank then, with the swizzle that frees both sides of it. A part of
/// a large tile is swizzled too, which takes less memory and more instructions.
template <class From, class To, class T, int Rows> constexpr auto choose_staged() {
  constexpr int columns = To::value.columns, out = shared_run<From, T>, in = shared_run<To, T>;
  constexpr int pad = larger_of(16 / int(sizeof(T)), larger_of(row_gap<From, T>, row_gap<To, T>));
  constexpr bool are_apart = are_banks_apart<From, T, out>(columns + pad) && are_banks_apart<To, T, in>(columns + pad);
  if constexpr (are_apart && Rows == To::value.rows) {
    return staged_as<pitch<columns + pad>, out, in>{};
  } else {
    constexpr staged_plan plan = plan_staged(From::value, To::value, Rows, sizeof(T), out, in);
    if constexpr (are_apart && (plan.out != out || plan.in != in)) return staged_as<pitch<columns + pad>, out, in>{};
    else return staged_as<to_element_swizzle<plan.swizzle, int(sizeof(T))>(), plan.out, plan.in>{};
  }
}

/// The tree as Ts spread as To says: registers under other names where that is all, else by way of shared memory.
template <class To, class T, class Tree, class Team> auto spread_as(const Tree& tree, const Team& team, source_location where) {
  using from_spread = typename Tree::spread;
  constexpr distribution from = from_spread::value;
  static_assert(from.rows == To::value.rows && from.columns == To::value.columns);
  tree.require_unchanged();
  const auto bound = tree.template bind<from_spread>(team);
  fixed_array<ptx::operand, from.registers()> own;
  for (int r = 0; r < from.registers(); ++r) own[static_cast<std::size_t>(r)] = argument<T>(bound(r));
  fixed_array<ptx::operand, To::value.registers()> registers;
  if constexpr (from.holds(To::value)) {
    for (int r = 0; r < To::value.registers(); ++r)
      registers[static_cast<std::size_t>(r)] = own[static_cast<std::size_t>(from.register_at(To::value.at(r)))];
  } else {
    constexpr int parts = staged_parts<from_spread, To, T>, rows = To::value.rows / parts;
    using plan = decltype(choose_staged<from_spread, To, T, rows>());
    constexpr int out = plan::out, in = plan::in;
    const auto staged = tg::shared<T>(tg::shape<rows, To::value.columns>, plan::layout, where);
    for (int part = 0; part < parts; ++part) {
      if (part > 0) team.block.sync(where);
      in_one_holder<from_spread>(
          team,
          [&] {
            each_run<from_spread, out>(team, part * rows, rows, [&](int r, const auto& row, const auto& column) {
              put_run<T, out>(staged, row, column, &own[std::size_t(r)]);
            });
          },
          where);
      team.block.sync(where);
      each_run<To, in>(team, part * rows, rows, [&](int r, const auto& row, const auto& column) {
        get_run<T, in>(staged, row, column, &registers[std::size_t(r)]);
      });
    }
    if (is_repeated()) team.block.sync(where);
  }
  return fixed_tile<T, To, Team>(team, registers);
}

}  // namespace detail

/// `x` spread over the threads as `like` is. Cost: none where each thread has what it needs, else a pass through shared memory
/// and a barrier. Errors: TG602, TG605.
template <tile_like X, tile_like Like>
auto spread_like(const X& x, const Like& like, source_location where = source_location::current()) {
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  constexpr bool fits = tree_type::rows == Like::rows && tree_type::columns == Like::columns;
  using extents = diagnosis::fitting_tiles<!tree_type::is_spread || fits, diagnosis::types<X, Like>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found> && diagnosis::is_ok<sizeof(extents), extents> && tree_type::is_spread &&
                fits) {
    using T = device_type_of<decltype(tree.template bind<typename tree_type::spread>(tree.team())(0))>;
    return detail::spread_as<typename Like::spread, T>(tree, tree.team(), where);
  } else {
    return like.node();
  }
}

}  // namespace tg
