// The tables of ELF files and fat binaries.
#pragma once

#include <tg/runtime/image_bounds.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tg/base/config.hpp>

namespace tg::runtime {

namespace detail {

/// Numbers at places of an image; `is_good` is false after one that is not there.
class image_reader {
 public:
  explicit image_reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T> T at(std::uint64_t place) {
    T out{};
    if (has(place, sizeof(T))) std::memcpy(&out, bytes_.data() + place, sizeof(T));
    return out;
  }
  /// Whether the range ends inside.
  bool has(std::uint64_t place, std::uint64_t bytes) {
    const bool inside = place <= bytes_.size() && bytes <= bytes_.size() - place;
    is_good_ = is_good_ && inside;
    return inside;
  }
  void require(bool holds) { is_good_ = is_good_ && holds; }
  bool is_good() const { return is_good_; }

 private:
  std::string_view bytes_;
  bool is_good_ = true;
};

/// The sections of an ELF file.
class elf_sections {
 public:
  explicit elf_sections(image_reader& image)
      : image_(image), begin_(image.at<std::uint64_t>(40)), count_(image.at<std::uint16_t>(60)) {}

  std::uint64_t count() const { return count_; }
  std::uint64_t begin() const { return begin_; }
  std::uint32_t name(std::uint64_t i) { return image_.at<std::uint32_t>(place(i)); }
  std::uint32_t type(std::uint64_t i) { return image_.at<std::uint32_t>(place(i) + 4); }
  std::uint64_t offset(std::uint64_t i) { return image_.at<std::uint64_t>(place(i) + 24); }
  std::uint64_t bytes(std::uint64_t i) { return image_.at<std::uint64_t>(place(i) + 32); }
  std::uint32_t link(std::uint64_t i) { return image_.at<std::uint32_t>(place(i) + 40); }
  std::uint64_t entry_bytes(std::uint64_t i) { return image_.at<std::uint64_t>(place(i) + 56); }

  /// Whether section `i` is a table of strings, which ends with a zero.
  bool is_string_table(std::uint64_t i) {
    constexpr std::uint32_t strings = 3;  // SHT_STRTAB
    if (i >= count_ || type(i) != strings || bytes(i) == 0) return false;
    return image_.has(offset(i), bytes(i)) && image_.at<char>(offset(i) + bytes(i) - 1) == '\0';
  }

 private:
  static constexpr std::uint64_t header_bytes = 64;
  std::uint64_t place(std::uint64_t i) const { return begin_ + i * header_bytes; }

  image_reader& image_;
  std::uint64_t begin_, count_;
};

inline bool is_elf_inside(std::string_view bytes) {
  constexpr std::uint64_t section_header = 64, program_header = 56, symbol_bytes = 24;
  constexpr std::uint32_t none = 0, symbols = 2, no_bits = 8;  // SHT_NULL, SHT_SYMTAB, SHT_NOBITS
  image_reader image(bytes);
  image.require(image.at<std::uint8_t>(4) == 2 && image.at<std::uint8_t>(5) == 1);  // 64 bits, little endian
  const std::uint64_t segments_at = image.at<std::uint64_t>(32), segments = image.at<std::uint16_t>(56);
  if (segments != 0) {
    image.require(image.at<std::uint16_t>(54) == program_header);
    image.has(segments_at, segments * program_header);
  }
  elf_sections sections(image);
  if (sections.count() != 0) {
    image.require(image.at<std::uint16_t>(58) == section_header);
    image.has(sections.begin(), sections.count() * section_header);
  } else {
    image.require(sections.begin() == 0);  // else their number is in a section
  }
  if (!image.is_good()) return false;
  for (std::uint64_t i = 0; i < segments; ++i)
    image.has(image.at<std::uint64_t>(segments_at + i * program_header + 8),
              image.at<std::uint64_t>(segments_at + i * program_header + 32));
  const std::uint64_t names = image.at<std::uint16_t>(62);
  if (sections.count() != 0) image.require(sections.is_string_table(names));
  for (std::uint64_t i = 0; image.is_good() && i < sections.count(); ++i) {
    const std::uint32_t type = sections.type(i);
    if (type == none) continue;
    if (type != no_bits) image.has(sections.offset(i), sections.bytes(i));
    image.require(sections.name(i) < sections.bytes(names) && sections.link(i) < sections.count());
    if (type != symbols || !image.is_good()) continue;
    const std::uint64_t of_names = sections.link(i);
    image.require(sections.entry_bytes(i) == symbol_bytes && sections.is_string_table(of_names));
    for (std::uint64_t s = 0; image.is_good() && s < sections.bytes(i) / symbol_bytes; ++s)
      image.require(image.at<std::uint32_t>(sections.offset(i) + s * symbol_bytes) < sections.bytes(of_names));
  }
  return image.is_good();
}

inline constexpr std::uint32_t fat_magic = 0xba55ed50;

inline bool is_fat_inside(std::string_view bytes) {
  image_reader image(bytes);
  const std::uint64_t header = image.at<std::uint16_t>(6), payload = image.at<std::uint64_t>(8);
  image.require(header >= 16);
  image.has(header, payload);
  for (std::uint64_t at = header; image.is_good() && at < header + payload;) {
    const std::uint64_t entry_header = image.at<std::uint32_t>(at + 4), entry = image.at<std::uint64_t>(at + 8);
    image.require(entry_header >= 16);
    image.has(at, entry_header);
    image.has(at + entry_header, entry);
    at += entry_header + entry;
    image.require(at <= header + payload);
  }
  return image.is_good();
}

}  // namespace detail

TG_LIBRARY_FUNCTION bool is_inside(std::string_view image) {
  if (image.starts_with("\x7f"
                        "ELF"))
    return detail::is_elf_inside(image);
  std::uint32_t magic = 0;
  if (image.size() >= sizeof magic) std::memcpy(&magic, image.data(), sizeof magic);
  return magic != detail::fat_magic || detail::is_fat_inside(image);
}

}  // namespace tg::runtime
