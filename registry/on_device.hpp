// Runs the launches of rows on a device, and compares what they leave with what is wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>

#include <registry/row.hpp>
#include <tg/tg.hpp>

namespace registry {

/// A launch of one kernel on a device.
template <class K> class device_trial : public operand_maker {
 public:
  device_trial(tg::device& gpu, const K& kernel, std::uint32_t seed) : operand_maker(seed), gpu_(gpu), kernel_(kernel) {}

  template <class... A> void launch(const tg::placement& grid, A... arguments) {
    std::tuple<placed<A>...> all(placed<A>(gpu_, arguments)...);
    blocks_ = static_cast<std::uint64_t>(grid.extents[0] * grid.extents[1] * grid.extents[2]);
    std::apply([&](auto&... own) { gpu_.launch(kernel_, grid, own.argument()...); }, all);
    gpu_.synchronize();
    std::apply([&](auto&... own) { (own.check(*this), ...); }, all);
  }

  /// The largest distance from what is wanted, as a multiple of the bound: at most 1 where all is right.
  double worst() const { return excess_.worst(); }
  /// Elements that had to stay and did not: inputs, and the gaps between rows.
  std::size_t overwritten() const { return overwritten_; }
  /// Blocks that were launched. Requires: the grid is in blocks.
  std::uint64_t blocks() const { return blocks_; }

 private:
  template <class A> struct placed {
    A number;

    placed(tg::device&, const A& a) : number(a) {}
    const A& argument() { return number; }
    void check(device_trial&) {}
  };
  template <class T> struct placed<operand<T>> {
    operand<T> own;
    tg::buffer<T> memory;

    placed(tg::device& gpu, operand<T>& o) : own(std::move(o)), memory(gpu.upload(own.before)) {}
    tg::buffer<T>& argument() { return memory; }
    void check(device_trial& trial) { trial.compare(own, memory.to_host(), own.before.size(), own.before.size()); }
  };
  template <class T> struct placed<matrix_operand<T>> {
    matrix_operand<T> own;
    tg::buffer<T> memory;

    placed(tg::device& gpu, matrix_operand<T>& o) : own(std::move(o)), memory(gpu.upload(own.before)) {}
    auto argument() { return tg::matrix(memory, own.rows, own.columns, own.leading); }
    void check(device_trial& trial) { trial.compare(own, memory.to_host(), own.columns, own.leading); }
  };

  template <class T>
  void compare(const operand<T>& own, const std::vector<T>& found, std::size_t columns, std::size_t leading) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      const std::size_t r = i / leading, c = i % leading;
      const std::size_t k = r * columns + c;
      if (c < columns && !own.after.is_empty()) {
        const auto add = [&](auto number, std::size_t at) {
          excess_.add(static_cast<double>(number), own.after.value.at(at), own.after.bound.at(at));
        };
        if constexpr (pair_of_numbers<T>) add(found[i].low, 2 * k), add(found[i].high, 2 * k + 1);
        else if constexpr (std::is_constructible_v<double, T>) add(found[i], k);
        else ++overwritten_;  // other structs are only read
      } else if (std::memcmp(&found[i], &own.before[i], sizeof(T)) != 0) {
        ++overwritten_;
      }
    }
  }

  tg::device& gpu_;
  const K& kernel_;
  excess excess_;
  std::size_t overwritten_ = 0;
  std::uint64_t blocks_ = 0;
};

}  // namespace registry
