// A kernel: a C++ value with a name, a block shape and a typed signature.
#pragma once

#include <string_view>
#include <type_traits>

#include <tg/base/fixed_string.hpp>
#include <tg/dsl/block.hpp>
#include <tg/dsl/scalar.hpp>

namespace tg {

/// The parameters of a kernel after the block, in order.
template <class... P>
struct parameter_list {
  static constexpr int count = sizeof...(P);
};

template <class P> inline constexpr bool is_parameter = false;
template <class T, mode M, int R, class A, class L> inline constexpr bool is_parameter<view<T, M, R, A, L>> = true;
template <class T, class C> inline constexpr bool is_parameter<scalar<T, C>> = true;

namespace detail {

template <class Call> struct signature;
template <class R, class F, class B, class... P> struct signature<R (F::*)(B, P...) const> {
  using parameters = parameter_list<P...>;
  static constexpr bool fits = (is_parameter<P> && ...) && !std::is_reference_v<B>;
};

struct no_signature {
  using parameters = parameter_list<>;
  static constexpr bool fits = false;
};

// Taking the address of the call operator settles the body, so its accesses are checked where the kernel is written.
template <class Body, class Block>
consteval auto signature_of() {
  if constexpr (requires { &Body::template operator()<Block>; }) return signature<decltype(&Body::template operator()<Block>)>{};
  else if constexpr (requires { &Body::operator(); }) return signature<decltype(&Body::operator())>{};
  else return no_signature{};
}

}  // namespace detail

/// What `tg::kernel` makes. Errors: TG112, TG113, and those of the statements inside, when the C++ is compiled.
template <fixed_string Name, class Block, class Body>
struct kernel_t {
  static constexpr std::string_view name = Name.view();
  static constexpr Block block{};
  using signature = decltype(detail::signature_of<Body, block_handle<Block>>());
  using parameters = typename signature::parameters;

  static_assert(sizeof(diagnosis::parameter_type<signature::fits, parameters>) != 0);
  static_assert(sizeof(diagnosis::block_shape<(Block::x >= 1 && Block::y >= 1 && Block::z >= 1 && Block::x <= 1024 &&
                                               Block::y <= 1024 && Block::z <= 64 && Block::threads <= 1024),
                                              Block>) != 0);

  Body body;
  source_location where;
};

/// A kernel from a lambda whose first argument is the block and whose further ones are its parameters:
/// `inline constexpr auto saxpy = tg::kernel<"saxpy">(tg::block<256>, [](auto block, tg::in<float> x, …) { … });`
template <fixed_string Name, class Block, class Body>
constexpr auto kernel(Block, Body body, source_location where = source_location::current()) {
  return kernel_t<Name, Block, Body>{body, where};
}

template <class K> inline constexpr bool is_kernel = false;
template <fixed_string Name, class Block, class Body> inline constexpr bool is_kernel<kernel_t<Name, Block, Body>> = true;

}  // namespace tg
