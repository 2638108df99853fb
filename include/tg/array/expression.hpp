// An expression on its way to the evaluator: what its type says, its arrays and numbers, and the line that assigns it.
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>

#include <tg/array/axes.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg {

namespace detail {

/// What a linker names first where no source file of a program includes <tg/array_library.hpp>.
extern const char include_tg_array_library_hpp_in_one_source_file;
[[gnu::used]] inline const char* const wanted_of_array_library = &include_tg_array_library_hpp_in_one_source_file;

/// The kernels that an expression has been evaluated with, one for each class of layouts; found without a lock. Never given up.
struct expression_kernels {
  std::atomic<void*> known{nullptr};  // a list that only grows
};

/// The elements of A on their way to an array of `Rank` dimensions of T.
template <class T, int Rank, class A> struct array_result {
  static constexpr int rank = Rank;
  static constexpr element_code element = code_for<T>;
  static constexpr dropped_dimensions dropped = dropped_by<A>();

  static constexpr void add_to(expression_facts& f, const axis_list& axes) { A::add_to(f, axes.last(A::rank), false); }
  static ptx::operand value(element_reader r) { return to_value<T>(A::emit(r)).operand; }
};

/// The assignment of some results, of which the first has as many dimensions as any: `Rank`.
template <int Rank, class... Result> struct assignment_of {
  static constexpr expression_facts make() {
    expression_facts f;
    f.rank = Rank;
    (add<Result>(f), ...);
    if (f.product_count > 0 && f.product_count != f.reduction_count) f.is_one_kernel = false;
    return f;
  }
  template <class R> static constexpr void add(expression_facts& f) {
    if (f.result_count == most_results) {
      f.fits = false;
      return;
    }
    result_facts own{R::element, {}, f.counts(), R::value, requires { R::scatters; }};
    // A result of fewer dimensions lies along those that are left of the largest, where its own reductions or those before it
    // say which; else along the last ones.
    const std::uint32_t of_result = (1u << Rank) - 1;
    const std::uint32_t kept = of_result & ~(R::dropped.mask != 0 && R::dropped.rank == Rank ? R::dropped.mask : f.reduced);
    const bool is_along_kept = R::rank < Rank && count_bits(kept) == R::rank;
    for (int a = 0; a < Rank; ++a)
      if (is_along_kept ? (kept >> a & 1) != 0 : a >= Rank - R::rank) own.axes.add(a);
    R::add_to(f, own.axes);
    f.results[static_cast<std::size_t>(f.result_count++)] = own;
  }

  static constexpr expression_facts facts = make();
  static inline constinit expression_kernels kernels{};
};

/// What is wrong with an assignment, as a diagnosis. Errors: TG712, TG715, TG718, TG720, TG721.
template <class Assignment> consteval auto check_assignment() {
  if constexpr (!Assignment::facts.fits) return std::type_identity<diagnosis::expression_size<false>>{};
  else if constexpr (Assignment::facts.results[0].is_scattered && Assignment::facts.reduction_count > 0)
    return std::type_identity<diagnosis::scattered_reduction<false>>{};
  else if constexpr (Assignment::facts.has_nested_scan) return std::type_identity<diagnosis::nested_scan<false>>{};
  else if constexpr (!Assignment::facts.is_one_kernel && Assignment::facts.product_count > 0)
    return std::type_identity<diagnosis::product_alone<false>>{};
  else if constexpr (!Assignment::facts.is_one_kernel) return std::type_identity<diagnosis::reduced_axes<false>>{};
  else return std::type_identity<diagnosis::none>{};
}

/// Arrays that an assignment writes.
struct result_list {
  fixed_array<array_place, most_results> places;
  int count = 0;
};

/// Computes an expression. Errors: TG700 to TG702, TG705 to TG707; those of a launch.
void evaluate(const expression_facts& facts, expression_kernels& kernels, const result_list& results,
              const operand_list& operands, driver::stream_handle stream, source_location where);
/// The extents of the result of an expression of one result. Errors: TG700.
void find_extents(const expression_facts& facts, const operand_list& operands, std::int64_t* extents, source_location where);
/// The device of its arrays. Errors: TG702, TG704; TG704 where it has none.
runtime::context& device_of(const operand_list& operands, source_location where);

/// What is wrong with giving the elements of X to an array, as a diagnosis. Errors: TG103, TG710, TG712, TG715.
template <class T, int Rank, class X> consteval auto check_assigned() {
  using A = array_node_of<X, array_leaf<T, Rank>>;
  if constexpr (!is_literal_beside<element_word, T, X>())
    return std::type_identity<diagnosis::literal_fits<false, diagnosis::types<T, X>>>{};
  else if constexpr (!std::is_void_v<typename A::element_type> && !std::is_same_v<typename A::element_type, T>)
    return std::type_identity<diagnosis::assignable<false, diagnosis::types<T, typename A::element_type>>>{};
  else if constexpr (A::rank > Rank)
    return std::type_identity<diagnosis::array_rank<
        false, diagnosis::types<diagnosis::rank_of_expression<A::rank>, diagnosis::rank_of_array<Rank>>>>{};
  else return check_assignment<assignment_of<Rank, array_result<T, Rank, A>>>();
}

/// An expression whose elements go to an array of `Rank` dimensions of T; what is left of its type. It lives as long as the
/// expression. Errors: TG103, TG710, TG712, TG715.
template <class T, int Rank> struct assigned_expression {
  const expression_facts* facts = nullptr;
  expression_kernels* kernels = nullptr;
  operand_list operands;
  source_location where;

  template <class X> requires(array_like<X> || operand_like<X>)
  assigned_expression(const X& x, source_location where = source_location::current()) : where(where) {
    using found = typename decltype(check_assigned<T, Rank, X>())::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      using assignment = assignment_of<Rank, array_result<T, Rank, array_node_of<X, array_leaf<T, Rank>>>>;
      facts = &assignment::facts;
      kernels = &assignment::kernels;
      if constexpr (array_like<X>) x.node().collect(operands);  // places point into the tree, not into a copy of it
      else to_array_node<array_leaf<T, Rank>>(x).collect(operands);
    }
  }

  array_shape<Rank> shape() const {
    array_shape<Rank> out;
    find_extents(*facts, operands, out.extents.data(), where);
    return out;
  }
  void evaluate(const array_place& result, driver::stream_handle stream = nullptr) const {
    result_list results;
    results.places[0] = result;
    results.count = 1;
    detail::evaluate(*facts, *kernels, results, operands, stream, where);
  }
};

}  // namespace detail

}  // namespace tg
