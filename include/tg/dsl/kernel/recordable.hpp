// A kernel whose type is forgotten: what it takes to record one.
#pragma once

#include <type_traits>

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/kernel/kernel.hpp>

namespace tg::detail {

/// Declares the PTX parameters of one kernel parameter, of a view its address and its strides from the rows outwards, and
/// makes its handle.
template <class P> struct parameter;

template <class T, mode M, int R, class... O> struct parameter<view<T, M, R, O...>> {
  using own = view<T, M, R, O...>;

  static own make(tracer& t, int number) {
    typename own::strides_t strides{};
    const ptx::operand base = load_view(t, own::facts, sizeof(T), &strides[0]);
    return {number, base, strides};
  }
};

template <class T, class C> struct parameter<scalar<T, C>> {
  static scalar<T, C> make(tracer& t, int) {
    return scalar<T, C>(from_memory<T>(t, t.load_parameter(raw_register<T>, memory_type<T>, promised<C>)));
  }
};

/// Calls the body of a kernel; shapes whose blocks have threads that the body does not see have their own.
template <class Shape> struct body_caller {
  template <class Body, class... P> static void call(const Body& body, const P&... parameters) {
    body(block_handle<Shape>(), parameters...);
  }
};

/// Calls `body` with a block and its parameters. Braces evaluate in order, so that parameters are declared in order; the
/// block's coordinates are read behind them.
struct call_in_order {
  template <class Block, class Body, class... P>
  call_in_order(std::type_identity<Block>, const Body& body, const P&... parameters) {
    body_caller<typename Block::shape>::call(body, parameters...);
  }
};

template <class Block, class Body, int... N>
void call_body(tracer&, const Body&, unknown_parameters, detail::integer_sequence<int, N...>) {}

template <class Block, class Body, class... P, int... N>
void call_body(tracer& t, const Body& body, parameter_list<P...>, detail::integer_sequence<int, N...>) {
  call_in_order{std::type_identity<Block>{}, body, parameter<P>::make(t, N)...};
}

/// Facts of a kernel, and its statements as a function of where they are recorded.
struct recordable {
  const char* name;
  analysis::block_extent block;
  source_location where;
  const void* kernel;
  void (*statements)(tracer&, const void* kernel);
  unsigned max_registers = 0;               // 0: not bounded
  unsigned min_blocks_per_sm = 0;           // 0: not asked for
  analysis::block_extent cluster{0, 0, 0};  // of blocks; zeros: none
  unsigned more_threads = 0;                // that a block has along x behind those that the body sees

  /// The threads that a block is launched with.
  analysis::block_extent launched() const { return {block.x + static_cast<int>(more_threads), block.y, block.z}; }
};

template <class Block> inline constexpr unsigned max_registers_of = 0;
template <class Block> inline constexpr unsigned min_blocks_of = 0;
template <class Block> inline constexpr analysis::block_extent cluster_shape_of = {0, 0, 0};
/// Threads that a block has along x behind those that the body of its kernel sees.
template <class Block> inline constexpr unsigned more_threads_of = 0;

/// A kernel that is not written as a lambda: it brings what it takes to record it.
template <class K>
concept brings_recordable = requires(const K& kernel) {
  kernel.to_recordable();
  kernel.parameter_facts();
};

/// Requires: the kernel outlives what is returned.
template <brings_recordable K> recordable to_recordable(const K& kernel) { return kernel.to_recordable(); }
template <class K> requires is_kernel<K>
recordable to_recordable(const K& kernel) {
  return {K::name.text,
          {K::block.x, K::block.y, K::block.z},
          kernel.where,
          &kernel,
          [](tracer& t, const void* own) {
            using parameters = typename K::parameters;
            call_body<block_handle<std::remove_cvref_t<decltype(K::block)>>>(
                t, static_cast<const K*>(own)->body, parameters{}, detail::make_integer_sequence<int, parameters::count>{});
          },
          max_registers_of<std::remove_cvref_t<decltype(K::block)>>,
          min_blocks_of<std::remove_cvref_t<decltype(K::block)>>,
          cluster_shape_of<std::remove_cvref_t<decltype(K::block)>>,
          more_threads_of<std::remove_cvref_t<decltype(K::block)>>};
}

}  // namespace tg::detail

namespace tg {

/// What can be recorded, printed, counted and proved: a kernel, or what `tg::kernel_of` makes of an expression of arrays.
template <class K>
concept recordable_kernel = is_kernel<K> || detail::brings_recordable<K>;

}  // namespace tg
