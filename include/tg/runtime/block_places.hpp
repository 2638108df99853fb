// The lines that asked for the blocks of a pool, to say who holds its memory when there is none left.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tg/base/source_location.hpp>

namespace tg::runtime {

/// Places by the number of a block. Noting one is a store.
class block_places {
 public:
  /// Requires: the file's name outlives the object.
  void note(std::uint32_t block, source_location where) {
    if (block >= places_.size()) places_.resize(block + std::size_t{64});
    places_[block] = {where.file, where.is_known() ? where.line : 1};
  }
  void forget(std::uint32_t block) { places_[block] = {}; }

  /// `3145728 in 3 from main.cpp:12, 4096 in 1 from main.cpp:20`: the five places that hold most.
  /// `bytes_of` gives the size of a block.
  template <class BytesOf> std::string holders(BytesOf bytes_of) const;

 private:
  std::vector<source_location> places_;  // without a line: of no block in use
};

template <class BytesOf> std::string block_places::holders(BytesOf bytes_of) const {
  struct holder {
    std::size_t bytes = 0, blocks = 0;
    std::string place;
  };
  std::map<std::string, holder> by_place;
  for (std::uint32_t b = 0; b < places_.size(); ++b) {
    if (!places_[b].is_known()) continue;
    const std::string_view path = places_[b].file;
    const std::string place = std::string(path.substr(path.find_last_of('/') + 1)) + ":" + std::to_string(places_[b].line);
    holder& h = by_place[place];
    h.bytes += bytes_of(b);
    ++h.blocks;
    h.place = place;
  }
  std::vector<holder> all;
  for (auto& [place, h] : by_place) all.push_back(std::move(h));
  std::ranges::sort(all, std::ranges::greater{}, &holder::bytes);
  std::string out;
  for (std::size_t i = 0; i < all.size() && i < 5; ++i)
    out +=
        (i == 0 ? "" : ", ") + std::to_string(all[i].bytes) + " in " + std::to_string(all[i].blocks) + " from " + all[i].place;
  return out;
}

}  // namespace tg::runtime
