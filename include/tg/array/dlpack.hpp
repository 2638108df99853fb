// Arrays that other libraries share, by DLPack: PyTorch, JAX, CuPy, NumPy. Nothing is copied. Needs <dlpack/dlpack.h>, of
// Debian's libdlpack-dev.
//
//   DLManagedTensor* out = tg::to_dlpack(y);                        // the other library calls its deleter
//   auto x = tg::from_dlpack<float, 2>(gpu, tensor);                // a view; the last one calls the deleter
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>

#include <dlpack/dlpack.h>

#include <tg/array/array.hpp>
#include <tg/array/stream_order.hpp>

namespace tg {

namespace detail {

/// A DLPack type as text, `float32`.
inline std::string text_of(const DLDataType& t) {
  const char* kind = "type ";
  switch (t.code) {
    case kDLInt: kind = "int"; break;
    case kDLUInt: kind = "uint"; break;
    case kDLFloat: kind = "float"; break;
    case kDLBfloat: kind = "bfloat"; break;
    case kDLComplex: kind = "complex"; break;
    case 6: kind = "bool"; break;
    case 10: kind = "float_e4m3fn_"; break;
    case 12: kind = "float_e5m2_"; break;
    default: return "the type with code " + std::to_string(t.code);
  }
  return kind + std::to_string(t.bits) + (t.lanes == 1 ? "" : "x" + std::to_string(t.lanes));
}

/// The codes of bool and of 8-bit floats are younger than some headers. Source: dlpack.h 1.1, DLDataTypeCode.
template <class T> constexpr DLDataType dlpack_type() {
  const auto of = [](int code) {
    return DLDataType{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(8 * sizeof(T)), 1};
  };
  if constexpr (std::is_same_v<T, bool>) return of(6);
  else if constexpr (std::is_same_v<T, bf16>) return of(kDLBfloat);
  else if constexpr (std::is_same_v<T, f8e4m3>) return of(10);
  else if constexpr (std::is_same_v<T, f8e5m2>) return of(12);
  else if constexpr (std::is_integral_v<T>) return of(std::is_signed_v<T> ? kDLInt : kDLUInt);
  else return of(kDLFloat);
}

/// An array that was given to another library, and what keeps its memory.
template <class T, int Rank> struct given_array {
  array_leaf<T, Rank> leaf;
  DLManagedTensor tensor;
};

/// Memory of the host that an emulated device reads and writes, until the last array on it is gone.
class shared_host_memory {
 public:
  /// The registration of these bytes; one for all arrays inside the same bytes. Null for what the device has already.
  static std::shared_ptr<const void> of(const std::shared_ptr<runtime::context>& context, std::uintptr_t begin,
                                        std::size_t bytes, source_location where) {
    static std::mutex mutex;
    static std::map<std::uintptr_t, std::weak_ptr<const shared_host_memory>> all;
    const std::lock_guard lock(mutex);
    std::erase_if(all, [](const auto& each) { return each.second.expired(); });
    if (const auto next = all.upper_bound(begin); next != all.begin())
      if (auto own = std::prev(next)->second.lock();
          own && own->context_ == context && begin + bytes <= own->begin_ + own->bytes_)
        return own;
    driver::device_address first = 0;
    std::size_t held = 0;
    const auto& api = context->api();
    if (context->attempt(api.cuMemGetAddressRange, &first, &held, driver::device_address{begin}) == driver::result::success &&
        begin + bytes <= first + held)
      return nullptr;
    if (context->attempt(api.cuMemHostRegister, reinterpret_cast<void*>(begin), bytes, 0u) != driver::result::success)
      refuse_foreign("a tensor of " + std::to_string(bytes) + " bytes lies over memory that another one shares in part",
                     "let the other one go first, or copy the elements: tg::array(gpu, shape, elements)", where);
    const std::shared_ptr<const shared_host_memory> own(new shared_host_memory(context, begin, bytes));
    all[begin] = own;
    return own;
  }
  ~shared_host_memory() { context_->release(context_->api().cuMemHostUnregister, reinterpret_cast<void*>(begin_)); }
  shared_host_memory(const shared_host_memory&) = delete;
  shared_host_memory& operator=(const shared_host_memory&) = delete;

 private:
  shared_host_memory(std::shared_ptr<runtime::context> context, std::uintptr_t begin, std::size_t bytes)
      : context_(std::move(context)), begin_(begin), bytes_(bytes) {}

