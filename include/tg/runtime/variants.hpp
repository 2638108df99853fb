// Kernels that do the same in different ways: the best that a device can run is chosen at launch.
#pragma once

#include <tuple>
#include <type_traits>
#include <utility>

#include <tg/dsl/kernel/for_sm.hpp>
#include <tg/runtime/device.hpp>

namespace tg {

namespace diagnosis {
template <bool Ok, class Facts = void> struct same_parameters {
  static_assert(Ok, "TG162: the variants of a kernel take the same parameters, and all but the last say tg::requires_sm");
};
}  // namespace diagnosis

/// A kernel for devices from sm_Sm on, from `requires_sm`, or of sm_Sm alone.
template <int Sm, class K, bool IsExact = false> struct kernel_for {
  using parameters = typename K::parameters;
  static constexpr int sm = Sm;

  K kernel;
};

/// A kernel that is taken on devices from sm_Sm on: `tg::requires_sm<90>(kernel)`; see `variants`. A kernel that needs more
/// than it says is refused with the line that does. Errors: TG506 at launch.
template <int Sm, class K> requires is_kernel<K>
constexpr kernel_for<Sm, K> requires_sm(const K& kernel) {
  return {kernel};
}

/// A kernel that is taken on devices of sm_Sm and on no others, as words of sm_90a need it, wgmma for one.
template <int Sm, class K> requires is_kernel<K>
constexpr kernel_for<Sm, K, true> requires_exactly_sm(const K& kernel) {
  return {kernel};
}

namespace detail {

template <class V> inline constexpr int least_sm = 0;
template <int Sm, class K, bool IsExact> inline constexpr int least_sm<kernel_for<Sm, K, IsExact>> = Sm;
template <class V> inline constexpr bool is_for_one_sm = false;
template <int Sm, class K> inline constexpr bool is_for_one_sm<kernel_for<Sm, K, true>> = true;

template <class K> constexpr const K& kernel_of(const K& kernel) { return kernel; }
template <int Sm, class K, bool IsExact> constexpr const K& kernel_of(const kernel_for<Sm, K, IsExact>& v) { return v.kernel; }

}  // namespace detail

/// What `variants` makes.
template <class... V> struct variants_t {
  std::tuple<V...> all;

  /// Calls `f(kernel)` with the first that the device can run, else the last.
  template <class F> void choose(const device& gpu, F f) const {
    const int sm = gpu.limits().compute_capability;
    constexpr std::size_t last = sizeof...(V) - 1;
    const auto try_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
      const auto& one = std::get<I>(all);
      using variant = std::remove_cvref_t<decltype(one)>;
      constexpr int least = detail::least_sm<variant>;
      if (I != last && (detail::is_for_one_sm<variant> ? sm != least : sm < least)) return false;
      f(detail::kernel_of(one));
      return true;
    };
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (void)(try_one(std::integral_constant<std::size_t, I>{}) || ...);
    }(std::index_sequence_for<V...>{});
  }

  /// Runs the first that the device can run, else the last. Errors: those of `device::launch`.
  template <class... A> void launch(device& gpu, const placement& where, A&&... arguments) const {
    choose(gpu, [&](const auto& kernel) { gpu.launch(kernel, where, std::forward<A>(arguments)...); });
  }
};

/// `constexpr auto sum = tg::variants(tg::requires_sm<90>(a), tg::requires_sm<80>(b), c); sum.launch(gpu, tg::cover(n), x, n);`
/// Errors: TG162.
template <class First, class... More> constexpr variants_t<First, More...> variants(const First& first, const More&... more) {
  constexpr int least[] = {detail::least_sm<First>, detail::least_sm<More>...};
  constexpr bool are_ordered = [&] {
    for (std::size_t k = 0; k < sizeof...(More); ++k)
      if (least[k] == 0) return false;
    return true;
  }();
  constexpr bool fit = are_ordered && (std::is_same_v<typename First::parameters, typename More::parameters> && ...);
  (void)sizeof(diagnosis::same_parameters<fit, diagnosis::types<typename First::parameters, typename More::parameters...>>);
  return {{first, more...}};
}

namespace detail {
template <int Sm, class K> constexpr auto kernel_made_for(const K& kernel) {
  if constexpr (Sm >= 90) return tg::requires_exactly_sm<Sm>(kernel);
  else return tg::requires_sm<Sm>(kernel);
}
}  // namespace detail

/// One text for several architectures, the newest first: `tg::choose_arch<90, 80>([](auto sm) { return tg::kernel<"gemm">(
/// tg::block<128> | sm, ...); })` is the variants `make(tg::for_sm<90>)` and `make(tg::for_sm<80>)`. That for sm_90 runs on
/// devices of sm_90 alone, whose instructions later ones lack. Errors: TG162.
template <int... Sm, class Make> constexpr auto choose_arch(Make make) {
  return variants(detail::kernel_made_for<Sm>(make(for_sm<Sm>))...);
}

}  // namespace tg
