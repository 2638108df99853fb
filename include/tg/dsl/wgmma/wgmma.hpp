// wgmma: products that the four warps of a warpgroup begin together and that go on while these do something else.
//
//   tg::group_accumulator<64, 64, float> sum;                                    // without numbers: the first product
//   overwrites auto one = tg::wgmma(std::move(sum), tg::k_major(a), tg::k_major(b), false);  // a group under way, which has
//   the sums auto two = one.then(tg::k_major(c), tg::k_major(d));                         // one more, which adds to them auto
//   product = two.wait();                                                   // the sums, to be read
#pragma once

#include <optional>
#include <tuple>
#include <utility>

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/wgmma/fence_async_proxy.hpp>
#include <tg/dsl/wgmma/group_product.hpp>
#include <tg/dsl/wgmma/warpgroup.hpp>

namespace tg {

template <class... Sums> class wgmma_groups;

namespace diagnosis {

/// In a compile error: how many groups of products are under way.
template <int> struct under_way {};

template <bool Ok, class Facts = void> struct waited_for_sums {
  static_assert(Ok, "TG152: these sums are written by products that are under way; go on with what wait() returns");
};
template <bool Ok, class Facts = void> struct handed_over_sums {
  static_assert(Ok, "TG152: a product takes its sums until the wait for it: write std::move(sum)");
};
template <bool Ok, class Facts = void> struct wait_for_products {
  static_assert(Ok,
                "TG152: this wait waits for no group, or for the sums of several: fewer groups are under way than may stay, "
                "or write one wait for each accumulator");
};
template <bool Ok, class Facts = void> struct steady_products {
  static_assert(Ok, "TG152: the body of this loop leaves other groups of products under way than it found");
};

}  // namespace diagnosis

namespace detail {

/// The sums that a group is the last to write; none where a later group adds to them.
template <class Sums> struct group_slot { Sums sums; };
template <> struct group_slot<void> {};

/// What is left of groups without the last one's sums.
template <class Done, class... Rest> struct without_last;
template <class... Done, class Last> struct without_last<wgmma_groups<Done...>, Last> {
  using sums = Last;
  using type = wgmma_groups<Done..., void>;
};
template <class... Done, class First, class Second, class... Rest>
struct without_last<wgmma_groups<Done...>, First, Second, Rest...>
    : without_last<wgmma_groups<Done..., First>, Second, Rest...> {};

template <class Sums, class Body> void record_products(Sums& sums, Body& body, source_location where) {
  require_warpgroups(where);
  group_products<Sums> products(sums);
  body(products);
  commit_products();
}

template <class X>
inline constexpr bool is_operand_of_product = is_shared_operand<X> || is_group_fragment<X> || std::same_as<X, refused_operand>;

}  // namespace detail

/// The sums of a wait that leaves groups under way, and these.
template <class Sums, class Groups> struct waited_sums {
  Sums sums;
  Groups groups;
};

/// Groups of products under way, the oldest first, each with the sums that it is the last to write. `tg::wgmma` begins the
/// first. Registers that are under way are touched by nobody else: where the types do not show it, the recording says so.
template <class... Sums> class [[nodiscard]] wgmma_groups {
  using last = detail::without_last<wgmma_groups<>, Sums...>;

 public:
  static constexpr int pending = sizeof...(Sums);

  explicit wgmma_groups(detail::group_slot<Sums>&&... slots) : slots_(std::move(slots)...) {}
  explicit wgmma_groups(std::tuple<detail::group_slot<Sums>...>&& slots) : slots_(std::move(slots)) {}
  wgmma_groups(wgmma_groups&&) = default;

  /// One more group, which adds a x b to the sums of the youngest; `keep` as in `tg::wgmma`. Errors: TG151, TG153.
  template <class A, class B, class Keep = bool> requires detail::is_operand_of_product<A>
  auto then(const A& a, const B& b, const Keep& keep = true, source_location where = source_location::current()) {
    return then([&](auto& products) { products.add(a, b, keep, where); }, where);
  }
  /// One more group, whose products the body says: `groups.then([&](auto& products) { products.add(a, b); });`.
  template <class Body> requires(!is_group_accumulator<std::remove_cvref_t<Body>>)
  auto then(Body&& body, source_location where = source_location::current()) {
    using all = typename last::sums;
    all sums(std::move(std::get<pending - 1>(slots_).sums));
    detail::record_products(sums, body, where);
    return joined(detail::make_integer_sequence<int, pending - 1>{}, detail::group_slot<void>{},
                  detail::group_slot<all>{std::move(sums)});
  }
  /// One more group, of other sums. Errors: TG151, TG153.
  template <int M, int N, class T, class A, class B, class Keep = bool>
  auto then(group_accumulator<M, N, T>&& sums, const A& a, const B& b, const Keep& keep = true,
            source_location where = source_location::current()) {
    return then(std::move(sums), [&](auto& products) { products.add(a, b, keep, where); }, where);
  }
  template <int M, int N, class T, class Body>
  auto then(group_accumulator<M, N, T>&& sums, Body&& body, source_location where = source_location::current())
      requires(!detail::is_operand_of_product<std::remove_cvref_t<Body>>)
  {
    using own = group_accumulator<M, N, T>;
    detail::record_products(sums, body, where);
    return joined(detail::make_integer_sequence<int, pending>{}, detail::group_slot<own>{std::move(sums)});
  }

  /// Waits until at most `Left` groups are under way. Returns: the sums of those that are over where none is left; else the
  /// groups that are left, and where sums are done, both, as `.sums` and `.groups`.
  /// Errors: TG152. PTX: wgmma.wait_group.
  template <long long Left = 0>
  [[nodiscard]] auto wait(constant<Left> /*left*/ = {}, source_location where = source_location::current()) {
    constexpr int over = pending - static_cast<int>(Left);
    constexpr int done = over > 0 ? sums_among<(over > 0 ? over : 0)>() : 0;
    using found = diagnosis::wait_for_products<(Left >= 0 && over > 0 && done <= 1),
                                               diagnosis::types<diagnosis::under_way<pending>, constant<Left>>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      detail::wait_for_products(static_cast<int>(Left), where);
      if constexpr (Left == 0) return std::move(std::get<first_with_sums>(slots_).sums);
      else if constexpr (done == 0) return rest<over>(detail::make_integer_sequence<int, static_cast<int>(Left)>{});
      else {
        auto groups = rest<over>(detail::make_integer_sequence<int, static_cast<int>(Left)>{});
        using own = std::remove_cvref_t<decltype(std::get<first_with_sums>(slots_).sums)>;
        return waited_sums<own, decltype(groups)>{std::move(std::get<first_with_sums>(slots_).sums), std::move(groups)};
      }
    }
  }

