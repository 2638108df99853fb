// The products of one group: what `add` of tg::wgmma's body records.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/wgmma/group_accumulator.hpp>
#include <tg/dsl/wgmma/shared_operand.hpp>

namespace tg {

namespace detail {

template <class X> inline constexpr bool is_group_fragment = false;
template <int Depth, class T> inline constexpr bool is_group_fragment<fragment<mma_side::a, 16, Depth, T>> = true;

/// A fragment of 64 rows in registers that nobody else has, four for each product.
template <class T, int Depth> struct owned_fragment {
  using element_type = T;
  static constexpr int depth = Depth;
  fixed_array<ptx::operand, static_cast<std::size_t>(Depth / group_depth<T>)> products;
};
template <class T, int Depth> inline constexpr bool is_group_fragment<owned_fragment<T, Depth>> = true;

template <class A, class B>
inline constexpr bool is_refused = std::same_as<A, refused_operand> || std::same_as<B, refused_operand>;

template <class A> constexpr int operand_lines() {
  if constexpr (is_group_fragment<A>) return 64;
  else return A::lines;
}

/// Whether A x B fits the sums.
template <class Sums, class A, class B> constexpr bool is_group_product() {
  if constexpr (!(is_shared_operand<A> || is_group_fragment<A>) || !is_shared_operand<B>) {
    return false;
  } else {
    using T = typename A::element_type;
    return are_group_types<T, typename B::element_type, typename Sums::sum_type> && operand_lines<A>() == Sums::m &&
           B::lines == Sums::n && A::depth == B::depth && A::depth % group_depth<T> == 0 && is_group_width<Sums::n, T>;
  }
}

/// Whether T may be subtracted, transposed: what the instruction has numbers for. Source: PTX ISA 9.0, "wgmma.mma_async".
template <class T> inline constexpr bool has_sign = !is_mma_integer<T> && !std::same_as<T, b1>;

template <class A> constexpr bool is_subtracted() {
  if constexpr (is_shared_operand<A>) return A::is_negative;
  else return false;
}
template <class A> constexpr bool is_transposed() {
  if constexpr (is_shared_operand<A>) return A::is_mn_major;
  else return false;
}

/// What the modifiers and the numbers of a product say.
struct group_product_facts {
  int n, k;
  ptx::token sum, left, right;
  bool has_sign, has_transposes, a_in_registers;
  bool negates_a, negates_b, transposes_a, transposes_b;
  ptx::token limit;  // satfinite or none
};

/// wgmma.fence.
void fence_products(const ptx::operand& sums, source_location where);
/// New registers that hold those of a fragment, which nobody else has. Returns: the vector of them.
ptx::operand own_registers(const ptx::operand* parts, std::size_t count);
template <class T, int Depth> owned_fragment<T, Depth> own_registers(const fragment<mma_side::a, 16, Depth, T>& a) {
  owned_fragment<T, Depth> out;
  for (std::size_t s = 0; s < out.products.size(); ++s) out.products[s] = own_registers(&a.parts.parts[4 * s], 4);
  return out;
}
/// Whether 0 was assigned to all of these variables since anything read them. Then the assignments are taken back: what comes
/// next writes all of them.
bool take_zeros(const ptx::operand* registers, std::size_t count);
/// One instruction. `keeps`: a predicate or a number, whether the sums are added to.
void emit_product(const group_product_facts& facts, const ptx::operand& sums, const ptx::operand& a, const ptx::operand& b,
                  const ptx::operand& keeps);
/// wgmma.commit_group, wgmma.wait_group.
void commit_products();
void wait_for_products(int left, source_location where);
/// How many instructions have been recorded.
std::size_t recorded_count();
/// Takes back the wait for all groups that was recorded last, unless a product since `first` reads registers, which the next
/// turn of a loop would write while it is under way. Returns: whether it was taken back.
bool take_back_wait(std::size_t first);
/// Errors: TG153 in a block that is not made of whole warpgroups.
void require_warpgroups(source_location where);

template <class Keep> ptx::operand keeps(const Keep& keep) {
  if constexpr (std::is_same_v<Keep, bool>) return ptx::operand::integer(keep ? 1 : 0);
  else return condition_of(keep);
}

}  // namespace detail

/// The products of one group, which a body of `tg::wgmma` gets. What they do is done behind the wait for the group.
template <class Sums> class group_products {
 public:
  explicit group_products(Sums& sums) : sums_(sums) {}

  /// The sums += a x b, or = a x b where `keep` does not hold, a bool of the host or of the kernel, the same in all threads of
  /// the warpgroup. A is a `shared_operand`, or for 64 rows an `a_fragment<16, Depth, T>` of each warp, whose registers are
  /// copied; B a `shared_operand`. Errors: TG104, TG151, TG153.
  /// PTX: one wgmma.mma_async for each 64 rows and 32 bytes of depth.
  template <class A, class B, class Keep = bool>
  void add(const A& a, const B& b, const Keep& keep = true, source_location where = source_location::current()) {
    if constexpr (!detail::is_refused<A, B>) multiply<false>(a, b, keep, where);
  }
  /// Sums of integers that stay at the largest or smallest number where they would pass it. Errors: TG153. PTX: .satfinite.
  template <class A, class B, class Keep = bool>
  void add_saturating(const A& a, const B& b, const Keep& keep = true, source_location where = source_location::current()) {
    if constexpr (!detail::is_refused<A, B>) multiply<true>(a, b, keep, where);
  }

 private:
  template <bool Saturates, class A, class B, class Keep>
  void multiply(const A& a, const B& b, const Keep& keep, source_location where) {
    constexpr bool fits = [] {
      if constexpr (!detail::is_group_product<Sums, A, B>()) return false;
      else
        return (!Saturates || detail::is_mma_integer<typename A::element_type>) &&
               (detail::has_sign<typename A::element_type> || !(detail::is_subtracted<A>() || detail::is_subtracted<B>()));
    }();
    using found = diagnosis::group_product<fits, diagnosis::types<Sums, A, B>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      detail::tracer::current(where).at(where);
      if constexpr (requires { a.parts; }) multiply_operands<Saturates>(detail::own_registers(a), b, keep, where);
      else multiply_operands<Saturates>(a, b, keep, where);
    }
  }

