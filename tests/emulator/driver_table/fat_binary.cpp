#include <tg/emulator/driver_table/fat_binary.hpp>

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "../libcuda/standard_error.hpp"

using namespace tg::emulator::entry;

namespace {

const std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f() { ret; }\n";

/// The text above as `zstd -19 --no-check` makes it.
constexpr unsigned char zstd_frame[] = {
    0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x49, 0x15, 0x02, 0x00, 0x92, 0x84, 0x0f, 0x11, 0x90, 0x7d, 0x90, 0x0f, 0x09, 0xc4,
    0x2d, 0x7f, 0xfe, 0x9f, 0xdd, 0xac, 0x87, 0x9f, 0x3a, 0xe6, 0x0c, 0x60, 0x3b, 0xb2, 0x4f, 0x5d, 0xbb, 0x08, 0xcd,
    0x31, 0xb5, 0xf2, 0x87, 0x3f, 0x5c, 0xaf, 0xbe, 0x3b, 0x40, 0x31, 0xfe, 0xf9, 0xd5, 0x54, 0xeb, 0x53, 0xc6, 0xd4,
    0x00, 0xe4, 0xa4, 0x58, 0xdd, 0xbe, 0xa3, 0xca, 0x0e, 0x40, 0xc6, 0x71, 0x39, 0x5f, 0xa5, 0x7f, 0x47, 0x00};

struct part {
  std::uint16_t kind;
  std::uint32_t sm;
  std::uint64_t flags;
  std::string payload;
  std::size_t expanded = 0;
};

/// A container as nvcc makes it.
std::string container(const std::vector<part>& parts) {
  std::string body;
  for (const part& p : parts) {
    fat_entry e{};
    e.kind = p.kind;
    e.header_bytes = sizeof e;
    e.payload_bytes = (p.payload.size() + 8) / 8 * 8;
    e.compressed_bytes = p.expanded ? static_cast<std::uint32_t>(p.payload.size()) : 0;
    e.sm = p.sm;
    e.flags = p.flags;
    e.expanded_bytes = p.expanded;
    body.append(reinterpret_cast<const char*>(&e), sizeof e);
    body += p.payload;
    body.append(e.payload_bytes - p.payload.size(), '\0');
  }
  std::string out("\x50\xed\x55\xba\1\0\x10\0", 8);
  const std::uint64_t bytes = body.size();
  out.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  return out + body;
}

std::string bytes_of(std::span<const unsigned char> from) { return {from.begin(), from.end()}; }

result refusal(const std::string& image) {
  try {
    text_of_image(image.data());
    return result::success;
  } catch (const refused& r) { return r.result; }
}

}  // namespace

TEST_CASE("text is text, with or without a container and its wrapper around it") {
  CHECK(text_of_image(text.c_str()) == text);
  const std::string fat = container({{fat_entry::ptx, 70, 0x11, text}});
  CHECK(text_of_image(fat.data()) == text);
  struct {
    unsigned magic = 0x466243b1, version = 1;
    const void* data;
    void* file = nullptr;
  } wrapper{.data = fat.data()};
  CHECK(text_of_image(&wrapper) == text);
}

TEST_CASE("the newest PTX is taken, machine code is passed over") {
  const std::string fat = container({{2, 90, 0x11,
                                      "\x7f"
                                      "ELF and so on"},
                                     {fat_entry::ptx, 80, 0x11, text},
                                     {fat_entry::ptx, 70, 0x11, "older"}});
  CHECK(text_of_image(fat.data()) == text);
}

TEST_CASE("of several PTX images the one for the newest GPU that is no newer than the device is taken") {
  const auto image = [](std::uint32_t sm, std::uint64_t flags = 0) {
    return part{fat_entry::ptx, sm, 0x11 | flags, "for " + std::to_string(sm) + (flags != 0 ? " alone" : "")};
  };
  const auto taken = [](const std::vector<part>& parts) { return text_of_image(container(parts).data()); };
  CHECK_EQ(taken({image(120), image(80), image(100), image(75)}), "for 80");
  CHECK_EQ(taken({image(90), image(90, fat_entry::for_one_gpu), image(100, fat_entry::for_family)}), "for 90 alone");
  CHECK_EQ(taken({image(90, fat_entry::for_one_gpu), image(90)}), "for 90 alone");
  CHECK_EQ(taken({image(75), image(80, fat_entry::for_one_gpu)}), "for 75");
  const standard_error heard;
  CHECK(refusal(container({image(100), image(120, fat_entry::for_one_gpu)})) == result::no_binary_for_gpu);
  CHECK(heard.text().find("PTX for sm_100, sm_120a only; the device is an sm_90 GPU") != std::string::npos);
}

TEST_CASE("LZ4 and Zstandard are expanded") {
  const std::string lz4("\x1f"
                        "a\1\0\0\x10"
                        "b",
                        7);  // a, then 19 times the byte before it, then b
  const auto as_bytes = std::as_bytes(std::span(lz4));
  CHECK(expand_lz4(as_bytes, 21) == "aaaaaaaaaaaaaaaaaaaab");
  CHECK_THROWS_AS(expand_lz4(as_bytes, 20), refused);
  CHECK_THROWS_AS(expand_lz4(as_bytes.first(4), 21), refused);
  const std::string back("\x1f"
                         "a\2\0\0\x10"
                         "b",
                         7);  // reaches before the beginning
  CHECK_THROWS_AS(expand_lz4(std::as_bytes(std::span(back)), 21), refused);
  CHECK(text_of_image(container({{fat_entry::ptx, 70, 0x2011, lz4, 21}}).data()) == "aaaaaaaaaaaaaaaaaaaab");

  if (::dlopen("libzstd.so.1", RTLD_NOW) == nullptr) {
    MESSAGE("skipped: no libzstd.so.1");
    return;
  }
  std::string frame = bytes_of(zstd_frame);
  CHECK(text_of_image(container({{fat_entry::ptx, 70, 0x8011, frame, text.size()}}).data()) == text);
  frame[20] = static_cast<char>(~frame[20]);
  CHECK(refusal(container({{fat_entry::ptx, 70, 0x8011, frame, text.size() + 1}})) == result::invalid_image);
}

TEST_CASE("machine code alone is refused with a word on standard error") {
  const standard_error heard;
  CHECK(refusal(container({{2, 80, 0x11,
                            "\x7f"
                            "ELF"}})) == result::no_binary_for_gpu);
  CHECK(heard.text().find("machine code only") != std::string::npos);
  CHECK(refusal("\x7f"
                "ELF\2\1\1") == result::no_binary_for_gpu);
  CHECK(heard.text().find("cubin") != std::string::npos);
}

TEST_CASE("a container that promises more than it has is refused") {
  std::string fat = container({{fat_entry::ptx, 70, 0x11, text}});
  fat[16 + 8 + 7] = 1;  // the payload's size
  CHECK(refusal(fat) == result::invalid_image);
}
