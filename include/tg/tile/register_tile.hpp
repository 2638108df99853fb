// Tiles in registers: those that are fixed once computed, and those that change.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/tile/change_count.hpp>
#include <tg/tile/tree.hpp>
#include <tg/tree/operators.hpp>

namespace tg {

namespace detail {

/// A tree plus a product.
template <class X> inline constexpr bool is_sum_with_product = false;
template <class X> requires(X::ends_in_product)
inline constexpr bool is_sum_with_product<X> = true;

/// TG603: `what` was assigned on line `assigned`.
[[noreturn]] inline void refuse_stale(const char* what, source_location assigned) {
  refuse(code{603}, what, "name the value with tg::eval where it is written", assigned);
}

namespace held {

/// The registers of a tile, as an operand of a tree.
template <scalar_type T, class D, class Team> struct tile_leaf : tile_node {
  using element_type = T;
  static constexpr int rows = D::value.rows;
  static constexpr int columns = D::value.columns;
  using spread = D;
  static constexpr bool is_spread = true;

  template <class Wanted> static constexpr bool is_per_row = D::value.columns == 1 && Wanted::value.slice(true) == D::value;
  // One element, which all threads hold.
  template <class Wanted>
  static constexpr bool is_for_all = rows == 1 && columns == 1 && Wanted::value.warp_bits == D::value.warp_bits;
  template <class Wanted>
  static constexpr bool accepts = Wanted::value == D::value || is_for_all<Wanted> || is_per_row<Wanted> ||
                                  (D::value.rows == 1 && Wanted::value.slice(false) == D::value);

  fixed_array<ptx::operand, D::value.registers()> registers;
  Team own_team;
  change_count changes;  // none: it is fixed
  unsigned count = 0;    // of changes when the tree was written

  const tile_leaf& node() const { return *this; }
  const Team& team() const { return own_team; }
  void require_unchanged() const {
    if (changes.count() != count)
      refuse_stale("an expression reads a tile that was assigned after the expression was written", changes.where());
  }
  bool reads(const change_count& tile) const { return changes.is_shared_with(tile); }
  value<T> read(int r) const {
    const ptx::operand& own = registers[static_cast<std::size_t>(r)];
    if (!changes) return {own};
    return {tracer::current().copy(register_type<T>, move_type<T>, own)};
  }
  template <class Wanted, class OtherTeam> auto bind(const OtherTeam&) const {
    // What is refused stands as it is.
    constexpr bool as_it_is = Wanted::value == D::value || is_for_all<Wanted> || !accepts<Wanted>;
    constexpr bool per_row = is_per_row<Wanted>;
    return [leaf = *this](int r) {
      if constexpr (as_it_is) return leaf.read(r % D::value.registers());
      else return leaf.read(Wanted::value.in_slice(per_row, r));
    };
  }
};

}  // namespace held

}  // namespace detail

namespace detail {
template <class Target, class Tree> void assign_tile(const Target& target, const Tree& tree, source_location where);
}

/// A tile whose elements are fixed: what `tg::eval`, reductions and loads give. T is the type of its elements, D how they are
/// spread over the threads of the team.
template <scalar_type T, class D, class Team> class fixed_tile : public detail::tile_node {
 public:
  using element_type = T;
  using team_type = Team;
  static constexpr int rows = D::value.rows;
  static constexpr int columns = D::value.columns;
  using spread = D;
  static constexpr bool is_spread = true;
  using registers_t = fixed_array<ptx::operand, D::value.registers()>;

  fixed_tile(const Team& team, const registers_t& registers) : leaf_{{}, registers, team, {}} {}
  fixed_tile(const fixed_tile&) = default;

  // It is not assigned: the name would stand for other registers while the kernel is recorded, not while it runs. Errors:
  // TG127.
  void operator=(const fixed_tile&) { refuse<T>(); }
  template <class X> void operator=(const X&) { refuse<X>(); }
  template <class X> void operator+=(const X&) const { refuse<X>(); }
  template <class X> void operator-=(const X&) const { refuse<X>(); }
  template <class X> void operator*=(const X&) const { refuse<X>(); }
  template <class X> void operator/=(const X&) const { refuse<X>(); }

  const detail::tile_leaf<T, D, Team>& node() const { return leaf_; }
  const Team& team() const { return leaf_.own_team; }
  /// Register `r` of this thread.
  value<T> operator()(int r) const { return {leaf_.registers[static_cast<std::size_t>(r)]}; }
  // A thread holds some elements only. Errors: TG116.
  template <class... I> requires(sizeof...(I) > 1)
  value<T> operator()(const I&...) const {
    (void)sizeof(diagnosis::element_of_tile<sizeof(T) == 0, diagnosis::types<I...>>);
    return (*this)(0);
  }

 private:
  template <class X> static void refuse() { (void)sizeof(diagnosis::fixed_tile<sizeof(X) == 0, fixed_tile>); }

  detail::tile_leaf<T, D, Team> leaf_;
};

/// A tile that can be assigned: `sum = sum * fix + row`. What `tg::zeros` and `tg::full` give. Errors: TG602, TG604.
template <scalar_type T, class D, class Team> class register_tile : public detail::tile_node {
 public:
  using element_type = T;
  using team_type = Team;
  static constexpr int rows = D::value.rows;
  static constexpr int columns = D::value.columns;
  using spread = D;
  static constexpr bool is_spread = true;

  template <operand_like X>
  register_tile(const Team& team, const X& x, source_location where) : team_(team), changes_(detail::change_count::start()) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    const ptx::operand from = t.copy(register_type<T>, move_type<T>, detail::to_value<T>(x).operand);
    t.new_registers(registers_.data(), D::value.registers(), register_type<T>, move_type<T>, from);
  }
  // Errors: TG134.
  register_tile(const register_tile& other) : registers_(other.registers_), team_(other.team_), changes_(other.changes_) {
    (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, register_tile>);
  }
  register_tile(register_tile&&) = default;

