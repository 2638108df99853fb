// Runs a kernel's lambda once and records what it does.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>

#include <tg/dsl/kernel.hpp>

namespace tg {

/// A recorded kernel: the IR as written, before any pass, and its memory accesses in program order;
/// `ptx::instruction::access` is an index into them.
struct traced_kernel {
  ptx::module module;
  std::vector<access> accesses;
};

namespace detail {

/// Declares the PTX parameters of one kernel parameter and makes its handle.
template <class P> struct parameter;

inline ptx::operand load_parameter(tracer& t, ptx::token reg, ptx::token type, long long divisor = 1) {
  auto& params = t.fn().params;
  const auto id = static_cast<std::uint32_t>(params.size());
  params.push_back({.type = type, .name = t.fn().name + "_param_" + std::to_string(id)});
  t.parameter_divisors.push_back(divisor);
  return t.compute(reg, ptx::opcode::ld, {ptx::token::param, type},
                   {ptx::operand::address(ptx::operand::named(ptx::operand_kind::param, id))});
}

template <class T, mode M, int R, class A, class L> struct parameter<view<T, M, R, A, L>> {
  static view<T, M, R, A, L> make(tracer& t, int number) {
    const ptx::operand generic = load_parameter(t, ptx::token::b64, ptx::token::u64);
    const ptx::operand base =
        t.compute(ptx::token::b64, ptx::opcode::cvta, {ptx::token::to, ptx::token::global, ptx::token::u64}, {generic});
    const ptx::operand leading =
        R == 2 ? load_parameter(t, ptx::token::b32, ptx::token::u32, promised<L>) : ptx::operand{};
    return {number, base, leading};
  }
};

template <class T, class C> struct parameter<scalar<T, C>> {
  static scalar<T, C> make(tracer& t, int) {
    return scalar<T, C>(from_memory<T>(t, load_parameter(t, raw_register<T>, memory_type<T>, promised<C>)));
  }
};

template <class Block, class Body, class... P, int... N>
void call_body(tracer& t, const Body& body, parameter_list<P...>, std::integer_sequence<int, N...>) {
  // Braces evaluate in order, so parameters are declared in order.
  const boost::hana::tuple<P...> parameters{parameter<P>::make(t, N)...};
  const Block block;
  boost::hana::unpack(parameters, [&](const P&... p) { body(block, p...); });
}

}  // namespace detail

/// The IR of a kernel as its statements say it. Errors: TG119, TG122, TG201 to TG204 where C++ integers decide.
template <class K> requires is_kernel<K>
traced_kernel trace(const K& kernel) {
  traced_kernel out;
  out.module.functions.emplace_back();
  ptx::function& f = out.module.functions.back();
  f.name = K::name;
  f.bounds.required_threads = {K::block.x, K::block.y, K::block.z};
  f.body.reserve(256);
  f.registers.reserve(256);
  detail::tracer t(out.module, 0);
  t.block = {K::block.x, K::block.y, K::block.z};
  t.at(kernel.where);
  using parameters = typename K::parameters;
  detail::call_body<block_handle<std::remove_cvref_t<decltype(K::block)>>>(
      t, kernel.body, parameters{}, std::make_integer_sequence<int, parameters::count>{});
  t.emit(ptx::opcode::ret, {}, {});
  out.accesses = std::move(t.accesses);
  return out;
}

}  // namespace tg
