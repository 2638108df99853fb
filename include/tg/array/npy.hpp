// Arrays in files of NumPy, `.npy`.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include <tg/array/array.hpp>
#include <tg/array/typestr.hpp>

namespace tg {

namespace detail {

/// What a file says of its array, and the elements as they lie in it.
struct npy_file {
  std::vector<std::int64_t> shape;
  bool is_column_major = false;
  std::vector<unsigned char> bytes;
};
/// Errors: TG708 for a file that is none, that ends too early, of another element type or rank.
npy_file read_npy(const std::string& path, const std::string& typestr, int rank, source_location where);
/// Errors: TG708 where it cannot be written.
void write_npy(const std::string& path, const std::string& typestr, const std::int64_t* extents, int rank, const void* elements,
               std::size_t bytes, source_location where);

}  // namespace detail

/// Writes an array, after all work before: `tg::save_npy("y.npy", y)`, which `numpy.load("y.npy")` reads. Errors: TG708 where
/// the file cannot be written; TG716 for elements that NumPy does not have.
template <class T, int Rank>
void save_npy(const std::string& path, const array_view<T, Rank>& x, source_location where = source_location::current()) {
  using element = typename array_view<T, Rank>::element_type;
  using stored = std::conditional_t<std::is_same_v<element, bool>, unsigned char, element>;
  std::vector<stored> elements(x.size());
  detail::copy_to_host(x.node().place(), sizeof(element), elements.data());
  detail::write_npy(path, detail::typestr_of<element>(), x.shape().extents.data(), Rank, elements.data(),
                    elements.size() * sizeof(element), where);
}
template <class T, int Rank>
void save_npy(const std::string& path, const array<T, Rank>& x, source_location where = source_location::current()) {
  detail::require_allocated(x.is_allocated(), where);
  tg::save_npy(path, x.view(), where);
}

/// The array in a file: `auto x = tg::load_npy<float, 2>(gpu, "x.npy")`, of either order. Errors: TG708 for a file that is
/// none, that ends too early, that has other elements, another rank or big-endian numbers.
template <class T, int Rank>
array<T, Rank> load_npy(const device& gpu, const std::string& path, source_location where = source_location::current()) {
  const detail::npy_file file = detail::read_npy(path, detail::typestr_of<T>(), Rank, where);
  using stored = std::conditional_t<std::is_same_v<T, bool>, unsigned char, T>;
  std::vector<stored> elements(file.bytes.size() / sizeof(T));
  std::copy(file.bytes.begin(), file.bytes.end(), reinterpret_cast<unsigned char*>(elements.data()));
  array_shape<Rank> shape;
  for (int k = 0; k < Rank; ++k) shape[k] = file.shape[static_cast<std::size_t>(file.is_column_major ? Rank - 1 - k : k)];
  array<T, Rank> out(gpu, shape, elements, where);
  if (file.is_column_major) return tg::eval(out.transpose());
  return out;
}

}  // namespace tg