  detail::tile_leaf<T, D, Team> node() const { return {{}, registers_, team_, changes_, changes_.count()}; }
  const Team& team() const { return team_; }
  /// The registers themselves, for instructions that write them.
  const ptx::operand* targets() const { return registers_.data(); }
  /// Every tree that reads the tile is out of date.
  void change(source_location where) const { changes_.add(where); }

  template <class X> requires detail::tree_operand<X>
  register_tile& operator=(const X& x) {
    // What is added to a product stands where its sums do. The product may read this tile: as it is before.
    if constexpr (detail::is_sum_with_product<X>) {
      const auto& product = x.operands.second;
      if (product.reads(changes_)) {
        const auto read = product.template with_left_now<D>(team_);
        assign(x.operands.first, source_location{});
        return *this += read;
      }
      assign(x.operands.first, source_location{});
      return *this += product;
    } else {
      assign(x, source_location{});
      return *this;
    }
  }
  register_tile& operator=(const register_tile& other) {
    assign(other, source_location{});
    return *this;
  }
  template <class X> requires detail::tree_operand<X>
  register_tile& operator+=(const X& x) {
    if constexpr (requires { X::is_product; }) {
      if constexpr (requires { typename X::sum_type; })
        if constexpr (!std::is_same_v<typename X::sum_type, T>) {
          (void)sizeof(diagnosis::product_spread<sizeof(X) == 0, diagnosis::types<register_tile, X>>);
          return *this;
        }
      x.require_unchanged();
      x.template add_to<D>(targets(), team_);
      change(x.where);
      return *this;
    } else {
      return *this = *this + x;
    }
  }
  template <class X> requires detail::tree_operand<X>
  register_tile& operator-=(const X& x) {
    return *this = *this - x;
  }
  template <class X> requires detail::tree_operand<X>
  register_tile& operator*=(const X& x) {
    return *this = *this * x;
  }
  template <class X> requires detail::tree_operand<X>
  register_tile& operator/=(const X& x) {
    return *this = *this / x;
  }

  // A const tile. Errors: TG127.
  void operator=(const register_tile&) const { refuse_change<T>(); }
  template <class X> requires detail::tree_operand<X>
  void operator=(const X&) const {
    refuse_change<X>();
  }
  template <class X> requires detail::tree_operand<X>
  void operator+=(const X&) const {
    refuse_change<X>();
  }
  template <class X> requires detail::tree_operand<X>
  void operator-=(const X&) const {
    refuse_change<X>();
  }
  template <class X> requires detail::tree_operand<X>
  void operator*=(const X&) const {
    refuse_change<X>();
  }
  template <class X> requires detail::tree_operand<X>
  void operator/=(const X&) const {
    refuse_change<X>();
  }

 private:
  template <class X> static void refuse_change() { (void)sizeof(diagnosis::tile_that_changes<sizeof(X) == 0, register_tile>); }

  template <class X> void assign(const X& x, source_location where) {
    const auto tree = detail::to_node(x);
    detail::assign_tile(*this, tree, where);
  }

  fixed_array<ptx::operand, D::value.registers()> registers_;
  Team team_;
  detail::change_count changes_;
};

