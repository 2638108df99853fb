// Makes entries of rows.
#pragma once

#include <registry/entry.hpp>
#include <registry/on_device.hpp>

namespace registry {

/// The entry of one row, which has static storage.
template <class Row> class entry_of final : public entry {
 public:
  entry_of(const Row& row, std::string_view header) : entry(row.name(), header, row.known), row_(row) {}

  std::vector<shape> sizes() const override { return row_.sizes(); }
  tg::lowered_kernel lower() const override { return tg::lower(row_.kernel); }
  tg::kernel_analysis analyze() const override { return tg::analyze(row_.kernel); }
  tg::explanation explain(std::string_view target, std::uint64_t blocks) const override {
    return tg::explain(row_.kernel, target, blocks);
  }
  outcome launch(tg::device& gpu, const shape& s, std::uint32_t seed) const override {
    device_trial trial(gpu, row_.kernel, seed);
    row_.launch(trial, s);
    return {trial.worst(), trial.overwritten(), trial.blocks()};
  }

 private:
  const Row& row_;
};

/// Adds the entry of each row that it is called with.
struct entry_adder {
  entry_list& to;
  std::string_view header;

  template <class Row> void operator()(const Row& row) const { to.push_back(std::make_unique<entry_of<Row>>(row, header)); }
};

}  // namespace registry
