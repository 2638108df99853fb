// Products of tiles by tensor cores or, of floats, by fused multiply-add: operands in shared memory, or the left one of a
// tensor core in registers.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/matrix/load_fragment.hpp>
#include <tg/dsl/matrix/wide_mma.hpp>
#include <tg/dsl/value/byte_permute.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/dsl/vector/packed.hpp>
#include <tg/dsl/warp/warp.hpp>
#include <tg/tile/fma_product.hpp>
#include <tg/tile/functions.hpp>
#include <tg/tile/group_product.hpp>
#include <tg/tile/register_tile.hpp>
#include <tg/tile/shared_part.hpp>

namespace tg {

namespace detail {

/// Elements along the depth that one instruction takes: 32 bytes.
template <class T> inline constexpr int product_depth = 32 / int(sizeof(T));

/// The left operand of a product in registers: fragments of 16 rows, along the depth first. `IsKept`: for several products.
template <class T, int Rows, int Depth, class Team, bool IsKept = false> struct left_fragments {
  using element_type = T;
  static constexpr bool is_kept = IsKept;
  static constexpr int rows = Rows, columns = Depth;
  using fragment_type = a_fragment<16, product_depth<T>, T>;
  static constexpr int down = Rows / Team::warp_rows / 16, along = Depth / product_depth<T>;

  Team own_team;
  fixed_array<ptx::operand, down * along * fragment_type::registers> registers{};

  const Team& team() const { return own_team; }
  void put(int m, int k, const fragment_type& f) {
    for (int r = 0; r < fragment_type::registers; ++r) registers[first(m, k) + r] = f.parts.parts[static_cast<std::size_t>(r)];
  }
  fragment_type at(int m, int k) const {
    auto out = fragment_type::unfilled();
    for (int r = 0; r < fragment_type::registers; ++r)
      out.parts.parts[static_cast<std::size_t>(r)] = registers[first(m, k) + r];
    return out;
  }

  static std::size_t first(int m, int k) { return static_cast<std::size_t>((m * along + k) * fragment_type::registers); }
};

template <class X> inline constexpr bool is_in_shared = requires(const X& x) { x.memory; };
template <class X> inline constexpr bool is_left_fragments = requires { typename X::fragment_type; };

/// Fragment (m, k) of the warp's rows of a left operand in shared memory.
template <class Team, class A> auto load_left(const Team& team, const A& a, int m, int k, source_location where) {
  using T = typename A::element_type;
  using fragment_type = a_fragment<16, product_depth<T>, T>;
  const auto warp = team.warp();
  constexpr int along = product_depth<T>;
  if constexpr (is_panels<std::remove_cvref_t<decltype(a.memory)>>) {
    constexpr int width = std::remove_cvref_t<decltype(a.memory)>::panel_columns;
    const auto row = warp.index / constant<4>{} * constant<A::rows * 4 / Team::warps>{} +
                     warp.index % constant<4>{} * constant<16>{} + tg::uniform<64>(64 * m);
    return load_fragment<fragment_type>(a.memory.panel(along * k / width), row, tg::uniform<along, width>(along * k % width),
                                        warp.lane, checked{}, where);
  } else {
    constexpr int rows = A::rows / Team::warp_rows;
    const auto first = warp.index / constant<Team::warp_columns>{} * constant<rows>{};
    if constexpr (A::is_transposed)
      return load_fragment_transposed<fragment_type>(a.memory, tg::uniform<along>(along * k),
                                                     first + tg::uniform<16, rows>(16 * m), warp.lane, checked{}, where);
    else
      return load_fragment<fragment_type>(a.memory, first + tg::uniform<16>(16 * m),
                                          tg::uniform<along, std::remove_cvref_t<decltype(a.memory)>::columns>(along * k),
                                          warp.lane, checked{}, where);
  }
}

/// 16 columns of the warp's part of a right operand in shared memory.
template <class Team, class B> auto load_right(const Team& team, const B& b, int n, int k, source_location where) {
  using T = typename B::element_type;
  using fragment_type = b_fragment<product_depth<T>, 16, T>;
  const auto warp = team.warp();
  constexpr int along = product_depth<T>, columns = B::columns / Team::warp_columns;
  const auto first = warp.index % constant<Team::warp_columns>{} * constant<columns>{};
  const int depth = B::first_depth + along * k;
  if constexpr (B::is_transposed)
    return load_fragment<fragment_type>(b.memory, first + tg::uniform<16>(16 * n),
                                        tg::uniform<along, std::remove_cvref_t<decltype(b.memory)>::columns>(depth), warp.lane,
                                        checked{}, where);
  else
    return load_fragment_transposed<fragment_type>(b.memory, tg::uniform<along>(depth),
                                                   first + tg::uniform<16, columns>(16 * n), warp.lane, checked{}, where);
}

/// The sums of one instruction among those of a tile.
template <class T> struct tile_sums {
  using sum_type = T;
  static constexpr int m = 16, n = 8, registers = 4;

  struct one {
    const ptx::operand& operand;
    const ptx::operand& target() const { return operand; }
  };
  const ptx::operand* first;
  one operator()(int r) const { return {first[r]}; }
};

/// sums += a * b. `sums`: registers spread as `sums_distribution` says.
template <class S, class Team, class A, class B>
void add_product(const ptx::operand* sums, const Team& team, const A& a, const B& b, source_location where) {
  using T = typename B::element_type;
  constexpr int depth = product_depth<T>;
  constexpr int down = A::rows / Team::warp_rows / 16, across = B::columns / Team::warp_columns / 8;
  for (int k = 0; k < A::columns / depth; ++k) {
    left_fragments<T, A::rows, depth, Team> rows{team, {}};
    for (int m = 0; m < down; ++m) {
      if constexpr (is_left_fragments<A>) rows.put(m, 0, a.at(m, k));
      else rows.put(m, 0, load_left(team, a, m, k, where));
    }
    for (int n = 0; n < across; n += 2) {
      const auto two = load_right(team, b, n / 2, k, where);
      for (int j = 0; j < 2; ++j) {
        const auto right = part_of<b_fragment<depth, 8, T>>(two, j, 0);
        for (int m = 0; m < down; ++m) {
          tile_sums<S> own{sums + 4 * (n + j + across * m)};
          multiply(own, rows.at(m, 0), right, ptx::token::none, ptx::token::none, where);
        }
      }
    }
  }
}

/// Registers r and r + 1 of a bound tree side by side: two Ts of 16 bits in a word, or two 8-bit floats in a 16-bit register.
template <class T, class Bound> ptx::operand pair_of(const Bound& bound, int r) {
  if constexpr (requires { bound.pair(r); }) return bound.pair(r);
  else if constexpr (is_byte_float<T>) return to_half_register(tg::pack<T>(bound(r), bound(r + 1)).operand);
  else return tg::pack<T>(bound(r), bound(r + 1)).operand;
}

/// Four bytes side by side for each lane, of 16 columns of sums: lane c of the four of a row has columns 2c, 2c + 1, 8 + 2c and
/// 9 + 2c in two pairs, and an operand of 8 bits wants 4c to 4c + 3.
template <class Warp> ptx::operand gather_bytes(const Warp& warp, const ptx::operand& low_pair, const ptx::operand& high_pair) {
  const fixed_array<ptx::operand, 2> pairs = {low_pair, high_pair};
  const value<unsigned> own{to_word<f16>(pairs.data(), 2)};
  const auto from = warp.lane / constant<4>{} * constant<4>{} + warp.lane % constant<2>{} * constant<2>{};
  const auto half = tg::select(warp.lane % constant<4>{} < constant<2>{}, 0x5410u, 0x7632u);
  return tg::byte_permute(warp.shuffle(own, from), warp.shuffle(own, from + constant<1>{}), half).operand;
}

/// A tree of elements of 16 bits, or of 8-bit floats, as the left operand. A row of it lies in the lanes as a row of sums does;
/// 8-bit floats are exchanged between the four lanes of a row. Errors: TG609.
template <class T, int Rows, int Depth, class Team, class Tree> auto to_left_fragments(const Tree& tree, const Team& team) {
  using out_type = left_fragments<T, Rows, Depth, Team>;
  using d = typename Team::template left<Rows, Depth>;
  constexpr bool is_bytes = sizeof(T) == 1;
  out_type out{team, {}};
  using found = diagnosis::left_in_registers<Tree::template accepts<d>, diagnosis::types<Tree, Team>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return out;
  tree.require_unchanged();
  const auto bound = tree.template bind<d>(team);
  constexpr int step = is_bytes ? 16 : 8;
  for (int r = 0; r < d::value.registers(); r += step) {
    auto one = out_type::fragment_type::unfilled();
    for (int e = 0; e < 4; ++e) {
      ptx::operand& part = one.parts.parts[static_cast<std::size_t>(e)];
      if constexpr (is_bytes) {
        const int first = r + e / 2 * 8 + e % 2 * 2;  // of 16 columns the first 8; the others are 4 registers on
        part = gather_bytes(team.warp(), pair_of<T>(bound, first), pair_of<T>(bound, first + 4));
      } else {
        part = pair_of<T>(bound, r + 2 * e);
      }
    }
    out.put(r / step / out.along, r / step % out.along, one);
  }
  return out;
}

namespace held {

/// a * b, to be added to a tile or to stand in an expression.
template <class A, class B, class S> struct dot_node : tile_node {
  static constexpr int rows = A::rows, columns = B::columns;
  static constexpr bool has_own_team = has_team<A>, is_spread = has_own_team;
  static constexpr bool is_product = true;
  using sum_type = S;
  static consteval auto pick_spread() {
    if constexpr (has_own_team) {
      using team_type = std::remove_cvref_t<decltype(std::declval<const A&>().team())>;
      return typename team_type::template sums<rows, columns>{};
    } else {
      return no_spread{};
    }
  }
  using spread = decltype(pick_spread());

  A a;
  B b;
  source_location where;

  dot_node(A a, B b, source_location where) : a(static_cast<A&&>(a)), b(static_cast<B&&>(b)), where(where) {}
  const dot_node& node() const { return *this; }
  const auto& team() const requires has_own_team
  {
    return a.team();
  }
  void require_unchanged() const {
    if constexpr (requires { a.require_unchanged(); }) a.require_unchanged();
  }
  bool reads(const change_count& tile) const {
    if constexpr (tile_like<A>) return a.reads(tile);
    else return false;
  }

  static constexpr bool is_float = std::is_same_v<typename B::element_type, float>;
  /// Whether D is how the sums of a team lie.
  template <class D, class Team>
  static constexpr bool fits =
      D::value == Team::template sums<rows, columns>::value && is_float == std::is_same_v<typename Team::unit, cuda_cores> &&
      is_panels<decltype(B::memory)> == std::is_same_v<typename Team::unit, warpgroup_cores>;
  /// The product whose left operand, an expression, is computed now, where it can be added to sums that lie as D says.
  template <class D, class Team> auto with_left_now(const Team& team) const {
    if constexpr (tile_like<A> && fits<D, Team>) {
      const auto left = to_left_fragments<typename B::element_type, rows, A::columns>(a, team);
      return dot_node<std::remove_const_t<decltype(left)>, B, S>(left, b, where);
    } else {
      return *this;
    }
  }

  template <class D, class Team> void add_to(const ptx::operand* sums, const Team& team) const {
    using found = diagnosis::product_spread<fits<D, Team>, diagnosis::types<dot_node, Team>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      const auto add = [&](const auto& left) {
        if constexpr (is_float) add_product_by_fma<D>(sums, team, left, b, where);
        else if constexpr (is_panels<decltype(b.memory)>) add_product_by_warpgroups<S>(sums, team, left, b, where);
        else add_product<S>(sums, team, left, b, where);
      };
      if constexpr (tile_like<A>) add(to_left_fragments<typename B::element_type, rows, A::columns>(a, team));
      else add(a);
    }
  }
  template <class D, class Team> auto bind(const Team& team) const {
    auto& t = tracer::current();
    const ptx::operand zero = t.copy(register_type<S>, move_type<S>, to_value<S>(S{}).operand);
    fixed_array<ptx::operand, D::value.registers()> sums;
    t.new_registers(sums.data(), D::value.registers(), register_type<S>, move_type<S>, zero);
    add_to<D>(sums.data(), team);
    return [sums](int r) {
      return value<S>{tracer::current().copy(register_type<S>, move_type<S>, sums[static_cast<std::size_t>(r)])};
    };
  }
};

/// What a product that is refused leaves, so that one mistake is one error.
struct refused_product : tile_node {
  static constexpr int rows = 1;
  static constexpr int columns = 1;
  static constexpr bool is_spread = false;
  static constexpr bool is_product = true;

