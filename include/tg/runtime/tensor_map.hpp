// Tensor maps of arrays: what a kernel's tg::in_map, tg::out_map or tg::inout_map is launched with.
//
//   gpu.launch(k, grid, tg::matrix(a, rows, columns), ...);                    // encoded by each launch
//   const auto map = tg::encode_map<tg::in_map<float, tg::shape<8, 32>>>(tg::matrix(a, rows, columns));
//   gpu.launch(k, grid, map, ...);                                            // encoded once
//
// Source: CUDA Driver API 13.0, "Tensor Map Object Management".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <tg/dsl/bulk/tensor_map.hpp>
#include <tg/runtime/argument.hpp>

namespace tg {

namespace runtime {

namespace detail {

/// Where an array is: extents in elements and strides in bytes, innermost first, the stride of the first dimension left out.
struct map_array {
  driver::device_address address = 0;
  std::array<std::uint64_t, 5> extents{1, 1, 1, 1, 1};
  std::array<std::uint64_t, 4> strides{};
};

/// Checks all that the type of the map does not know, and has the driver encode it. `site` and `number`: of a launch; null
/// where there is none. Errors: TG575 to TG577, and those of the driver.
void encode(context& device, const tg::detail::map_facts& facts, const map_array& array, driver::tensor_map& out,
            const launch_site* site, int number, source_location where);

template <class Map, class A> map_array array_of(const A& a) {
  map_array out{.address = a.native()};
  if constexpr (Map::rank == 1) {
    out.extents[0] = a.size();
  } else {
    for (int k = 0; k < Map::rank; ++k) {
      const auto at = static_cast<std::size_t>(Map::rank - 1 - k);
      out.extents[at] = a.extent(k);
      if (at > 0) out.strides[at - 1] = a.stride(k) * sizeof(typename Map::element_type);
    }
  }
  return out;
}

template <class A> context* context_of(const A& a) {
  if constexpr (requires { a.context().get(); }) return a.context().get();
  else return a.context();
}

}  // namespace detail

}  // namespace runtime

/// A map of an array, as kernels with a parameter `Map` take it; made by `encode_map`. Requires: the array outlives it.
template <class Map> class encoded_map {
 public:
  using map_type = Map;

  template <class A>
  encoded_map(const A& array, source_location where)
      : context_(runtime::detail::context_of(array)), address_(array.native()), elements_(array.size()) {
    runtime::detail::encode(*context_, Map::facts, runtime::detail::array_of<Map>(array), map_, nullptr, 0, where);
  }

  /// The 128 bytes.
  const driver::tensor_map& native() const { return map_; }
  runtime::context* context() const { return context_; }
  /// What the array is part of, for the check that no map or view that is only read shares elements with one that is written.
  driver::device_address address() const { return address_; }
  std::size_t size() const { return elements_; }

 private:
  driver::tensor_map map_{};
  runtime::context* context_;
  driver::device_address address_;
  std::size_t elements_;
};

/// The map of an array: a buffer for one dimension, `tg::matrix` or `tg::mdspan` for more.
/// Errors: TG131 for an array of another rank or type, TG575 for an address, TG576 for strides, TG577 for extents that tensor
/// copies do not have.
template <class Map, class A> encoded_map<Map> encode_map(const A& array, source_location where = source_location::current()) {
  using found = diagnosis::launch_argument<runtime::detail::takes<Map, const A>() || runtime::detail::takes<Map, A>(),
                                           diagnosis::types<diagnosis::expected<Map>, diagnosis::given<A>>>;
  static_assert(found::ok);
  return encoded_map<Map>(array, where);
}

namespace runtime::detail {

template <class Map> struct map_argument<encoded_map<Map>> {
  static constexpr bool is_encoded = true;
  using type = Map;
};

template <class Map> requires Map::is_tensor_map
struct map_packer<Map> {
  template <class A> static touched pack(const launch_site& site, int number, std::byte* to, const A& argument) {
    using element = typename Map::element_type;
    context* const owner = context_of(argument);
    driver::device_address address;
    if constexpr (map_argument<A>::is_encoded) {
      address = argument.address();
      check_view(site, number, owner, address, argument.size(), 1);
      std::memcpy(to, &argument.native(), sizeof(driver::tensor_map));
    } else {
      address = argument.native();
      check_view(site, number, owner, address, argument.size(), 1);
      driver::tensor_map made;
      encode(site.device, Map::facts, array_of<Map>(argument), made, &site, number, site.where);
      std::memcpy(to, &made, sizeof made);
      if constexpr (Map::rank > 1)
        if (!argument.is_dense()) return {};  // rows with gaps may interleave with another matrix
    }
    std::size_t count = argument.size();
    if constexpr (Map::rank > 1 && !map_argument<A>::is_encoded) count = argument.count();
    return {address, address + count * sizeof(element), Map::access != mode::read};
  }
};

}  // namespace runtime::detail

}  // namespace tg
