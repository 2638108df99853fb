// A file of the disk cache: a header that says which code it is, and the code.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

#include <tg/runtime/content_hash.hpp>

namespace tg::runtime {

/// In front of the code. The number in the magic changes with the format.
struct cache_header {
  static constexpr char magic_text[] = "tgcode\0001";

  char magic[8];
  std::uint64_t bytes;    // of the code
  content_hash name;      // of the entry, hashed
  content_hash checksum;  // of the code
};
static_assert(sizeof(cache_header) == 48);

/// The bytes of a file that keeps `code` under `name`.
inline std::string to_cache_file(std::string_view name, std::string_view code) {
  cache_header header{{}, code.size(), hash_of(name), hash_of(code)};
  std::memcpy(header.magic, cache_header::magic_text, sizeof header.magic);
  std::string out(sizeof header + code.size(), '\0');
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, code.data(), code.size());
  return out;
}

/// The code in a file; none when the bytes are not what `to_cache_file(name, code)` gives.
inline std::optional<std::string> code_in_cache_file(std::string_view name, std::string file) {
  cache_header header;
  if (file.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, file.data(), sizeof header);
  file.erase(0, sizeof header);
  if (std::memcmp(header.magic, cache_header::magic_text, sizeof header.magic) != 0 || header.bytes != file.size() ||
      header.name != hash_of(name) || header.checksum != hash_of(file))
    return std::nullopt;
  return file;
}

}  // namespace tg::runtime
