// LZ4 blocks on the host: decompression, and the compression of kernels/lz4_compress.hpp byte for byte.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tg::kernels::reference {

/// What a block became: its bytes, of which those in front of a fault are there, and its size or status as
/// kernels/lz4_decompress.hpp has it.
struct lz4_result {
  std::vector<std::uint8_t> bytes;
  int size;
};

/// Decompresses a block into at most `room` bytes.
inline lz4_result lz4_decompress(std::span<const std::uint8_t> packed, std::size_t room) {
  constexpr int truncated = -1, no_room = -2, bad_distance = -3;
  std::vector<std::uint8_t> out;
  std::size_t at = 0;
  const auto add_length = [&](std::size_t& length) {  // whether the block goes on so far
    for (std::uint8_t byte = 255; byte == 255; length += byte) {
      if (at == packed.size()) return false;
      byte = packed[at++];
    }
    return true;
  };
  while (at < packed.size()) {
    const std::uint8_t token = packed[at++];
    std::size_t literals = token >> 4, length = token & 15;
    if (literals == 15 && !add_length(literals)) return {out, truncated};
    if (literals > packed.size() - at) return {out, truncated};
    if (literals > room - out.size()) return {out, no_room};
    out.insert(out.end(), packed.begin() + std::ptrdiff_t(at), packed.begin() + std::ptrdiff_t(at + literals));
    at += literals;
    if (at == packed.size()) return {out, static_cast<int>(out.size())};
    if (packed.size() - at < 2) return {out, truncated};
    const std::size_t distance = packed[at] | std::size_t{packed[at + 1]} << 8;
    at += 2;
    if (length == 15 && !add_length(length)) return {out, truncated};
    length += 4;
    if (distance == 0 || distance > out.size()) return {out, bad_distance};
    if (length > room - out.size()) return {out, no_room};
    for (std::size_t i = 0; i < length; ++i) out.push_back(out[out.size() - distance]);
  }
  return {out, truncated};
}

/// Compresses a line. 32 places at a time are looked up together: a place knows the nearest place with its hash among the 32,
/// else the table's. The first place that matches is taken, and the next 32 begin behind its match.
inline std::vector<std::uint8_t> lz4_compress(std::span<const std::uint8_t> x) {
  constexpr std::size_t least = 4, last_literals = 5, last_match = 12;
  std::vector<std::uint16_t> table(4096);
  std::vector<std::uint8_t> out;
  const std::size_t n = x.size();
  std::size_t written = 0, base = 0;
  const auto word = [&](std::size_t p) {
    std::uint32_t w = 0;
    std::memcpy(&w, &x[p], 4);
    return w;
  };
  const auto add_length = [&](std::size_t rest) {
    for (; rest >= 255; rest -= 255) out.push_back(255);
    out.push_back(static_cast<std::uint8_t>(rest));
  };
  const auto add_literals = [&](std::size_t end, std::size_t low) {
    const std::size_t count = end - written;
    out.push_back(static_cast<std::uint8_t>(std::min<std::size_t>(count, 15) << 4 | low));
    if (count >= 15) add_length(count - 15);
    out.insert(out.end(), x.begin() + std::ptrdiff_t(written), x.begin() + std::ptrdiff_t(end));
    written = end;
  };
  while (base + last_match <= n) {
    const std::size_t places = std::min<std::size_t>(32, n - last_match + 1 - base);
    std::size_t hashes[32], start = 0, distance = 0;
    for (std::size_t l = 0; l < places; ++l) hashes[l] = word(base + l) * 2654435761u >> 20;
    for (std::size_t l = 0; l < places && distance == 0; ++l) {
      const std::size_t p = base + l;
      std::size_t own = static_cast<std::uint16_t>(p - table[hashes[l]]);
      for (std::size_t other = 0; other < l; ++other)
        if (hashes[other] == hashes[l]) own = l - other;
      if (own != 0 && own <= p && word(p - own) == word(p)) start = p, distance = own;
    }
    std::size_t next = base + 32;
    if (distance != 0) {
      std::size_t length = least;
      while (start + length < n - last_literals && x[start + length] == x[start + length - distance]) ++length;
      add_literals(start, std::min<std::size_t>(length - least, 15));
      out.push_back(static_cast<std::uint8_t>(distance)), out.push_back(static_cast<std::uint8_t>(distance >> 8));
      if (length - least >= 15) add_length(length - least - 15);
      next = written = start + length;
    }
    for (std::size_t l = 0; l < places && base + l < next; ++l) table[hashes[l]] = static_cast<std::uint16_t>(base + l);
    base = next;
  }
  add_literals(n, 0);
  return out;
}

}  // namespace tg::kernels::reference