namespace detail {

template <class Target, class Tree> void assign_tile(const Target& target, const Tree& tree, source_location where) {
  using T = typename Target::element_type;
  auto& t = tracer::current(where);
  tree.require_unchanged();
  using spread = typename Target::spread;
  constexpr bool fits = is_extent_of(Tree::rows, Target::rows) && is_extent_of(Tree::columns, Target::columns);
  using extents = diagnosis::fitting_tiles<fits, diagnosis::types<Target, Tree>>;
  using found = diagnosis::equally_spread<!fits || Tree::template accepts<spread>, diagnosis::types<Target, Tree>>;
  if constexpr (!diagnosis::is_ok<sizeof(extents), extents> || !diagnosis::is_ok<sizeof(found), found>) return;
  const auto bound = tree.template bind<spread>(target.team());
  for (int r = 0; r < Target::spread::value.registers(); ++r) {
    const ptx::operand x = argument<T>(bound(r));
    // A number in a register, so that the assignment may wait: a product that begins at zero needs none.
    t.assign(move_type<T>, target.targets()[r], x.is_reg() ? x : t.copy(register_type<T>, move_type<T>, x));
  }
  target.change(t.where());
}

template <class D, class Tree, class Team> auto evaluate(const Tree& tree, const Team& team) {
  tree.require_unchanged();
  const auto bound = tree.template bind<D>(team);
  using T = device_type_of<decltype(bound(0))>;
  fixed_array<ptx::operand, D::value.registers()> registers;
  for (int r = 0; r < D::value.registers(); ++r) registers[static_cast<std::size_t>(r)] = bound(r).get().operand;
  return fixed_tile<T, D, Team>(team, registers);
}

}  // namespace detail

/// The value of an expression now, as a tile of its own.
template <tile_like X> auto eval(const X& x, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return detail::evaluate<typename tree_type::spread>(tree, tree.team());
}

/// The value of an expression now, spread over the threads as `like` is: `tg::eval_like(tg::tile_at<64, 32>(x, 0_c, 0_c),
/// sum)`. Errors: TG602, TG604.
template <tile_like X, tile_like Like>
auto eval_like(const X& x, const Like& like, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using spread = typename Like::spread;
  constexpr bool fits = tree_type::rows == Like::rows && tree_type::columns == Like::columns;
  using extents = diagnosis::fitting_tiles<fits, diagnosis::types<X, Like>>;
  using found = diagnosis::equally_spread<!fits || tree_type::template accepts<spread>, diagnosis::types<X, Like>>;
  if constexpr (diagnosis::is_ok<sizeof(extents), extents> && diagnosis::is_ok<sizeof(found), found> && fits)
    return detail::evaluate<spread>(tree, like.team());
}

/// Rows x Columns sums, each `x`, spread as products of matrices leave them: `auto sum = tg::full<float, 128, 128>(block,
/// 0.0f)`. `scope`: a block, or `tg::warps<2, 2>(block)`. Requires: 16 rows and 8 columns for each warp, or a multiple; 4 rows
/// and 32 columns on CUDA cores.
template <scalar_type T, int Rows, int Columns, class Scope, operand_like X>
auto full(const Scope& scope, const X& x, source_location where = source_location::current()) {
  using team = detail::team_type<Scope>;
  static_assert(detail::is_power_of_two(Rows) && detail::is_power_of_two(Columns) &&
                    Rows >= team::unit::rows * team::warp_rows && Columns >= team::unit::columns * team::warp_columns,
                "TG606: tg::full has a power of two of rows and columns, at least 16 x 8 for each warp, 4 x 32 on CUDA cores");
  using d = typename team::template sums<Rows, Columns>;
  return register_tile<T, d, team>(detail::team_of(scope), x, where);
}
/// `full` of zeros: `auto sum = tg::zeros<float, 128, 128>(block)`.
template <scalar_type T, int Rows, int Columns, class Scope>
auto zeros(const Scope& scope, source_location where = source_location::current()) {
  static_assert(sizeof(detail::team_type<Scope>) != 0, "the team is the first error");
  return full<T, Rows, Columns>(scope, T{}, where);
}

/// One number for each row of `like`, all `x`: the running maximum of a softmax.
template <class Like, operand_like X>
auto full_per_row(const Like& like, const X& x, source_location where = source_location::current()) {
  return register_tile<typename Like::element_type, slice_spread<typename Like::spread, true>, typename Like::team_type>(
      like.team(), x, where);
}
/// One number for each column of `like`, all `x`.
template <class Like, operand_like X>
auto full_per_column(const Like& like, const X& x, source_location where = source_location::current()) {
  return register_tile<typename Like::element_type, slice_spread<typename Like::spread, false>, typename Like::team_type>(
      like.team(), x, where);
}

}  // namespace tg
