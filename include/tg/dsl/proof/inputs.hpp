// What a kernel is given: its parameters, the coordinates of threads and blocks, and where tiles and buffers begin.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include <tg/analysis/capability_table.hpp>
#include <tg/analysis/warp.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>
#include <tg/dsl/proof/symbols.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::proof {

/// What a kernel is given, in forms. Each input is made once.
class inputs {
 public:
  inputs(symbols& s, analysis::block_extent block, const dynamic_array<parameter_fact>& parameters)
      : symbols_(s), block_(block), parameters_(parameters) {}

  /// What a special register holds; nothing for those of which only the width is known.
  std::optional<form> of(ptx::special s) {
    using ptx::special;
    const auto thread = [&](auto coordinate) {
      form::column own(symbols_.threads());
      for (std::size_t t = 0; t < own.size(); ++t) own[t] = coordinate(static_cast<number>(t));
      return each(std::move(own));
    };
    switch (s) {
      case special::tid_x: return thread([&](number t) { return t % block_.x; });
      case special::tid_y: return thread([&](number t) { return t / block_.x % block_.y; });
      case special::tid_z: return thread([&](number t) { return t / block_.x / block_.y; });
      case special::ntid_x: return constant(block_.x);
      case special::ntid_y: return constant(block_.y);
      case special::ntid_z: return constant(block_.z);
      case special::laneid: return thread([](number t) { return t % analysis::warp_lanes; });
      case special::ctaid_x:
      case special::nctaid_x: return symbols_.of(s, most_blocks(block_.x, analysis::max_grid_x));
      case special::ctaid_y:
      case special::nctaid_y: return symbols_.of(s, most_blocks(block_.y, analysis::max_grid_yz));
      case special::ctaid_z:
      case special::nctaid_z: return symbols_.of(s, most_blocks(block_.z, analysis::max_grid_yz));
      default: return std::nullopt;
    }
  }

  /// What a parameter of the function holds, read as a number of this type; nothing if the function has no such one.
  std::optional<form> parameter(std::uint32_t id, ptx::token type) {
    known_parameters_.resize(parameters_.size());
    if (id >= parameters_.size()) return std::nullopt;
    auto& known = known_parameters_[id];
    if (known) return *known;
    const parameter_fact& p = parameters_[id];
    if (p.what == parameter_fact::kind::buffer) known = beginning({false, id});
    else if (p.what == parameter_fact::kind::row_stride) known = constant(row_elements * p.element_bytes);
    else {
      const int bits = ptx::width_bits(type);
      const bool with_sign = ptx::is_signed(type);
      const number half = bits >= 64 ? unbounded : number{1} << (bits - 1);
      const number low = !with_sign ? 0 : bits >= 64 ? -unbounded : -(half / p.multiple_of);
      const number promised = p.most > 0 ? p.most / p.multiple_of : unbounded;
      const number high = std::min(bits >= 64 ? unbounded : (with_sign ? half - 1 : 2 * half - 1) / p.multiple_of, promised);
      known = scaled(single(symbols_.make({.shared = sharing::launch,
                                           .low = low,
                                           .high = high,
                                           .is_free = true,
                                           .example = p.example / p.multiple_of,
                                           .whole_bits = bits >= 64 ? 64 : 0,
                                           .is_signed = with_sign,
                                           .whole_factor = p.multiple_of})),
                     p.multiple_of);
    }
    return *known;
  }

  /// Where an object begins: a symbol that stands for nothing else.
  form beginning(object o) {
    for (std::uint32_t k = 0; k < objects_.size(); ++k)
      if (objects_[k] == o) return single(object_symbols_[k]);
    objects_.push_back(o);
    const auto place = static_cast<number>(objects_.size() - 1);
    object_symbols_.push_back(symbols_.make({.shared = sharing::launch, .low = place, .high = place, .is_object = true}));
    return single(object_symbols_.back());
  }

  /// The object that an address is in; takes its beginning from the form.
  std::optional<object> object_of(form& address) const {
    for (const term& t : address.terms)
      if (symbols_[t.symbol].is_object && t.factor == 1) {
        const object found = objects_[static_cast<std::size_t>(symbols_[t.symbol].low)];
        address = add(address, single(t.symbol), -1);
        return found;
      }
    return std::nullopt;
  }

 private:
  // What the hardware allows along an axis (CUDA C++ Programming Guide, technical specifications), and no more than
  // gives each thread along it a number of 32 bits.
  static number most_blocks(number threads, number hardware) { return std::min(hardware, ((number{1} << 32) - 1) / threads); }

  symbols& symbols_;
  analysis::block_extent block_;
  const dynamic_array<parameter_fact>& parameters_;
  dynamic_array<object> objects_;
  dynamic_array<std::uint32_t> object_symbols_;
  dynamic_array<std::optional<form>> known_parameters_;
};

}  // namespace tg::proof
