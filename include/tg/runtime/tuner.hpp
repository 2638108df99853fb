// Which of several kernels that do the same is the fastest for a size of problem: measured once, and remembered by device.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tg/runtime/content_hash.hpp>
#include <tg/runtime/deferred.hpp>
#include <tg/runtime/disk_cache.hpp>

namespace tg {

/// Kernels that do the same, or anything that a function makes a launch of: `constexpr tg::choices sums(small, large);`
template <class... C> requires(sizeof...(C) > 0)
struct choices {
  constexpr explicit choices(const C&... each) : all(each...) {}

  std::tuple<C...> all;
};

/// Sizes of a problem, those between two powers of two alike: `tg::size_class(m, n, k)`.
struct size_class {
  template <std::integral... N> requires(sizeof...(N) <= 8)
  explicit constexpr size_class(N... sizes)
      : bits{static_cast<unsigned char>(std::bit_width(static_cast<std::uint64_t>(sizes)))...} {}

  std::array<unsigned char, 8> bits{};

  friend auto operator<=>(const size_class&, const size_class&) = default;
};

/// How far tuning has come.
struct tuning_progress {
  std::string_view tuner;
  std::size_t alive = 0;  ///< choices that may still be the fastest
  std::size_t best = 0;   ///< of them, the fastest so far
  double best_us = 0;
  double seconds = 0;
  double limit_seconds = 0;
};

/// How tuning is done.
struct tuning_options {
  double limit_seconds = 2;  ///< no measurement begins later; every choice is measured once all the same
  /// Where results are kept for other processes; null for nowhere. Unset: on a GPU the cache of the process, on the emulator
  /// nowhere.
  std::optional<std::shared_ptr<disk_cache>> cache = {};
  /// Called after each measurement. Unset: a line on standard error where that is a terminal.
  std::function<void(const tuning_progress&)> progress = {};
};

/// What is known of one choice.
struct tuned_choice {
  double predicted_us = 0;
  double us = 0;        ///< the least of its measurements; 0: there is none
  std::string refused;  ///< why it cannot run; empty where it can
};

/// What tuning found.
struct tuning {
  std::size_t best = 0;
  std::vector<tuned_choice> all;
};

namespace runtime {

/// A choice with its type forgotten.
struct candidate {
  std::function<prediction()> predict;
  std::function<void()> launch;
  std::function<std::string()> text;
};

/// What a tuner knows, by sizes.
class tuning_memory {
 public:
  tuning_memory(device gpu, std::string name, tuning_options how)
      : gpu_(std::move(gpu)), name_(std::move(name)), how_(std::move(how)) {
    cache_ = how_.cache ? *how_.cache : gpu_.is_emulated() ? nullptr : disk_cache::of_process();
  }

  /// The choice for these sizes, where it is known in this process.
  std::optional<std::size_t> find(const size_class& sizes) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(sizes);
    return found == known_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Another process's choice, or else that of the model, which holds until somebody tunes.
  std::size_t find_or_predict(const size_class& sizes, const std::vector<candidate>& all);
  tuning tune(const size_class& sizes, const std::vector<candidate>& all);
  tuning predict(const std::vector<candidate>& all) const;

 private:
  std::string name_of(const size_class& sizes, const std::vector<candidate>& all) const;
  void measure(tuning& out, const std::vector<candidate>& all);
  double time_us(const candidate& one, unsigned times);
  void report(const tuning& so_far, const std::vector<std::size_t>& alive, double seconds) const;
  void remember(const size_class& sizes, std::size_t choice) {
    const std::lock_guard lock(mutex_);
    known_[sizes] = choice;
  }

  device gpu_;
  std::string name_;
  tuning_options how_;
  std::shared_ptr<disk_cache> cache_;
  mutable std::mutex mutex_;
  std::map<size_class, std::size_t> known_;
};

}  // namespace runtime

/// Launches the best of several kernels that do the same. A size that nobody has tuned for gets the one that the model of
/// `predict` expects to be the fastest, which is the same in every run; `tune` measures, and what it finds holds for all
/// sizes of the class, in this process and in later ones on such a device.
/// `make(choice)` returns a `tg::deferred` of a choice; its arguments are of the size that is asked for.
/// Example: tg::tuner products(gpu, "products", tg::choices(small, large));
///          products.launch(tg::size_class(m, n, k), [&](const auto& kernel) { return tg::deferred(kernel, grid_of(kernel), a,
///          b, c); });
template <class... C> class tuner {
 public:
  /// `name` tells tuners of one program apart in the cache.
  tuner(device gpu, std::string name, const choices<C...>& all, tuning_options how = {})
      : gpu_(gpu), choices_(all), memory_(std::move(gpu), std::move(name), std::move(how)) {}

  /// Runs the best. Errors: those of `device::launch`. Cost: under a microsecond beyond the launch, but milliseconds for each
  /// choice when a class of sizes comes up that nobody has tuned for.
  template <class Make> void launch(const size_class& sizes, Make make) {
    const std::size_t chosen = choose(sizes, make);
    visit(chosen, [&](const auto& choice) { make(choice).launch(gpu_); });
  }

  /// The number of the best, from 0. Cost: as that of `launch`.
  template <class Make> std::size_t choose(const size_class& sizes, Make make) {
    if (const auto known = memory_.find(sizes)) return *known;
    return memory_.find_or_predict(sizes, candidates(make));
  }

  /// Measures all choices that can run, in turns, and keeps the fastest. Each is launched several times: its arguments are
  /// memory that may be overwritten. Choices that turn out slower than the best by a quarter are not measured again.
  /// Errors: that of the last choice where none can run.
  template <class Make> tuning tune(const size_class& sizes, Make make) { return memory_.tune(sizes, candidates(make)); }

  /// What the model expects of each choice, and which it would take. Nothing runs, nothing is remembered.
  template <class Make> tuning predict(Make make) const { return memory_.predict(candidates(make)); }

 private:
  template <class F> void visit(std::size_t chosen, F f) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)((I == chosen && (f(std::get<I>(choices_.all)), true)) || ...);
    }(std::index_sequence_for<C...>{});
  }
  template <class Make> std::vector<runtime::candidate> candidates(const Make& make) const {
    std::vector<runtime::candidate> out;
    const auto add = [&](const auto& choice) {
      out.push_back({[this, &make, &choice] {
                       const auto& on = analysis::figures_for(gpu_.name(), gpu_.limits().compute_capability);
                       return make(choice).predict(gpu_, on);
                     },
                     [this, &make, &choice] {
                       device gpu = gpu_;
                       make(choice).launch(gpu);
                     },
                     [this, &make, &choice] { return make(choice).text(gpu_); }});
    };
    std::apply([&](const auto&... each) { (add(each), ...); }, choices_.all);
    return out;
  }

  device gpu_;
  choices<C...> choices_;
  runtime::tuning_memory memory_;
};

}  // namespace tg
