// The PTX inside what a program gives to the driver: plain text, or a fat binary as nvcc makes it.
// Source: fatbinary_section.h of the toolkit (wrapper); the container was read off files that nvcc 13.0 made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

#include <tg/base/shared_library.hpp>
#include <tg/emulator/decode/device_target.hpp>
#include <tg/emulator/driver_table/machine.hpp>

namespace tg::emulator::entry {

/// Expands one LZ4 block.
/// Errors: invalid_image for what is no block of `size` bytes.
inline std::string expand_lz4(std::span<const std::byte> block, std::size_t size) {
  std::string out;
  out.reserve(size);
  std::size_t at = 0;
  const auto next = [&] {
    require(at < block.size(), result::invalid_image);
    return static_cast<std::size_t>(block[at++]);
  };
  const auto length = [&](std::size_t nibble) {
    for (std::size_t more = nibble == 15 ? 255 : 0; more == 255; nibble += more) more = next();
    return nibble;
  };
  while (at < block.size()) {
    const std::size_t token = next();
    const std::size_t literals = length(token >> 4);
    require(literals <= block.size() - at && literals <= size - out.size(), result::invalid_image);
    out.append(reinterpret_cast<const char*>(block.data() + at), literals);
    at += literals;
    if (at == block.size()) break;
    const std::size_t low = next(), distance = low | next() << 8;
    const std::size_t count = length(token & 15) + 4;
    require(distance != 0 && distance <= out.size() && count <= size - out.size(), result::invalid_image);
    for (std::size_t i = 0; i < count; ++i) out += out[out.size() - distance];
  }
  require(out.size() == size, result::invalid_image);
  return out;
}

/// Expands one Zstandard frame with the system's libzstd.
/// Errors: not_supported, with a line on stderr, where there is no libzstd; invalid_image for what is no frame.
inline std::string expand_zstd(std::span<const std::byte> frame, std::size_t size) {
  using decompress = std::size_t(void*, std::size_t, const void*, std::size_t);
  static const auto call = reinterpret_cast<decompress*>(shared_library::open("libzstd.so.1").find("ZSTD_decompress"));
  if (call == nullptr) {
    std::fputs("tg emulator: the fat binary is compressed with Zstandard and there is no libzstd.so.1; install it, or "
               "compile with nvcc --compress-mode=none\n",
               stderr);
    throw refused{result::not_supported};
  }
  std::string out(size, '\0');
  require(call(out.data(), size, frame.data(), frame.size()) == size, result::invalid_image);
  return out;
}

/// The header of each image in a fat binary.
struct fat_entry {
  static constexpr std::uint16_t ptx = 1;
  static constexpr std::uint64_t is_lz4 = 0x2000, is_zstd = 0x8000;
  static constexpr std::uint64_t for_one_gpu = 0x100000, for_family = 0x200000;  // sm_90a, sm_100f

