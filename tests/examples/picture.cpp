#include <examples/picture.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace fs = std::filesystem;
using bytes = std::vector<std::uint8_t>;

const fs::path photograph = "examples/pictures/chelsea.png";

/// A folder that goes away with its files.
struct temporary_folder {
  fs::path path = make();
  ~temporary_folder() { fs::remove_all(path); }

  static fs::path make() {
    std::string name = (fs::temp_directory_path() / "tg_picture_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    return name;
  }

  fs::path file(std::string_view name, std::string_view content) const {
    std::ofstream(path / name, std::ios::binary) << content;
    return path / name;
  }
};

std::string read(const fs::path& path) { return examples::detail::read_file(path); }

std::string why_not(const fs::path& path) {
  try {
    examples::load_picture(path);
    return "";
  } catch (const examples::picture_error& error) { return error.what(); }
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

void append(void* to, void* data, int size) {
  static_cast<std::string*>(to)->append(static_cast<char*>(data), static_cast<std::size_t>(size));
}

std::string encode_png(int width, int height, int channels, const bytes& pixels) {
  std::string out;
  REQUIRE(stbi_write_png_to_func(append, &out, width, height, channels, pixels.data(), width * channels) != 0);
  return out;
}

std::string encode_jpeg(const examples::picture& image) {
  std::string out;
  REQUIRE(stbi_write_jpg_to_func(append, &out, image.width, image.height, 3, image.rgb.data(), 90) != 0);
  return out;
}

}  // namespace

TEST_CASE("the photograph is read, written and read again") {
  const temporary_folder folder;
  const auto image = examples::load_picture(photograph);
  CHECK(image.width == 451);
  CHECK(image.height == 300);
  CHECK(image.rgb.size() == 451 * 300 * 3);
  examples::save_picture(folder.path / "copy.png", image);
  CHECK(examples::load_picture(folder.path / "copy.png").rgb == image.rgb);
}

TEST_CASE("a JPEG is read, whatever its length") {
  const temporary_folder folder;
  const auto image = examples::load_picture(photograph);
  const std::string jpeg = encode_jpeg(image);
  const auto read_back = examples::load_picture(folder.file("cat.jpg", jpeg));
  REQUIRE(read_back.rgb.size() == image.rgb.size());
  int largest = 0;
  for (std::size_t i = 0; i < image.rgb.size(); ++i) largest = std::max(largest, std::abs(image.rgb[i] - read_back.rgb[i]));
  CHECK(largest > 0);
  CHECK(largest < 100);

  // The decoder reads 128 bytes at a time: a file that ends just there is whole, too.
  const auto small = examples::picture{1, 1, {10, 200, 30}};
  for (std::size_t padding = 0; padding < 128; ++padding) {
    std::string padded = encode_jpeg(small);
    const std::string comment = std::string("\xff\xfe\x00", 3) + static_cast<char>(padding + 2) + std::string(padding, '-');
    padded.insert(2, comment);
    CHECK_MESSAGE(why_not(folder.file("padded.jpg", padded)) == "", padding);
  }
}

TEST_CASE("grey, grey with alpha and RGBA become RGB") {
  const temporary_folder folder;
  const auto rgb_of = [&](int channels, const bytes& pixels) {
    return examples::load_picture(folder.file("small.png", encode_png(2, 1, channels, pixels))).rgb;
  };
  CHECK(rgb_of(1, {7, 9}) == bytes{7, 7, 7, 9, 9, 9});
  CHECK(rgb_of(2, {7, 255, 9, 0}) == bytes{7, 7, 7, 9, 9, 9});
  CHECK(rgb_of(4, {1, 2, 3, 255, 4, 5, 6, 0}) == bytes{1, 2, 3, 4, 5, 6});
}

TEST_CASE("one pixel is a picture") {
  const temporary_folder folder;
  examples::save_picture(folder.path / "one.png", {1, 1, {1, 2, 3}});
  const auto image = examples::load_picture(folder.path / "one.png");
  CHECK(image.width == 1);
  CHECK(image.height == 1);
  CHECK(image.rgb == bytes{1, 2, 3});
}

TEST_CASE("a bad file is refused with its name and the reason") {
  const temporary_folder folder;
  const std::string png = read(photograph);
  const std::string jpeg = encode_jpeg(examples::load_picture(photograph));
  std::string flipped = png;
  flipped[png.size() / 2] ^= 1;
  std::string wrong_depth = jpeg;
  wrong_depth[jpeg.find("\xff\xc0") + 4] = 7;

  const struct {
    fs::path path;
    std::string_view reason;
  } cases[] = {
      {folder.path / "missing.png", "there is no such file"},
      {folder.path, "it is a directory"},
      {folder.file("empty.png", ""), "the file is empty"},
      {folder.file("text.png", "This is not a picture.\n"), "it is neither a PNG nor a JPEG file"},
      {folder.file("bitmap.bmp", "BM and more"), "it is neither a PNG nor a JPEG file"},
      {folder.file("flipped.png", flipped), "wrong checksum in chunk IDAT"},
      {folder.file("half.png", std::string_view(png).substr(0, png.size() / 2)), "the PNG is cut off"},
      {folder.file("signature.png", std::string_view(png).substr(0, 8)), "the PNG is cut off"},
      {folder.file("half.jpg", std::string_view(jpeg).substr(0, jpeg.size() / 2)), "cut off before its end"},
      {folder.file("short.jpg", std::string_view(jpeg).substr(0, 20)), "cut off before its end"},
      {folder.file("depth.jpg", wrong_depth), "the picture is damaged"},
  };
  for (const auto& [path, reason] : cases) {
    const std::string message = why_not(path);
    CHECK_MESSAGE(contains(message, reason), message);
    CHECK_MESSAGE(contains(message, "cannot read '" + path.string() + "'"), message);
  }
  CHECK(why_not(folder.file("whole.jpg", jpeg)) == "");
  CHECK(why_not(folder.file("whole.png", png)) == "");
}

TEST_CASE("a JPEG that lost any part of its end is refused") {
  const temporary_folder folder;
  const std::string jpeg = encode_jpeg(examples::load_picture(photograph));
  for (const std::size_t lost : {1, 2, 3, 10, 100, 1000, 10000}) {
    const std::string_view rest = std::string_view(jpeg).substr(0, jpeg.size() - lost);
    CHECK_MESSAGE(contains(why_not(folder.file("cut.jpg", rest)), "cut off"), lost);
  }
}

TEST_CASE("what cannot be written is refused") {
  const temporary_folder folder;
  CHECK_THROWS_AS(examples::save_picture(folder.path / "none.png", {}), examples::picture_error);
  CHECK_THROWS_AS(examples::save_picture(folder.path / "few.png", {2, 2, {1, 2, 3}}), examples::picture_error);
  CHECK_THROWS_AS(examples::save_picture(folder.path / "no/such/folder.png", {1, 1, {1, 2, 3}}), examples::picture_error);
}
