// Measures the choices of a tuner and keeps what was found.
#pragma once

#include <tg/runtime/tuner.hpp>

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <exception>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/base/number_text.hpp>
#include <tg/base/stopwatch.hpp>
#include <tg/runtime/event.hpp>
#include <tg/runtime/stream_work.hpp>

namespace tg::runtime {

/// Where a result is kept: all that it depends on is in the name.
inline std::string tuning_memory::name_of(const size_class& sizes, const std::vector<candidate>& all) const {
  std::string out = "tuned 1\n" + gpu_.name() + '\n' + std::to_string(gpu_.limits().driver_version) + '\n' + name_ + '\n';
  out.append(reinterpret_cast<const char*>(sizes.bits.data()), sizes.bits.size());
  for (const candidate& one : all) {
    const std::string text = one.text();
    out += hash_of(text).text();
  }
  return hash_of(out).text();
}

TG_LIBRARY_FUNCTION tuning tuning_memory::predict(const std::vector<candidate>& all) const {
  tuning out;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    tuned_choice& one = out.all.emplace_back();
    try {
      const prediction p = all[i].predict();
      one.predicted_us = p.us;
      if (!p.runs_on(gpu_.limits().compute_capability)) one.refused = "the device has not what it needs";
    } catch (const error& e) { one.refused = e.what(); }
    if (!one.refused.empty() || one.predicted_us >= least) continue;
    least = one.predicted_us;
    out.best = i;
  }
  return out;
}

TG_LIBRARY_FUNCTION std::size_t tuning_memory::find_or_predict(const size_class& sizes, const std::vector<candidate>& all) {
  std::size_t chosen = all.size();
  if (cache_ != nullptr)
    if (const auto kept = cache_->find(name_of(sizes, all)))
      if (std::from_chars(kept->data(), kept->data() + kept->size(), chosen).ec != std::errc{}) chosen = all.size();
  if (chosen >= all.size()) chosen = predict(all).best;
  remember(sizes, chosen);
  return chosen;
}

TG_LIBRARY_FUNCTION tuning tuning_memory::tune(const size_class& sizes, const std::vector<candidate>& all) {
  tuning out = predict(all);
  measure(out, all);
  remember(sizes, out.best);
  if (cache_ != nullptr) cache_->store(name_of(sizes, all), std::to_string(out.best));
  return out;
}

/// Microseconds of one of `times` launches.
inline double tuning_memory::time_us(const candidate& one, unsigned times) {
  event start(gpu_), end(gpu_);
  stream_view work(gpu_, nullptr);
  work.record(start);
  for (unsigned i = 0; i < times; ++i) one.launch();
  work.record(end);
  end.synchronize();
  return 1000 * milliseconds_between(start, end) / times;
}

inline void tuning_memory::measure(tuning& out, const std::vector<candidate>& all) {
  constexpr unsigned rounds = 9, most_times = 64;
  constexpr double enough_us = 200, slower = 1.25;  // a measurement lasts so long; what is dropped after two rounds
  const stopwatch watch;
  std::vector<std::size_t> alive;
  std::exception_ptr last;
  for (std::size_t i = 0; i < all.size(); ++i) {
    tuned_choice& one = out.all[i];
    try {
      all[i].launch();  // compiles
      gpu_.synchronize();
      one.us = time_us(all[i], 1);
      one.refused.clear();
      alive.push_back(i);
    } catch (const error& e) {
      last = std::current_exception();
      one.refused = e.what();
      gpu_.synchronize();  // throws where the choice has broken the context, as every later call would
      continue;
    }
    if (out.all[out.best].us == 0 || one.us < out.all[out.best].us) out.best = i;
    report(out, alive, watch.us() / 1e6);
  }
  if (alive.empty()) std::rethrow_exception(last);
  for (unsigned round = 0; round < rounds && alive.size() > 1; ++round) {
    for (const std::size_t i : alive) {
      if (watch.us() / 1e6 > how_.limit_seconds) return;
      tuned_choice& one = out.all[i];
      one.us = std::min(
          one.us,
          time_us(all[i], static_cast<unsigned>(std::clamp(enough_us / std::max(one.us, 1.0), 1.0, double{most_times}))));
      if (one.us < out.all[out.best].us) out.best = i;
      report(out, alive, watch.us() / 1e6);
    }
    if (round > 0) std::erase_if(alive, [&](std::size_t i) { return out.all[i].us > slower * out.all[out.best].us; });
  }
}

inline void tuning_memory::report(const tuning& so_far, const std::vector<std::size_t>& alive, double seconds) const {
  const tuning_progress now{name_, alive.size(), so_far.best, so_far.all[so_far.best].us, seconds, how_.limit_seconds};
  if (how_.progress) return how_.progress(now);
  if (::isatty(STDERR_FILENO) == 0) return;
  std::fprintf(stderr, "tg: tuning %s: number %zu takes %s us, %zu are near; %s of %s s\n", name_.c_str(), now.best,
               fixed_text(now.best_us, 1).c_str(), now.alive, fixed_text(now.seconds, 1).c_str(),
               fixed_text(now.limit_seconds, 1).c_str());
}

}  // namespace tg::runtime
