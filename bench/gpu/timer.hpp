// Time of work on a GPU, by events around batches of launches.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <tg/runtime/event.hpp>
#include <tg/runtime/stream.hpp>
#include <tg/tg.hpp>

namespace bench {

/// Milliseconds of one call of `work`: the median of `rounds` batches, each long enough that the host runs ahead of the GPU.
template <class F> double milliseconds_of(tg::device& gpu, F work, int rounds = 9, double batch_ms = 6) {
  tg::stream_view stream(gpu, nullptr);
  tg::event start(gpu), end(gpu);
  const auto batch = [&](int count) {
    stream.record(start);
    for (int k = 0; k < count; ++k) work();
    stream.record(end);
    end.synchronize();
    return milliseconds_between(start, end) / count;
  };
  batch(1);  // compiles
  const double guess = batch(2);
  const int count = static_cast<int>(std::clamp(std::ceil(batch_ms / guess), 2.0, 200.0));
  std::vector<double> all;
  for (int r = 0; r < rounds; ++r) all.push_back(batch(count));
  std::nth_element(all.begin(), all.begin() + rounds / 2, all.end());
  return all[static_cast<std::size_t>(rounds / 2)];
}

}  // namespace bench
