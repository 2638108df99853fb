// Arrays as the CUDA array interface of Python describes them, version 3: the fields of the dictionary that CuPy, Numba,
// PyTorch and RAPIDS read and offer, for those who bind C++ to Python. Nothing is copied.
//
//   const auto i = tg::to_cuda_array_interface(y);     // dict(shape=i.shape, typestr=i.typestr, data=(i.data, False), ...)
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include <tg/array/array.hpp>
#include <tg/array/stream_order.hpp>
#include <tg/array/typestr.hpp>

namespace tg {

/// The dictionary. Source: Numba documentation, "CUDA Array Interface (Version 3)".
struct cuda_array_interface {
  std::vector<std::int64_t> shape;
  std::string typestr;      ///< `<f4`: byte order, kind, bytes.
  std::uintptr_t data = 0;  ///< The device's address; 0 of an array without elements.
  bool is_read_only = false;
  std::optional<std::vector<std::int64_t>> strides;  ///< In bytes; none: without gaps.
  int version = 3;
  std::optional<std::uintptr_t>
      stream;  ///< What the reader's work has to wait for: 1 is the legacy default stream; none: nothing.
};

/// Requires: the reader keeps the view, or its array, as long as it uses the memory. `stream` is 1: assignments run on the
/// legacy default stream.
template <class T, int Rank> cuda_array_interface to_cuda_array_interface(const array_view<T, Rank>& x) {
  using element = typename array_view<T, Rank>::element_type;
  cuda_array_interface out{{}, detail::typestr_of<element>(), 0, std::is_const_v<T>, std::nullopt, 3, 1};
  for (int k = 0; k < Rank; ++k) out.shape.push_back(x.shape()[k]);
  if (x.size() > 0) out.data = static_cast<std::uintptr_t>(x.native());
  if (!x.is_dense()) {
    out.strides.emplace();
    for (int k = 0; k < Rank; ++k) out.strides->push_back(x.strides()[k] * std::int64_t{sizeof(element)});
  }
  return out;
}
template <class T, int Rank> cuda_array_interface to_cuda_array_interface(array<T, Rank>& x) {
  return tg::to_cuda_array_interface(x.view());
}
template <class T, int Rank> cuda_array_interface to_cuda_array_interface(const array<T, Rank>& x) {
  return tg::to_cuda_array_interface(x.view());
}

/// The elements that a dictionary describes. `owner`: keeps the other library's object, for instance a py::object in a
/// shared_ptr. The legacy default stream, on which assignments run, waits for the stream that the dictionary names. Errors:
/// TG708 for another element type or rank, strides that are no multiple of an element, and for a T that is not const where the
/// memory is read only.
template <class T, int Rank>
array_view<T, Rank> from_cuda_array_interface(const device& gpu, const cuda_array_interface& from,
                                              std::shared_ptr<const void> owner = nullptr,
                                              source_location where = source_location::current()) {
  using element = std::remove_const_t<T>;
  constexpr std::int64_t bytes = sizeof(element);
  const std::string wanted = detail::typestr_of<element>();
  if (from.typestr != wanted)
    detail::refuse_foreign("an array of '" + from.typestr + "' as one of '" + wanted + "'", "name the type of its elements",
                           where);
  if (from.shape.size() != std::size_t{Rank} || (from.strides && from.strides->size() != std::size_t{Rank}))
    detail::refuse_foreign("an array of rank " + std::to_string(from.shape.size()) + " as one of rank " + std::to_string(Rank),
                           "name its rank", where);
  if (from.is_read_only && !std::is_const_v<T>)
    detail::refuse_foreign("an array that is read only", "name a type that is: tg::from_cuda_array_interface<const float, 2>",
                           where);
  array_shape<Rank> shape, strides;
  for (int k = 0; k < Rank; ++k) shape[k] = from.shape[static_cast<std::size_t>(k)];
  detail::dense_strides(shape.extents.data(), Rank, strides.extents.data());
  for (int k = 0; k < Rank && from.strides; ++k) {
    const std::int64_t own = (*from.strides)[static_cast<std::size_t>(k)];
    if (own % bytes != 0)
      detail::refuse_foreign("a stride of " + std::to_string(own) + " bytes of elements of " + std::to_string(bytes),
                             "copy the array in its library", where);
    strides[k] = own / bytes;
  }
  constexpr std::uintptr_t legacy = 1;
  if (from.stream && *from.stream > legacy)
    detail::order_streams(*gpu.context(), reinterpret_cast<driver::stream_handle>(*from.stream), nullptr);
  return array_view<T, Rank>(gpu, reinterpret_cast<T*>(from.data), shape, strides, std::move(owner), where);
}

}  // namespace tg