  /// Refuses to give a register of sums that are under way. Errors: TG152.
  template <class... I> value<float> operator()(const I&...) const {
    (void)sizeof(diagnosis::waited_for_sums<(sizeof...(I) > 99), wgmma_groups>);
    return {ptx::operand{}};
  }

  /// The registers of all sums, for a loop that finds and leaves the same ones.
  bool has_registers_of(const wgmma_groups& other) const { return same(other, detail::make_integer_sequence<int, pending>{}); }
  /// These groups by another name, which a loop keeps while its body has them.
  wgmma_groups alias() { return wgmma_groups(alias_of(detail::make_integer_sequence<int, pending>{})); }

 private:
  template <class...> friend class wgmma_groups;

  template <int Count> static constexpr int sums_among() {
    constexpr bool has[] = {!std::is_void_v<Sums>...};
    int out = 0;
    for (int k = 0; k < Count && k < pending; ++k) out += has[k] ? 1 : 0;
    return out;
  }
  static constexpr int first_with_sums = [] {
    constexpr bool has[] = {!std::is_void_v<Sums>...};
    int k = 0;
    while (k < pending - 1 && !has[k]) ++k;
    return k;
  }();

  template <int... K, class... More> auto joined(detail::integer_sequence<int, K...>, More&&... more) {
    return make(std::move(std::get<K>(slots_))..., std::move(more)...);
  }
  template <int First, int... K> auto rest(detail::integer_sequence<int, K...>) {
    return make(std::move(std::get<First + K>(slots_))...);
  }
  template <class... S> static wgmma_groups<S...> make(detail::group_slot<S>&&... slots) {
    return wgmma_groups<S...>(std::move(slots)...);
  }

