// A row of the registry: everything that is known of one kernel beside its text.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include <registry/trial.hpp>

namespace registry {

/// The same algorithm in CUDA C++: a file in bench/cuda and its entry. Empty: there is none.
struct twin { std::string_view file, entry; };

/// What proofs reach of where threads write: all of it; that blocks and threads keep apart in device memory is left to data or
/// sizes; so in shared memory, as in a permutation.
enum class placing { proved, by_data, permuted };

/// The words of a row.
struct facts {
  std::string_view family;
  int least_sm = 75;
  placing writes = placing::proved;
  twin other = {};
  shape large = {};            // for benchmarks and reports, which count
  std::string_view name = {};  // in the comparison of machine code; empty: the entry of the twin
  bool is_explained = true;    // false: without a report, because its proofs take most of a second
};

/// One kernel. `sizes()`: those of tests. `launch(trial, shape)`: makes operands and calls `trial.launch(grid, arguments...)`
/// once.
template <class K, class Sizes, class Launch> struct row {
  const K& kernel;
  facts known;
  Sizes sizes;
  Launch launch;

  constexpr row(const K& kernel, facts known, Sizes sizes, Launch launch)
      : kernel(kernel), known(known), sizes(sizes), launch(launch) {}
  static constexpr std::string_view name() { return K::name; }
};

/// Lines around a multiple of `step` elements, and primes.
constexpr auto lines(unsigned step) {
  return [step] {
    std::vector<shape> out;
    for (const unsigned n : {1u, step - 1, step, step + 1, 2 * step, 97u, 1009u, 10007u}) out.push_back({1, n, 1});
    return out;
  };
}
/// Products m x n x k around a multiple of `rows` x `columns` x `depth`, and primes.
constexpr auto products(unsigned rows, unsigned columns, unsigned depth) {
  return [rows, columns, depth] {
    return std::vector<shape>{{1, 1, 1},
                              {rows, columns, depth},
                              {rows - 1, columns + 1, depth - 1},
                              {rows + 1, columns - 1, depth + 1},
                              {67, 131, 97}};
  };
}
/// Matrices around a multiple of `rows` x `columns`, and primes.
constexpr auto matrices(unsigned rows, unsigned columns) {
  return [rows, columns] {
    return std::vector<shape>{{1, 1},
                              {1, columns},
                              {rows, columns - 1},
                              {rows + 1, columns + 1},
                              {2 * rows, 2 * columns},
                              {rows > 1 ? rows - 1 : 2, 97},
                              {13, 509}};
  };
}

}  // namespace registry