  std::shared_ptr<runtime::context> context_;
  std::uintptr_t begin_;
  std::size_t bytes_;
};

}  // namespace detail

/// A view as a tensor of DLPack, which shares its memory and keeps it. Who takes it calls its `deleter`, once. An emulated
/// device gives memory of the CPU. `stream`: what the other library works on; its later work waits for the assignments so far.
/// Without one, work on the legacy default stream, PyTorch's, does so by itself. Errors: TG105 for elements that are read only.
/// Python: `torch.from_dlpack(capsule)`, of a capsule named `dltensor` around it.
template <class T, int Rank> DLManagedTensor* to_dlpack(const array_view<T, Rank>& x, driver::stream_handle stream = nullptr) {
  (void)sizeof(diagnosis::written_array<!std::is_const_v<T>, array_view<T, Rank>>);
  using element = typename array_view<T, Rank>::element_type;
  using given = detail::given_array<element, Rank>;
  auto* own = new given{x.node(), {}};
  runtime::context& context = *x.context();
  if (stream != nullptr) detail::order_streams(context, nullptr, stream);
  own->tensor.dl_tensor = {reinterpret_cast<void*>(x.native()),
                           context.is_emulated() ? DLDevice{kDLCPU, 0} : DLDevice{kDLCUDA, context.ordinal()},
                           Rank,
                           detail::dlpack_type<element>(),
                           own->leaf.extents.extents.data(),
                           own->leaf.strides.extents.data(),
                           0};
  own->tensor.manager_ctx = own;
  own->tensor.deleter = [](DLManagedTensor* tensor) { delete static_cast<given*>(tensor->manager_ctx); };
  return &own->tensor;
}
template <class T, int Rank> DLManagedTensor* to_dlpack(array<T, Rank>& x, driver::stream_handle stream = nullptr) {
  detail::require_allocated(x.is_allocated());
  return tg::to_dlpack(x.view(), stream);
}
template <class T, int Rank> DLManagedTensor* to_dlpack(array<T, Rank>&& x, driver::stream_handle stream = nullptr) {
  return tg::to_dlpack(x, stream);  // the tensor keeps the memory
}

/// The elements of a tensor of DLPack, which the view takes over: its `deleter` is called with the last view, or before an
/// error is thrown. A GPU takes tensors of its own memory and pinned ones, an emulated device those of the CPU. Requires: what
/// fills the tensor is done, or ordered before the legacy default stream, which the other library does when it is told of
/// stream 1. Errors: TG708 for another element type, rank or device.
template <class T, int Rank>
array_view<T, Rank> from_dlpack(const device& gpu, DLManagedTensor* tensor,
                                source_location where = source_location::current()) {
  using element = std::remove_const_t<T>;
  struct taken {
    DLManagedTensor* tensor;
    std::shared_ptr<const void> registration;
    explicit taken(DLManagedTensor* t) : tensor(t) {}
    taken(const taken&) = delete;
    taken& operator=(const taken&) = delete;
    ~taken() {
      registration.reset();
      if (tensor != nullptr && tensor->deleter != nullptr) tensor->deleter(tensor);
    }
  };
  const auto own = std::make_shared<taken>(tensor);
  if (tensor == nullptr) detail::refuse_foreign("no tensor", "pass the pointer of a capsule named dltensor", where);
  const DLTensor& x = tensor->dl_tensor;
  const DLDataType wanted = detail::dlpack_type<element>();
  if (x.dtype.code != wanted.code || x.dtype.bits != wanted.bits || x.dtype.lanes != 1)
    detail::refuse_foreign("a tensor of " + detail::text_of(x.dtype) + " as an array of " + detail::text_of(wanted),
                           "name the type of its elements: tg::from_dlpack<T, Rank>(gpu, tensor)", where);
  if (x.ndim != Rank)
    detail::refuse_foreign("a tensor of rank " + std::to_string(x.ndim) + " as an array of rank " + std::to_string(Rank),
                           "name its rank: tg::from_dlpack<T, Rank>(gpu, tensor)", where);
  const auto& context = gpu.context();
  const int kind = x.device.device_type;
  const bool is_there = context->is_emulated() ? kind == kDLCPU
                                               : (kind == kDLCUDA && x.device.device_id == context->ordinal()) ||
                                                     kind == kDLCUDAHost || kind == kDLCUDAManaged;
  if (!is_there)
    detail::refuse_foreign("a tensor on device " + std::to_string(x.device.device_id) + " of kind " + std::to_string(kind) +
                               " of DLPack (1: CPU, 2: CUDA) for '" + context->label() + "'",
                           "move it there in its library, or copy its elements: tg::array(gpu, shape, elements)", where);
  array_shape<Rank> shape, strides;
  std::copy_n(x.shape, Rank, shape.extents.begin());
  if (x.strides != nullptr) std::copy_n(x.strides, Rank, strides.extents.begin());
  else detail::dense_strides(shape.extents.data(), Rank, strides.extents.data());
  const auto address = reinterpret_cast<std::uintptr_t>(x.data) + x.byte_offset;
  if (context->is_emulated() && shape.count() > 0) {
    std::int64_t low = 0, high = 1;
    for (int k = 0; k < Rank; ++k) (strides[k] < 0 ? low : high) += strides[k] * (shape[k] - 1);
    own->registration =
        detail::shared_host_memory::of(context, address + static_cast<std::uintptr_t>(low * std::int64_t{sizeof(element)}),
                                       static_cast<std::size_t>(high - low) * sizeof(element), where);
  }
  return array_view<T, Rank>(gpu, reinterpret_cast<T*>(address), shape, strides, own, where);
}

}  // namespace tg
