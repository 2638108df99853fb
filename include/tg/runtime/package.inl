// The file of a packaged kernel: a magic, a checksum of the rest, then numbers and texts, each text behind its length.
#pragma once

#include <tg/runtime/package.hpp>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/runtime/content_hash.hpp>
#include <tg/runtime/file_descriptor.hpp>

namespace tg {

namespace runtime {

inline constexpr std::string_view package_magic = "tgkern03";

/// Writes the fields of a package.
class field_writer {
 public:
  void operator()(std::int64_t value) { out_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  void operator()(std::string_view text) {
    (*this)(static_cast<std::int64_t>(text.size()));
    out_.append(text);
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

/// Reads them, and believes nothing.
class field_reader {
 public:
  explicit field_reader(std::string_view bytes) : rest_(bytes) {}

  /// Errors: TG553 unless the number is in [least, greatest].
  std::int64_t number(std::int64_t least, std::int64_t greatest) {
    std::int64_t value = 0;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    require(value >= least && value <= greatest, "a number is out of range");
    return value;
  }
  std::string text() { return std::string(take(static_cast<std::size_t>(number(0, static_cast<std::int64_t>(rest_.size()))))); }
  void end() const { require(rest_.empty(), "it goes on behind its end"); }

  static void require(bool holds, const char* fact) {
    if (!holds)
      throw error(package_damaged, std::string("this is no kernel that tg exported, or it is damaged: ") + fact,
                  "export the kernel again");
  }

 private:
  std::string_view take(std::size_t bytes) {
    require(bytes <= rest_.size(), "it ends too soon");
    const std::string_view out = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return out;
  }

  std::string_view rest_;
};

TG_LIBRARY_FUNCTION void require_signature(const kernel_package& p, std::string_view name,
                                           const fixed_array<std::uint32_t, 3>& block, const std::string& parameters) {
  const auto refuse = [&](const std::string& has, const std::string& wants) {
    throw error(package_signature, "the packaged kernel has " + has + ", asked for is " + wants,
                "export it again, or correct the declaration");
  };
  const auto text = [](const fixed_array<std::uint32_t, 3>& b) {
    return std::to_string(b[0]) + " x " + std::to_string(b[1]) + " x " + std::to_string(b[2]);
  };
  if (p.name != name) refuse("the name '" + p.name + "'", "'" + std::string(name) + "'");
  if (p.block != block) refuse("blocks of " + text(p.block) + " threads", text(block));
  if (p.parameters != parameters) refuse("the parameters (" + p.parameters + ")", "(" + parameters + ")");
}

}  // namespace runtime

TG_LIBRARY_FUNCTION std::string to_bytes(const kernel_package& p) {
  runtime::field_writer put;
  put(p.name);
  for (const std::uint32_t extent : p.block) put(extent);
  put(p.parameters);
  put(p.source.version.major);
  put(p.source.version.minor);
  put(p.source.sm);
  put(p.source.target_suffix);
  put(p.source.ptx);
  for (const std::uint32_t most : p.source.most_blocks) put(most);
  put(p.source.more_threads);
  put(static_cast<std::int64_t>(p.source.code.size()));
  for (const auto& code : p.source.code) {
    put(code.sm);
    put(code.image);
  }
  const std::string fields = put.take();
  const runtime::content_hash checksum = runtime::hash_of(fields);
  std::string out(runtime::package_magic);
  out.append(reinterpret_cast<const char*>(&checksum), sizeof checksum);
  return out.append(fields);
}

TG_LIBRARY_FUNCTION kernel_package to_package(std::string_view bytes) {
  using runtime::field_reader;
  constexpr std::size_t start = runtime::package_magic.size();
  runtime::content_hash checksum;
  field_reader::require(bytes.starts_with(runtime::package_magic), "it begins otherwise");
  field_reader::require(bytes.size() >= start + sizeof checksum, "it ends too soon");
  std::memcpy(&checksum, bytes.data() + start, sizeof checksum);
  bytes.remove_prefix(start + sizeof checksum);
  field_reader::require(runtime::hash_of(bytes) == checksum, "its checksum differs");
  field_reader get(bytes);
  kernel_package out;
  out.name = get.text();
  for (std::uint32_t& extent : out.block) extent = static_cast<std::uint32_t>(get.number(1, 1024));
  out.parameters = get.text();
  out.source.version.major = static_cast<int>(get.number(1, 99));
  out.source.version.minor = static_cast<int>(get.number(0, 99));
  out.source.sm = static_cast<int>(get.number(10, 9999));
  out.source.target_suffix = static_cast<char>(get.number(0, 127));
  out.source.ptx = get.text();
  for (std::uint32_t& most : out.source.most_blocks) most = static_cast<std::uint32_t>(get.number(1, UINT32_MAX));
  out.source.more_threads = static_cast<std::uint32_t>(get.number(0, 1024));
  for (std::int64_t left = get.number(0, 1000); left > 0; --left) {
    const int sm = static_cast<int>(get.number(10, 9999));
    out.source.code.push_back({sm, get.text()});
  }
  get.end();
  return out;
}

TG_LIBRARY_FUNCTION void save(const kernel_package& package, const std::string& path) {
  errno = 0;
  if (!runtime::write_whole(path, to_bytes(package)))
    throw error(runtime::package_file, "'" + path + "' cannot be written: " + std::strerror(errno), "check the path");
}

TG_LIBRARY_FUNCTION kernel_package load_package(const std::string& path) {
  const runtime::file_descriptor file = runtime::open_to_read(path);
  struct stat facts;
  if (!file.is_open() || ::fstat(file.number(), &facts) != 0 || !S_ISREG(facts.st_mode))
    throw error(runtime::package_file,
                "'" + path + "' cannot be read: " + (file.is_open() ? "it is no file" : std::strerror(errno)),
                "check the path");
  constexpr off_t most_bytes = off_t{1} << 30;
  runtime::field_reader::require(facts.st_size <= most_bytes, "it is larger than any kernel");
  return to_package(file.read(static_cast<std::size_t>(facts.st_size)));
}

}  // namespace tg