  template <bool Saturates, class A, class B, class Keep>
  void multiply_operands(const A& a, const B& b, const Keep& keep, source_location where) {
    using T = typename A::element_type;
    constexpr int k = detail::group_depth<T>;
    constexpr bool is_fragment = detail::is_group_fragment<A>;
    constexpr detail::group_product_facts facts{Sums::n,
                                                k,
                                                detail::mma_sum_name<typename Sums::sum_type>,
                                                mma_element<T>::name,
                                                mma_element<typename B::element_type>::name,
                                                detail::has_sign<T>,
                                                mma_element<T>::bits == 16,
                                                is_fragment,
                                                detail::is_subtracted<A>(),
                                                detail::is_subtracted<B>(),
                                                detail::is_transposed<A>(),
                                                detail::is_transposed<B>(),
                                                Saturates ? ptx::token::satfinite : ptx::token::none};
    auto& t = detail::tracer::current(where);
    const ptx::operand first = detail::keeps(keep), always = ptx::operand::integer(1);
    for (int row = 0; row < Sums::m; row += 64) {
      const ptx::operand sums = sums_of(t, row / 64);
      if (is_fragment || !is_fenced_) detail::fence_products(whole_sums(t), where);
      is_fenced_ = true;
      for (int s = 0; s < A::depth / k; ++s) {
        ptx::operand from;
        if constexpr (is_fragment) from = a.products[static_cast<std::size_t>(s)];
        else from = a.descriptor(s, k, row);
        detail::emit_product(facts, sums, from, b.descriptor(s, k, 0), s == 0 ? first : always);
      }
    }
  }

  static constexpr std::size_t each = Sums::registers_of_product;

  ptx::operand sums_of(detail::tracer& t, int number) {
    fixed_array<ptx::operand, each> own;
    for (std::size_t r = 0; r < each; ++r) own[r] = sums_(static_cast<std::size_t>(number) * each + r).target();
    return t.new_vector(own.data(), own.size());
  }
  ptx::operand whole_sums(detail::tracer& t) {
    fixed_array<ptx::operand, Sums::registers> own;
    for (std::size_t r = 0; r < own.size(); ++r) own[r] = sums_(r).target();
    return t.new_vector(own.data(), own.size());
  }

  Sums& sums_;
  bool is_fenced_ = false;
};

}  // namespace tg
