// Several results of one kernel.
#pragma once

#include <tg/array/array.hpp>

namespace tg {

/// Where a result of `tg::assign` goes. Errors: TG704 for an array without memory.
template <class T, int Rank> class into {
 public:
  explicit into(array<T, Rank>& a, source_location where = source_location::current()) : to_(a.node()), where_(where) {
    detail::require_allocated(a.is_allocated(), where);
  }
  explicit into(const array_view<T, Rank>& v, source_location where = source_location::current())
      : to_(v.node()), where_(where) {}

  /// An expression and where it goes.
  template <class A> struct assignment {
    using result = detail::array_result<T, Rank, A>;
    detail::array_leaf<T, Rank> to;
    A node;
    source_location where;
  };
  /// Errors: TG103, TG710, TG712, TG715.
  template <class X> auto operator=(const X& x) const {
    using own = detail::array_leaf<T, Rank>;
    using found = typename decltype(detail::check_assigned<T, Rank, X>())::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return assignment<detail::array_node_of<X, own>>{to_, detail::to_array_node<own>(x), where_};
    else return assignment<own>{to_, to_, where_};
  }

 private:
  detail::array_leaf<T, Rank> to_;
  source_location where_;
};

namespace detail {

/// The assignment that some `into(y) = x` are together. Errors: TG710, TG712, TG715.
template <class First, class... More> struct whole_assignment {
  using type = assignment_of<First::result::rank, typename First::result, typename More::result...>;
  static constexpr bool is_first_largest = ((More::result::rank <= First::result::rank) && ...);
  using order = diagnosis::array_rank<is_first_largest, diagnosis::types<diagnosis::rank_of_array<First::result::rank>,
                                                                         diagnosis::rank_of_array<More::result::rank>...>>;
  static consteval auto check() {
    if constexpr (!is_first_largest) return std::type_identity<order>{};
    else return check_assignment<type>();
  }
  using found = typename decltype(check())::type;
};

template <class... A> void collect_assignments(result_list& results, operand_list& operands, const A&... assignments) {
  const auto add = [&](const auto& each) {
    results.places[static_cast<std::size_t>(results.count++)] = each.to.place();
    each.node.collect(operands);
  };
  (add(assignments), ...);
}

}  // namespace detail

/// Several results of one kernel, which reads what they share once: `tg::assign(tg::into(y) = x - tg::mean<1>(x, tg::keep),
/// tg::into(m) = tg::mean<1>(x))`. The first has as many dimensions as any; one of fewer lies along the dimensions that are
/// not reduced. `stream`: a stream that takes work, or the driver's handle of one; arrays live until its work is done, or as
/// long as the graph that it becomes is replayed. Errors: TG700 to TG707, TG710, TG712, TG715; those of a launch.
template <class Stream, class First, class... More> requires(!requires(const Stream& s) { s.node; })
void assign_on(const Stream& stream, const First& first, const More&... more) {
  using whole = detail::whole_assignment<First, More...>;
  if constexpr (diagnosis::is_ok<sizeof(typename whole::found), typename whole::found>) {
    detail::result_list results;
    detail::operand_list operands;
    detail::collect_assignments(results, operands, first, more...);
    const auto handle = [&] {
      if constexpr (requires { stream.native(); }) return stream.native();
      else return driver::stream_handle(stream);
    }();
    detail::evaluate(whole::type::facts, whole::type::kernels, results, operands, handle, first.where);
  }
}
/// `assign_on` the default stream of the device.
template <class First, class... More> requires requires(const First& f) { f.node; }
void assign(const First& first, const More&... more) {
  assign_on(driver::stream_handle(nullptr), first, more...);
}

}  // namespace tg
