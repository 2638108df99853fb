// Rows without their types. Who asks something of every kernel asks these: each kernel is compiled once, in the files of
// `registry/entries`, and not by each who asks.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <registry/row.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/explain.hpp>
#include <tg/tg.hpp>

namespace registry {

/// What a trial of a row found, as `device_trial` counts it.
struct outcome {
  double worst;
  std::size_t overwritten;
  std::uint64_t blocks;
};

/// A row, and what can be asked of its kernel.
class entry {
 public:
  std::string_view name;
  std::string_view header;  // the row is in registry/HEADER.hpp
  facts known;

  entry(std::string_view name, std::string_view header, const facts& known) : name(name), header(header), known(known) {}
  entry(const entry&) = delete;
  virtual ~entry() = default;

  /// The sizes of tests.
  virtual std::vector<shape> sizes() const = 0;
  virtual tg::lowered_kernel lower() const = 0;
  virtual tg::kernel_analysis analyze() const = 0;
  virtual tg::explanation explain(std::string_view target, std::uint64_t blocks) const = 0;
  /// Makes operands of a shape, launches the kernel once and compares.
  virtual outcome launch(tg::device& gpu, const shape& s, std::uint32_t seed) const = 0;
};

using entry_list = std::vector<std::unique_ptr<const entry>>;

/// All rows, those of one header in its order.
const entry_list& entries();

}  // namespace registry