  template <class S> static bool is_same(const detail::group_slot<S>& a, const detail::group_slot<S>& b) {
    if constexpr (std::is_void_v<S>) return true;
    else {
      for (std::size_t r = 0; r < S::registers; ++r)
        if (!(a.sums(r).target() == b.sums(r).target())) return false;
      return true;
    }
  }
  template <int... K> bool same(const wgmma_groups& other, detail::integer_sequence<int, K...>) const {
    return (is_same(std::get<K>(slots_), std::get<K>(other.slots_)) && ...);
  }
  template <int... K> std::tuple<detail::group_slot<Sums>...> alias_of(detail::integer_sequence<int, K...>) {
    return {detail::group_slot<Sums>(std::move(std::get<K>(slots_)))...};
  }

  std::tuple<detail::group_slot<Sums>...> slots_;
};

/// Begins a group of products: the sums += a x b, or = a x b where `keep`, a bool of the host or of the kernel, does not hold.
/// The group has the sums until the wait for it: `auto product = tg::wgmma(std::move(sum), a, b).wait();`.
/// Requires: called by all threads of a warpgroup; what other threads wrote to the tiles is seen (`tg::fence_async_proxy`, then
/// a barrier), and nobody writes to them before the wait. Errors: TG151 to TG153.
/// PTX: wgmma.fence, one wgmma.mma_async for each 64 rows and 32 bytes of depth, wgmma.commit_group; sm_90a.
/// Source: PTX ISA 9.0, "Asynchronous warpgroup level matrix multiply-accumulate instructions".
template <int M, int N, class T, class A, class B, class Keep = bool> requires detail::is_operand_of_product<A>
auto wgmma(group_accumulator<M, N, T>&& sums, const A& a, const B& b, const Keep& keep = true,
           source_location where = source_location::current()) {
  return wgmma(std::move(sums), [&](auto& products) { products.add(a, b, keep, where); }, where);
}
/// Begins a group of the products that the body says: `tg::wgmma(std::move(sum), [&](auto& products) { products.add(a, b);
/// products.add(c, d); })`.
template <int M, int N, class T, class Body> requires(!detail::is_operand_of_product<std::remove_cvref_t<Body>>)
auto wgmma(group_accumulator<M, N, T>&& sums, Body&& body, source_location where = source_location::current()) {
  detail::record_products(sums, body, where);
  return wgmma_groups<group_accumulator<M, N, T>>(detail::group_slot<group_accumulator<M, N, T>>{std::move(sums)});
}
/// Refuses sums that are not handed over. Errors: TG152.
template <int M, int N, class T, class... A> auto wgmma(group_accumulator<M, N, T>& sums, const A&...) {
  (void)sizeof(diagnosis::handed_over_sums<(sizeof...(A) > 99), group_accumulator<M, N, T>>);
  return wgmma_groups<group_accumulator<M, N, T>>(detail::group_slot<group_accumulator<M, N, T>>{std::move(sums)});
}

/// A counted loop whose body takes the groups under way and returns as many, with the same sums:
/// `auto rest = tg::for_groups(tg::range(n), std::move(first), [&](auto k, auto groups) { return groups.then(a, b).wait(1_c);
/// });`. Returns: the groups after the loop. Errors: TG152.
template <class Range, class... Sums, class Body>
wgmma_groups<Sums...> for_groups(const Range& range, wgmma_groups<Sums...> groups, Body&& body,
                                 source_location where = source_location::current()) {
  using state = wgmma_groups<Sums...>;
  state before = groups.alias();
  for_(
      range,
      [&](auto i) -> void {
        auto left = body(i, before.alias());
        constexpr bool is_steady = std::is_same_v<state, decltype(left)>;
        using found = diagnosis::steady_products<is_steady, diagnosis::types<state, decltype(left)>>;
        if constexpr (diagnosis::is_ok<sizeof(found), found>) {
          if (!left.has_registers_of(before))
            detail::refuse(code{152}, "the body of this loop returns its groups of products with other sums than it found",
                           "return the sums in the order in which the body got them", where);
        }
      },
      where);
  return before;
}

}  // namespace tg
