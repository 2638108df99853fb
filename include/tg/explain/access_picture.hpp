// Pictures of what one warp asks of memory: how tall a picture is, is what the access costs.
//
//   sectors: a row per 32-byte sector, a column per lane       banks: a row per wavefront, a column per bank
//            lanes 0 ......... 31                                     banks 0 ......... 31
//     1      ########........         full: 32 of 32 bytes      1     lane that is served
//     2      ........########         lines of 128 bytes apart  2     phases of a wide access apart
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/explain/markup.hpp>

namespace tg::report {

/// One sector that a request touches.
struct touched_sector {
  std::int64_t number = 0;
  analysis::lane_mask lanes = 0;
  std::uint32_t bytes = 0;  ///< bit b: byte b of the sector is used
};

/// One pass through the banks: the lanes that each bank serves, all with one word.
struct served_banks {
  int phase = 0;
  std::array<analysis::lane_mask, analysis::banks> lanes{};
};

/// The sectors of a request, by address. As many as `analysis::count_global` counts.
inline dynamic_array<touched_sector> touched_sectors(const analysis::request& r) {
  dynamic_array<touched_sector> out;
  for (std::size_t l = 0; l < analysis::warp_lanes; ++l) {
    if ((r.active >> l & 1) == 0) continue;
    for (std::int64_t byte = r.address_bytes[l]; byte < r.address_bytes[l] + r.access_bytes; ++byte) {
      const std::int64_t number = (byte - (byte & (analysis::sector_bytes - 1))) / analysis::sector_bytes;
      auto row = std::find_if(out.begin(), out.end(), [&](const touched_sector& s) { return s.number == number; });
      if (row == out.end()) row = out.insert(row, {number, 0, 0});
      row->lanes |= analysis::lane_mask{1} << l;
      row->bytes |= 1u << (byte & (analysis::sector_bytes - 1));
    }
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
  return out;
}

/// The wavefronts of a request in their order. As many as `analysis::count_shared` counts.
inline dynamic_array<served_banks> served_wavefronts(const analysis::request& r) {
  struct word {
    std::int64_t number;
    analysis::lane_mask lanes;
  };
  dynamic_array<served_banks> out;
  const int phases = r.access_bytes <= 4 ? 1 : r.access_bytes <= 8 ? 2 : 4, lanes = analysis::warp_lanes / phases;
  for (int phase = 0; phase < phases; ++phase) {
    std::array<dynamic_array<word>, analysis::banks> owed;
    for (int l = phase * lanes; l < (phase + 1) * lanes; ++l) {
      if ((r.active >> l & 1) == 0) continue;
      const std::int64_t begin = r.address_bytes[static_cast<std::size_t>(l)];
      for (std::int64_t number = begin >> 2; number <= (begin + r.access_bytes - 1) >> 2; ++number) {
        auto& bank = owed[static_cast<std::size_t>(number & (analysis::banks - 1))];
        auto own = std::find_if(bank.begin(), bank.end(), [&](const word& w) { return w.number == number; });
        if (own == bank.end()) own = bank.insert(own, {number, 0});
        own->lanes |= analysis::lane_mask{1} << l;
      }
    }
    const std::size_t first = out.size();
    for (std::size_t b = 0; b < owed.size(); ++b)
      for (std::size_t w = 0; w < owed[b].size(); ++w) {
        if (first + w == out.size()) out.push_back({phase, {}});
        out[first + w].lanes[b] = owed[b][w].lanes;
      }
  }
  return out;
}

namespace detail {

inline constexpr int cell = 12, margin_left = 26, margin_top = 18, group_gap = 5;

/// The frame of a picture of 32 columns whose rows end at `bottom`; `columns` names them.
class picture {
 public:
  picture(markup& out, const std::string& label, const char* columns, int bottom, int margin_right)
      : out_(out),
        svg_(out.in("svg", {{"class", "picture"},
                            {"role", "img"},
                            {"aria-label", label},
                            {"viewBox", "0 0 " + std::to_string(margin_left + 32 * cell + margin_right) + " " +
                                            std::to_string(bottom + 2)}})) {
    out_.element("text", {{"x", "0"}, {"y", "11"}}, columns);
    for (const int n : {8, 16, 24, 31}) text(margin_left + n * cell + 1, 11, std::to_string(n));
  }

  void text(int x, int y, const std::string& text) {
    out_.element("text", {{"x", std::to_string(x)}, {"y", std::to_string(y)}}, text);
  }
  void rect(const char* kind, int x, int y, int width, int height = cell - 1) {
    out_.single("rect", {{"class", kind},
                         {"x", std::to_string(x)},
                         {"y", std::to_string(y)},
                         {"width", std::to_string(width)},
                         {"height", std::to_string(height)}});
  }

 private:
  markup& out_;
  markup::scope svg_;
};

}  // namespace detail

/// Lanes x sectors, as SVG, with the bytes that are used of each sector at its right.
inline void draw_sectors(markup& out, const analysis::request& r) {
  constexpr int left = detail::margin_left, step = detail::cell, used = 42;
  const auto rows = touched_sectors(r);
  const auto line_of = [](const touched_sector& s) { return s.number >> 2; };
  int bottom = detail::margin_top;
  for (std::size_t n = 0; n < rows.size(); ++n)
    bottom += step + (n > 0 && line_of(rows[n]) != line_of(rows[n - 1]) ? detail::group_gap : 0);
  detail::picture own(out, "32 lanes by " + std::to_string(rows.size()) + " sectors", "lane 0", bottom, 8 + used);
  int y = detail::margin_top;
  for (std::size_t n = 0; n < rows.size(); ++n, y += step) {
    if (n > 0 && line_of(rows[n]) != line_of(rows[n - 1])) y += detail::group_gap;
    own.text(0, y + 9, std::to_string(n + 1));
    own.rect("row", left, y, 32 * step - 1);
    for (int l = 0; l < analysis::warp_lanes; ++l)
      if ((rows[n].lanes >> l & 1) != 0) own.rect("cell", left + l * step, y, step - 1);
    own.rect("row", left + 32 * step + 6, y, used);
    own.rect("used", left + 32 * step + 6, y, used * std::popcount(rows[n].bytes) / analysis::sector_bytes);
  }
}

/// Banks x wavefronts, as SVG. A cell is a word that moves; it names the first lane that it is for, and is of another
/// colour where it is for several.
inline void draw_banks(markup& out, const analysis::request& r) {
  constexpr int left = detail::margin_left, step = detail::cell;
  const auto rows = served_wavefronts(r);
  const int phases = rows.empty() ? 0 : rows.back().phase - rows.front().phase;
  const int bottom = detail::margin_top + static_cast<int>(rows.size()) * step + phases * detail::group_gap;
  detail::picture own(out, "32 banks by " + std::to_string(rows.size()) + " wavefronts", "bank 0", bottom, 2);
  int y = detail::margin_top;
  for (std::size_t n = 0; n < rows.size(); ++n, y += step) {
    if (n > 0) y += (rows[n].phase - rows[n - 1].phase) * detail::group_gap;
    own.text(0, y + 9, std::to_string(n + 1));
    own.rect("row", left, y, 32 * step - 1);
    for (int b = 0; b < analysis::banks; ++b) {
      const analysis::lane_mask lanes = rows[n].lanes[static_cast<std::size_t>(b)];
      if (lanes == 0) continue;
      own.rect(std::has_single_bit(lanes) ? "cell" : "cell shared", left + b * step, y, step - 1);
      const int lane = std::countr_zero(lanes);
      out.element(
          "text",
          {{"class", "lane"}, {"x", std::to_string(left + b * step + (lane < 10 ? 4 : 1))}, {"y", std::to_string(y + 8)}},
          std::to_string(lane));
    }
  }
}

}  // namespace tg::report
