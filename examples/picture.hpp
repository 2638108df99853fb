// A picture as 8-bit RGB, read from PNG or JPEG and written as PNG.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#include <boost/crc.hpp>
#include <boost/endian/conversion.hpp>

namespace examples {

/// Thrown when a file cannot be read or written as a picture: `cannot read 'cat.png': the file is empty`.
struct picture_error : std::runtime_error { using std::runtime_error::runtime_error; };

/// Rows from top to bottom, three bytes (red, green, blue) per pixel, no padding.
struct picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> rgb;
};

/// Reads a PNG or JPEG file; grey becomes RGB, alpha is dropped, 16 bits become 8.
/// Errors: `picture_error` when the file is missing, empty, damaged, cut off, or neither PNG nor JPEG.
picture load_picture(const std::filesystem::path& path);

/// Writes a PNG file.
/// Errors: `picture_error` when the picture has no pixels or the file cannot be written.
void save_picture(const std::filesystem::path& path, const picture& image);

namespace detail {

inline std::string read_file(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw picture_error("there is no such file");
  if (std::filesystem::is_directory(path)) throw picture_error("it is a directory");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw picture_error("the file cannot be opened");
  return {std::istreambuf_iterator<char>(file), {}};
}

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";
constexpr std::string_view jpeg_signature = "\xff\xd8\xff";

inline std::uint32_t big_endian(std::string_view bytes) {
  return boost::endian::load_big_u32(reinterpret_cast<const unsigned char*>(bytes.data()));
}

// The decoder does not look at checksums, so the chunks (length, name, data, CRC-32) are walked here.
inline void check_png_chunks(std::string_view png) {
  for (png.remove_prefix(png_signature.size()); png.size() >= 12;) {
    const std::size_t length = big_endian(png);
    if (length > png.size() - 12) break;
    const auto name = png.substr(4, 4);
    boost::crc_32_type crc;
    crc.process_bytes(name.data(), 4 + length);
    if (crc.checksum() != big_endian(png.substr(8 + length))) {
      throw picture_error("the PNG is damaged: wrong checksum in chunk " + std::string(name));
    }
    if (name == "IEND") return;
    png.remove_prefix(12 + length);
  }
  throw picture_error("the PNG is cut off before its end");
}

// The decoder fills what is missing at the end of a JPEG with grey; being asked for more than there is tells.
struct byte_reader {
  std::string_view rest;
  bool is_past_end = false;

  static int read(void* self, char* data, int size) {
    auto& reader = *static_cast<byte_reader*>(self);
    const auto count = std::min(reader.rest.size(), static_cast<std::size_t>(size));
    std::memcpy(data, reader.rest.data(), count);
    reader.rest.remove_prefix(count);
    reader.is_past_end |= count == 0;
    return static_cast<int>(count);
  }

  static void skip(void* self, int size) {
    auto& reader = *static_cast<byte_reader*>(self);
    const auto count = static_cast<std::size_t>(size);
    reader.is_past_end |= count > reader.rest.size();
    reader.rest.remove_prefix(std::min(reader.rest.size(), count));
  }

  static int is_at_end(void* self) { return static_cast<byte_reader*>(self)->rest.empty(); }
};

inline picture decode(std::string_view bytes) {
  constexpr int channels = 3;
  constexpr stbi_io_callbacks callbacks{byte_reader::read, byte_reader::skip, byte_reader::is_at_end};
  byte_reader reader{bytes};
  picture image;
  int channels_in_file = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
      stbi_load_from_callbacks(&callbacks, &reader, &image.width, &image.height, &channels_in_file, channels), stbi_image_free);
  if (reader.is_past_end) throw picture_error("the picture is cut off before its end");
  if (!pixels) throw picture_error(std::string("the picture is damaged: ") + stbi_failure_reason());
  const auto size = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * channels;
  image.rgb.assign(pixels.get(), pixels.get() + size);
  return image;
}

}  // namespace detail

inline picture load_picture(const std::filesystem::path& path) try {
  const std::string bytes = detail::read_file(path);
  if (bytes.empty()) throw picture_error("the file is empty");
  const bool is_png = bytes.starts_with(detail::png_signature);
  if (!is_png && !bytes.starts_with(detail::jpeg_signature)) throw picture_error("it is neither a PNG nor a JPEG file");
  if (is_png) detail::check_png_chunks(bytes);
  return detail::decode(bytes);
} catch (const std::exception& error) { throw picture_error("cannot read '" + path.string() + "': " + error.what()); }

inline void save_picture(const std::filesystem::path& path, const picture& image) {
  const auto fail = [&](const char* why) { throw picture_error("cannot write '" + path.string() + "': " + why); };
  if (image.width < 1 || image.height < 1) fail("the picture has no pixels");
  const auto row_bytes = static_cast<std::size_t>(image.width) * 3;
  if (image.rgb.size() != row_bytes * static_cast<std::size_t>(image.height)) fail("width x height x 3 bytes are needed");
  const int stride_bytes = static_cast<int>(row_bytes);
  if (stbi_write_png(path.c_str(), image.width, image.height, 3, image.rgb.data(), stride_bytes) == 0) {
    fail("the file cannot be opened for writing, or the disk is full");
  }
}

}  // namespace examples