  source_location where;

  const refused_product& node() const { return *this; }
  void require_unchanged() const {}
  template <class D, class Team> void add_to(const ptx::operand*, const Team&) const {}
  template <class D, class Team> auto bind(const Team&) const {
    return [](int) { return value<float>{ptx::operand::integer(0)}; };
  }
};

}  // namespace held

template <class A> inline constexpr bool is_transposed_operand = false;
template <class Memory> inline constexpr bool is_transposed_operand<transposed_part<Memory>> = true;
template <class A, class B> constexpr bool have_product_types() {
  using T = typename B::element_type;
  if constexpr (requires { typename A::element_type; }) return std::is_same_v<typename A::element_type, T>;
  else return sizeof(T) == 2 || is_byte_float<T>;  // an expression: its type is known when it is evaluated
}
/// Whether tg::dot multiplies these.
template <class A, class B, class S> constexpr bool check_operands() {
  if constexpr (!requires {
                  typename B::element_type;
                  B::rows;
                  A::columns;
                } || tile_like<B>)
    return false;
  else {
    using T = typename B::element_type;
    constexpr bool is_half_word = sizeof(T) == 2;
    if constexpr (!std::is_same_v<S, float> && !std::is_same_v<S, int>) return false;
    else if constexpr (std::is_same_v<T, float>)
      return A::columns == B::rows && have_product_types<A, B>() && is_in_shared<A> && std::is_same_v<S, float> &&
             A::columns % (is_transposed_operand<B> ? 32 : 4) == 0;
    else
      return A::columns == B::rows && have_product_types<A, B>() && (is_half_word || is_transposed_operand<B>) &&
             (is_half_word || !is_transposed_operand<A>) && (is_half_word || is_byte_float<T> || !tile_like<A>) &&
             A::columns % product_depth<T> == 0 && are_mma_types<T, T, S>;
  }
}
template <class A, class B, class S> inline constexpr bool are_product_operands = check_operands<A, B, S>();

/// What products of these elements are summed as: integers where they have no other sums, else floats.
template <class B> struct default_sum { using type = float; };
template <class B> requires(are_mma_types<typename B::element_type, typename B::element_type, int>)
struct default_sum<B> {
  using type = int;
};
template <class S, class B>
using product_sum = typename std::conditional_t<std::is_void_v<S>, default_sum<B>, std::type_identity<S>>::type;

template <class A> auto dot_operand(const A& a) {
  if constexpr (tile_like<A>) return a.node();
  else return a;
}

}  // namespace detail

