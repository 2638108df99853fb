#include <tg/array/npy.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "../random_seed.hpp"
#include "arrays.hpp"

namespace {

/// A file that is gone at the end.
struct scratch {
  std::string path = (std::filesystem::temp_directory_path() / ("tg_npy_" + std::to_string(random_seed()) + ".npy")).string();
  ~scratch() { std::remove(path.c_str()); }
  void write(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary).write(bytes.data(), std::streamsize(bytes.size()));
  }
  std::string read() const {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

/// What numpy.save writes: magic, version, length of the header, header, elements.
std::string file_of(std::string header, const std::string& elements, char version = 1) {
  header.resize(std::max<std::size_t>(header.size() + 1, 118), ' ');
  header.back() = '\n';
  std::string out = std::string("\x93NUMPY") + version + '\0';
  out += static_cast<char>(header.size() & 0xff);
  out += static_cast<char>(header.size() >> 8);
  if (version >= 2) out += std::string(2, '\0');
  return out + header + elements;
}
template <class T> std::string bytes_of(const std::vector<T>& x) {
  return {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T)};
}
template <class F> std::string what_of(F f) {
  try {
    f();
  } catch (const tg::error& e) {
    CHECK(static_cast<int>(e.code()) == 708);
    return e.what();
  }
  return {};
}

}  // namespace

TEST_CASE("files of NumPy, of either order and each version") {
  tg::device gpu;
  const scratch file;
  const std::vector<float> numbers{0, 1, 2, 3, 4, 5};
  for (const char version : {1, 2}) {
    file.write(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", bytes_of(numbers), version));
    const auto x = tg::load_npy<float, 2>(gpu, file.path);
    CHECK(x.shape() == tg::array_shape<2>{2, 3});
    CHECK(x.to_host() == numbers);
  }
  file.write(file_of("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", bytes_of(numbers)));
  CHECK(tg::load_npy<float, 2>(gpu, file.path).to_host() == std::vector<float>{0, 2, 4, 1, 3, 5});
  file.write(file_of("{'shape': (6,), 'fortran_order': False, 'descr': '<f4'}", bytes_of(numbers) + "more"));
  CHECK(tg::load_npy<float, 1>(gpu, file.path).to_host() == numbers);
  file.write(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", bytes_of(std::vector<double>{7.5})));
  CHECK(tg::load_npy<double, 0>(gpu, file.path).item() == 7.5);
  file.write(file_of("{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }", std::string("\1\0\1", 3)));
  CHECK(tg::load_npy<bool, 1>(gpu, file.path).to<std::vector>() == std::vector<bool>{true, false, true});
  // A header of more than 127 bytes.
  file.write(
      file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2, 3), }" + std::string(140, ' '), bytes_of(numbers)));
  CHECK(tg::load_npy<float, 3>(gpu, file.path).to_host() == numbers);
}

TEST_CASE("what is written is read again, and is what numpy.save writes") {
  tg::device gpu;
  const scratch file;
  std::mt19937 random(random_seed());
  const auto check = [&]<class T>(T) {
    const arrays::host x = arrays::random_numbers<T>({5, 7, 3}, random);
    const arrays::on_device<T, 3> own(gpu, x, arrays::layout::transposed);
    tg::save_npy(file.path, own.view);
    CHECK(arrays::on_host(tg::load_npy<T, 3>(gpu, file.path)).numbers == x.numbers);
  };
  check(float{});
  check(double{});
  check(tg::f16{});
  check(std::int64_t{});
  check(std::uint8_t{});
  check(bool{});
  tg::save_npy(file.path, tg::array<float, 2>(gpu, {0, 4}));
  CHECK(tg::load_npy<float, 2>(gpu, file.path).shape() == tg::array_shape<2>{0, 4});
  // As NumPy 1.24 wrote numpy.arange(3, dtype=numpy.int32).
  tg::save_npy(file.path, tg::array<int, 1>(gpu, std::vector<int>{0, 1, 2}));
  CHECK(file.read() ==
        file_of("{'descr': '<i4', 'fortran_order': False, 'shape': (3,), }", bytes_of(std::vector<int>{0, 1, 2})));
}

TEST_CASE("files that are no array, or another one") {
  tg::device gpu;
  const scratch file;
  const auto load = [&] { return what_of([&] { tg::load_npy<float, 2>(gpu, file.path); }); };
  const std::string elements(24, '\0'), good = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  CHECK(load().find("cannot be read") != std::string::npos);
  const std::string whole = file_of(good, elements);
  for (std::size_t n = 0; n < whole.size(); n += n < 140 ? 1 : 7) {
    file.write(whole.substr(0, n));
    CHECK(!load().empty());
  }
  file.write(file_of("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }", elements + elements));
  CHECK(load().find("\"<f8\"") != std::string::npos);
  file.write(file_of("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", elements));
  CHECK(!load().empty());
  file.write(file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (6,), }", elements));
  CHECK(load().find("rank 1, not 2") != std::string::npos);
  for (const char* header : {"", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': 3, 'shape': (2, 3)}", "{{{{", "[1, 2]",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (-2, 3)}",
                             "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3.5)}",
                             "{'descr': ['<f4'], 'fortran_order': False, 'shape': (2, 3)}"}) {
    CAPTURE(header);
    file.write(file_of(header, elements));
    CHECK(!load().empty());
  }
  file.write(
      file_of("{'descr': '<f4', 'fortran_order': False, 'shape': (4000000000000000000, 4000000000000000000)}", elements));
  CHECK_THROWS_AS((tg::load_npy<float, 2>(gpu, file.path)), tg::error);
  CHECK(!what_of([&] { tg::save_npy("/nowhere/x.npy", tg::array<float, 1>(gpu, {1})); }).empty());
}
