// Judges an access from the form of its index, while the C++ compiler runs.
#pragma once

#include <tg/analysis/advice.hpp>
#include <tg/analysis/alignment.hpp>
#include <tg/analysis/canonical.hpp>
#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/analysis/struct_piece.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/index/warps.hpp>
#include <tg/dsl/verdict/allow.hpp>
#include <tg/dsl/verdict/diagnosis.hpp>

namespace tg::detail {

/// Which of two warps' requests a finding is about: one of unknown lanes, else one that is bad, else the one that moves
/// more beyond its ideal, else the dearer, else the first. Others may move more: sums take each warp's own share.
struct worst_warp {
  static constexpr const analysis::global_cost& worse(const analysis::global_cost& a, const analysis::global_cost& b) {
    if (a.known != b.known) return a.known ? b : a;
    if (a.good != b.good) return a.good ? b : a;
    const int waste_a = a.sectors - a.ideal_sectors;
    const int waste_b = b.sectors - b.ideal_sectors;
    return waste_b > waste_a || (waste_b == waste_a && b.sectors > a.sectors) ? b : a;
  }
  static constexpr const analysis::shared_cost& worse(const analysis::shared_cost& a, const analysis::shared_cost& b) {
    if (a.known != b.known) return a.known ? b : a;
    const int waste_a = a.wavefronts - a.ideal_wavefronts;
    const int waste_b = b.wavefronts - b.ideal_wavefronts;
    return waste_b > waste_a || (waste_b == waste_a && b.wavefronts > a.wavefronts) ? b : a;
  }
};

template <class Form, int ElementBytes, int AccessBytes, int BaseBytes> constexpr bool is_aligned_in_warp(int warp) {
  return analysis::is_aligned(index::evaluate<Form>(warp), ElementBytes, AccessBytes, BaseBytes,
                              analysis::active_lanes(index::block_of<Form>, warp));
}

/// Cost of a global access: `Form` counts elements of ElementBytes from a base aligned to BaseBytes.
template <class Form, int ElementBytes, int AccessBytes, int BaseBytes> struct global_check : worst_warp {
  template <class Other> using with = global_check<Other, ElementBytes, AccessBytes, BaseBytes>;
  static constexpr std::int64_t period = analysis::global_period(ElementBytes);
  /// Whether `canonical` takes nothing away but whole periods from the numbers of a form that is based, and those of rows.
  template <class Own> static constexpr bool compares_numbers = true;
  static constexpr bool compares_rows = true;
  static constexpr analysis::lane_value canonical(int warp) {
    return analysis::canonical_for_global(index::evaluate<Form>(warp), ElementBytes);
  }
  template <int Warp>
  static constexpr analysis::global_cost of_warp = analysis::count_global(
      index::evaluate<Form>(Warp), ElementBytes, AccessBytes, BaseBytes, analysis::active_lanes(index::block_of<Form>, Warp));
  template <int Warp>
  static constexpr bool aligned_in_warp = is_aligned_in_warp<Form, ElementBytes, AccessBytes, BaseBytes>(Warp);
};

/// Cost of a shared access: `Form` counts elements of the tile from its start.
template <class Form, int ElementBytes, int AccessBytes, int BaseBytes = 16> struct shared_check : worst_warp {
  template <class Other> using with = shared_check<Other, ElementBytes, AccessBytes, BaseBytes>;
  static constexpr std::int64_t period = analysis::shared_period(ElementBytes);
  template <class Own> static constexpr bool compares_numbers = !index::detail::has_limit<Own>;
  /// So many elements fill whole words; 0 where elements may straddle two.
  static constexpr int word_elems = !analysis::is_power_of_two(ElementBytes) || ElementBytes > analysis::widest_access_bytes ? 0
                                    : ElementBytes >= analysis::word_bytes ? 1
                                                                           : analysis::word_bytes / ElementBytes;
  static constexpr analysis::lane_value canonical(int warp) {
    return analysis::canonical_for_shared(index::evaluate_limited<Form>(warp), ElementBytes);
  }
  template <int Warp>
  static constexpr analysis::shared_cost of_warp =
      analysis::count_shared(index::evaluate_limited<Form>(Warp), ElementBytes, AccessBytes, BaseBytes,
                             analysis::active_lanes(index::block_of<Form>, Warp));

  template <int Warp>
  static constexpr bool aligned_in_warp = is_aligned_in_warp<Form, ElementBytes, AccessBytes, BaseBytes>(Warp);
};

/// Cost of the instruction that moves `Piece` of each struct of ElementBytes in global memory.
template <class Form, int ElementBytes, analysis::struct_piece Piece, int BaseBytes> struct global_piece_check : worst_warp {
  template <class Other> using with = global_piece_check<Other, ElementBytes, Piece, BaseBytes>;
  static constexpr std::int64_t period = analysis::global_period(ElementBytes);
  static constexpr analysis::lane_value at(int warp) {
    return analysis::piece_index(index::evaluate<Form>(warp), ElementBytes, Piece);
  }
  static constexpr analysis::lane_value canonical(int warp) { return analysis::canonical_for_global(at(warp), Piece.bytes); }
  template <int Warp>
  static constexpr analysis::global_cost of_warp = analysis::count_global(at(Warp), Piece.bytes, Piece.bytes, BaseBytes,
                                                                          analysis::active_lanes(index::block_of<Form>, Warp));
};

/// Cost of the instruction that moves `Piece` of each struct of ElementBytes in shared memory.
template <class Form, int ElementBytes, analysis::struct_piece Piece> struct shared_piece_check : worst_warp {
  template <class Other> using with = shared_piece_check<Other, ElementBytes, Piece>;
  static constexpr std::int64_t period = analysis::shared_period(ElementBytes);
  static constexpr analysis::lane_value at(int warp) {
    return analysis::piece_index(index::evaluate_limited<Form>(warp), ElementBytes, Piece);
  }
  static constexpr analysis::lane_value canonical(int warp) { return analysis::canonical_for_shared(at(warp), Piece.bytes); }
  template <int Warp>
  static constexpr analysis::shared_cost of_warp =
      analysis::count_shared(at(Warp), Piece.bytes, Piece.bytes, analysis::active_lanes(index::block_of<Form>, Warp));
  template <int> static constexpr bool aligned_in_warp = true;
};

template <class Check, class Warps, class Numbers> inline constexpr bool are_all_aligned = false;
template <class Check, class Warps, int... N>
inline constexpr bool are_all_aligned<Check, Warps, integer_sequence<int, N...>> =
    (Check::template aligned_in_warp<Warps::warp[N]> && ...);
template <class Check, class Warps>
inline constexpr const bool& are_aligned = are_all_aligned<Check, Warps, make_integer_sequence<int, Warps::count>>;

/// Whether every warp's vector access is aligned.
template <class Check, class Form>
inline constexpr const bool& all_aligned =
    are_aligned<index::detail::check_near_zero<Check, Form>, index::distinct_warps<Check, Form>>;

/// The largest power of two, up to 16 bytes, to which every warp's address is provably aligned; for the error's text.
template <class Form, int ElementBytes, int BaseBytes>
inline constexpr int proved_alignment = [] {
  int bytes = ElementBytes;
  for (int wider = 2 * ElementBytes; wider <= 16; wider *= 2) {
    bool fits = true;
    for (int w = 0; w < index::block_of<Form>.warps() && fits; ++w)
      fits = analysis::is_aligned(index::evaluate<Form>(w), ElementBytes, wider, BaseBytes,
                                  analysis::active_lanes(index::block_of<Form>, w));
    if (!fits) break;
    bytes = wider;
  }
  return bytes;
}();

}  // namespace tg::detail
