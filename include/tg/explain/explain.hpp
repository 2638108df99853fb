// `tg::explain(kernel, tg::find_target("H100"))`: everything there is to say about a kernel before it runs.
#pragma once

#include <cstdint>
#include <string_view>
#include <tg/analysis/device_table.hpp>
#include <tg/base/dynamic_array.hpp>

#include <tg/explain/explanation.hpp>
#include <tg/explain/target.hpp>

namespace tg {

namespace detail {
explanation explain(const recordable& kernel, const dynamic_array<proof::parameter_fact>& parameters,
                    const analysis::device_figures& target, std::uint64_t blocks, source_location where);
}

/// Explains a launch of `blocks` blocks on `target`. The C++ source is shown where its files can be read, as the
/// compiler named them or below the current folder. `.measured(counters)` adds what the emulator counted; `to_text` and
/// `to_html` write it down. Cost: milliseconds. Errors: TG506 for a GPU that cannot run the kernel, TG521 for 0 blocks.
template <recordable_kernel K>
explanation explain(const K& kernel, const analysis::device_figures& target, std::uint64_t blocks = 1,
                    source_location where = source_location::current()) {
  return detail::explain(detail::to_recordable(kernel), detail::facts_of(kernel), target, blocks, where);
}

/// Explains a kernel for a GPU given by its name or architecture. Errors: TG174, TG506, TG521.
template <recordable_kernel K>
explanation explain(const K& kernel, std::string_view target, std::uint64_t blocks = 1,
                    source_location where = source_location::current()) {
  return explain(kernel, find_target(target, where), blocks, where);
}

}  // namespace tg