/// The product of two tiles: `sum += tg::dot(a, b)`, or in an expression. `b` lies in shared memory, `a` there or in registers:
/// a tile or expression of 16-bit elements or 8-bit floats whose rows each lie in one warp. S: the type of the sums, int of
/// integers and float of all others. Floats are multiplied by a team of `tg::cuda_cores`, both operands in shared memory; as
/// tg::tf32 they are rounded to 10 bits. Errors: TG607 to TG609. PTX: ldmatrix, mma.sync; fma; wgmma.
template <class S = void, class A, class B>
auto dot(const A& a, const B& b, source_location where = source_location::current()) {
  using left = decltype(detail::dot_operand(a));
  using sum = detail::product_sum<S, B>;
  using found = diagnosis::tile_product<detail::are_product_operands<left, B, sum>, diagnosis::types<A, B>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return detail::dot_node<left, B, sum>(detail::dot_operand(a), b, where);
  else return detail::refused_product{{}, where};
}

/// The left operand of products, kept in registers: what does not change in a loop is read from shared memory once. It lies
/// there as it is, not transposed. Errors: TG607.
template <class Scope, class Memory>
auto in_registers(const Scope& scope, const shared_part<Memory>& x, source_location where = source_location::current()) {
  using T = typename Memory::element_type;
  using team_t = detail::team_type<Scope>;
  detail::left_fragments<T, Memory::rows, Memory::columns, team_t, true> out{detail::team_of(scope), {}};
  for (int m = 0; m < out.down; ++m)
    for (int k = 0; k < out.along; ++k) out.put(m, k, detail::load_left(out.own_team, x, m, k, where));
  return out;
}
template <class Scope, class Memory>
auto in_registers(const Scope& scope, const transposed_part<Memory>& x, source_location where = source_location::current()) {
  (void)sizeof(diagnosis::tile_product<sizeof(Memory) == 0, diagnosis::types<Scope, transposed_part<Memory>>>);
  return in_registers(scope, shared_part<Memory>{x.memory}, where);
}

}  // namespace tg
