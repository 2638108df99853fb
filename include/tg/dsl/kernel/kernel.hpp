// A kernel: a C++ value with a name, a block shape and a typed signature.
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/dsl/verdict/diagnosis.hpp>

#include <type_traits>

#include <tg/analysis/capability_table.hpp>
#include <tg/base/fixed_string.hpp>
#include <tg/base/narrow_float.hpp>
#include <tg/base/static_text.hpp>
#include <tg/dsl/block/block.hpp>
#include <tg/dsl/memory/scalar.hpp>
#include <tg/dsl/value/hana_constants.hpp>
#include <tg/dsl/verdict/missing_words.hpp>

namespace tg {

/// The parameters of a kernel after the block, in order.
template <class... P> struct parameter_list { static constexpr int count = sizeof...(P); };

/// The parameter list of a kernel that does not compile, in its body or in what it takes. Launches are not compared with it, so
/// that the error in the kernel is the only one.
struct unknown_parameters : parameter_list<> {};

/// Whether P can be a parameter of a kernel: a view or a scalar.
template <class P> inline constexpr bool is_parameter = false;
template <class T, mode M, int R, class... O> inline constexpr bool is_parameter<view<T, M, R, O...>> = true;
template <class T, class C> inline constexpr bool is_parameter<scalar<T, C>> = true;

namespace detail {

template <class Call> struct signature {
  using parameters = parameter_list<>;
  static constexpr bool fits = false;
};
template <class R, class F, class B, class... P> struct signature<R (F::*)(B, P...) const> {
  using parameters = parameter_list<P...>;
  static constexpr bool fits = (is_parameter<P> && ...) && !std::is_reference_v<B>;
};

// A lambda has one call operator to ask for when its only `auto` is the block.
template <class Body>
inline constexpr bool takes_any_block = !requires { &Body::operator(); } && !requires { &Body::template operator()<int, int>; };

template <class Block>
inline constexpr bool is_block_shape = Block::x >= 1 && Block::y >= 1 && Block::z >= 1 &&
                                       Block::x <= analysis::max_block_threads && Block::y <= analysis::max_block_threads &&
                                       Block::z <= analysis::max_block_z && Block::threads <= analysis::max_block_threads;

}  // namespace detail

/// What `tg::kernel` makes.
template <fixed_string Name, class Block, class Body, class Parameters> struct kernel_t {
  static constexpr static_text name = Name.text;
  static constexpr Block block{};
  using parameters = Parameters;

  Body body;
  source_location where;
};

/// A kernel from a lambda whose first argument is the block and whose further ones are its parameters:
/// `inline constexpr auto saxpy = tg::kernel<"saxpy">(tg::block<256>, [](auto block, tg::in<float> x, ...) { ... });`
/// Errors: TG112, TG113, and those of the statements inside, when the C++ is compiled.
template <fixed_string Name, class Block, class Body>
constexpr auto kernel(Block, Body body, source_location where = source_location::current()) {
  using shape = diagnosis::block_shape<detail::is_block_shape<Block>, Block>;
  using call = diagnosis::parameter_type<detail::takes_any_block<Body>>;
  if constexpr (!diagnosis::is_ok<sizeof(shape), shape> || !diagnosis::is_ok<sizeof(call), call>) {
    return kernel_t<Name, Block, Body, unknown_parameters>{body, where};
  } else if constexpr (requires { &Body::template operator()<block_handle<Block>>; }) {
    // Asking for the call operator settled the body: its accesses are checked where the kernel is written.
    using signature = detail::signature<decltype(&Body::template operator()<block_handle<Block>>)>;
    using taken = diagnosis::parameter_type<signature::fits, typename signature::parameters>;
    if constexpr (!diagnosis::is_ok<sizeof(taken), taken>) return kernel_t<Name, Block, Body, unknown_parameters>{body, where};
    else return kernel_t<Name, Block, Body, typename signature::parameters>{body, where};
  } else {
    return kernel_t<Name, Block, Body, unknown_parameters>{body, where};  // clang++ comes here behind errors in the body
  }
}

/// Whether K is the type of a kernel.
template <class K> inline constexpr bool is_kernel = false;
template <fixed_string Name, class Block, class Body, class P>
inline constexpr bool is_kernel<kernel_t<Name, Block, Body, P>> = true;

}  // namespace tg