  std::uint16_t kind, version;
  std::uint32_t header_bytes;
  std::uint64_t payload_bytes;  // to the next header
  std::uint32_t compressed_bytes, reserved_1, reserved_2, sm, bits, reserved_3;
  std::uint64_t flags, reserved_4, expanded_bytes;
};
static_assert(sizeof(fat_entry) == 64);

/// The text behind the header of an image of PTX.
inline std::string expanded(const fat_entry& entry, const std::byte* payload) {
  const auto compressed = std::span(payload, std::min<std::size_t>(entry.compressed_bytes, entry.payload_bytes));
  std::string out;
  if (entry.flags & fat_entry::is_lz4) out = expand_lz4(compressed, entry.expanded_bytes);
  else if (entry.flags & fat_entry::is_zstd) out = expand_zstd(compressed, entry.expanded_bytes);
  else out.assign(reinterpret_cast<const char*>(payload), entry.payload_bytes);
  out.resize(std::strlen(out.c_str()));
  return out;
}

/// The letter behind the number of the target.
inline char target_suffix(const fat_entry& e) {
  return e.flags & fat_entry::for_one_gpu ? 'a' : e.flags & fat_entry::for_family ? 'f' : '\0';
}

/// The PTX for the newest GPU that the device is no older than, in the container of `bytes` bytes behind its own header;
/// that for the device alone before any other.
/// Errors: no_binary_for_gpu, with a line on stderr, when there is none, or all of it is machine code.
inline std::string text_of_container(const std::byte* at, std::size_t bytes) {
  const std::byte* const end = at + bytes;
  std::string best, others;
  unsigned best_rank = 0;
  while (static_cast<std::size_t>(end - at) >= sizeof(fat_entry)) {
    fat_entry entry;
    std::memcpy(&entry, at, sizeof entry);
    const auto left = static_cast<std::size_t>(end - at);
    require(
        entry.header_bytes >= sizeof entry && entry.header_bytes <= left && entry.payload_bytes <= left - entry.header_bytes,
        result::invalid_image);
    const std::byte* const payload = at + entry.header_bytes;
    at = payload + entry.payload_bytes;
    if (entry.kind != fat_entry::ptx) continue;
    const char suffix = target_suffix(entry);
    const unsigned rank = 2 * entry.sm + (suffix != '\0' ? 1 : 0);
    if (!runs_on_device(static_cast<int>(entry.sm), suffix)) {
      others += (others.empty() ? "sm_" : ", sm_") + std::to_string(entry.sm);
      if (suffix != '\0') others += suffix;
    } else if (rank >= best_rank) {
      best = expanded(entry, payload);
      best_rank = rank;
    }
  }
  if (best.empty() && !others.empty())
    std::fprintf(
        stderr, "tg emulator: the fat binary has PTX for %s only; the device is an sm_%d GPU: compile for it or an older one\n",
        others.c_str(), device_sm);
  else if (best.empty())
    std::fputs("tg emulator: the fat binary has machine code only; compile with PTX in it, such as nvcc "
               "-gencode arch=compute_80,code=compute_80\n",
               stderr);
  require(!best.empty(), result::no_binary_for_gpu);
  return best;
}

/// The PTX of an image, which is text that ends with 0, a fat binary or its wrapper.
/// Errors: no_binary_for_gpu, with a line on stderr, for machine code.
inline std::string text_of_image(const void* image) {
  const auto starts_with = [&](std::uint32_t magic) {
    const auto* bytes = static_cast<const unsigned char*>(image);
    for (int i = 0; i < 4; ++i)  // byte by byte: text may end sooner
      if (bytes[i] != (magic >> (8 * i) & 0xff)) return false;
    return true;
  };
  if (starts_with(0x466243b1)) {  // the wrapper: magic, version, address
    const void* inner = nullptr;
    std::memcpy(&inner, static_cast<const std::byte*>(image) + 8, sizeof inner);
    require(inner != nullptr, result::invalid_image);
    return text_of_image(inner);
  }
  if (starts_with(0xba55ed50)) {
    std::uint16_t header_bytes = 0;
    std::uint64_t bytes = 0;
    std::memcpy(&header_bytes, static_cast<const std::byte*>(image) + 6, sizeof header_bytes);
    std::memcpy(&bytes, static_cast<const std::byte*>(image) + 8, sizeof bytes);
    return text_of_container(static_cast<const std::byte*>(image) + header_bytes, bytes);
  }
  if (starts_with(0x464c457f)) {
    std::fputs("tg emulator: the module is a cubin, which is machine code; load PTX: nvcc -ptx instead of -cubin, "
               "nvrtcGetPTX instead of nvrtcGetCUBIN, the driver's linker instead of nvJitLink\n",
               stderr);
    throw refused{result::no_binary_for_gpu};
  }
  return static_cast<const char*>(image);
}

}  // namespace tg::emulator::entry
