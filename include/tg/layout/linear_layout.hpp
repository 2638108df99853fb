// Linear maps over bits: bit b of the input, where it is set, xors bases[b] into the output. Layouts of tiles are such maps,
// because all their extents are powers of two.
//
//   16 x 8 sums of mma.sync    input: register bits 0, 1, then lane bits 0 to 4    output: row << 3 | column
//   bases                      1, 8 << 3,   2, 4, 1 << 3, 2 << 3, 4 << 3
//
// A basis that is 0 is a broadcast: elements that differ in that bit only are the same. Layouts are values of a structural
// type: template arguments, and results of functions at run time.
//
// Source: Zhou et al., "Linear Layouts: Robust Code Generation of Efficient Tensor Computation Using F2", 2025.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace tg {

/// Returns: `count` ones from bit `first` on.
constexpr std::uint32_t bit_mask(int first, int count) {
  return static_cast<std::uint32_t>(((std::uint64_t{1} << count) - 1) << first);
}

namespace detail {

/// Vectors in echelon form: each has a highest bit of its own. Each remembers which sum of the added vectors it is.
class echelon {
 public:
  /// What is left of a vector, and the names of what was taken from it, added.
  struct remainder { std::uint32_t left = 0, taken = 0; };

  constexpr remainder reduce(std::uint32_t vector) const {
    remainder out{vector, 0};
    for (int b = 31; b >= 0; --b)
      if ((out.left >> b & 1) != 0 && vectors_[b] != 0) out = {out.left ^ vectors_[b], out.taken ^ names_[b]};
    return out;
  }
  /// Returns: what is left of the vector, which is added if that is not 0.
  constexpr remainder add(std::uint32_t vector, std::uint32_t name) {
    const remainder r = reduce(vector);
    if (r.left == 0) return r;
    const int top = 31 - std::countl_zero(r.left);
    vectors_[top] = r.left;
    names_[top] = r.taken ^ name;
    ++rank_;
    return r;
  }
  constexpr int rank() const { return rank_; }

 private:
  std::uint32_t vectors_[32] = {}, names_[32] = {};
  int rank_ = 0;
};

}  // namespace detail

/// A linear map from `inputs` bits to `outputs` bits. Requires: at most 32 bits each; bases beyond `inputs` are 0.
struct linear_layout {
  static constexpr int most_bits = 32;
  using word = std::uint32_t;

  int inputs = 0;
  int outputs = 0;
  word bases[most_bits] = {};

  friend constexpr bool operator==(const linear_layout&, const linear_layout&) = default;

  /// The map that changes nothing.
  static constexpr linear_layout identity(int bits) {
    linear_layout out{bits, bits};
    for (int b = 0; b < bits; ++b) out.bases[b] = word{1} << b;
    return out;
  }
  /// Adds an input bit above all others.
  constexpr void add_input(word basis) { bases[inputs++] = basis; }

  /// Returns: the output for `input`.
  constexpr word operator()(word input) const {
    word out = 0;
    for (int b = 0; b < inputs; ++b)
      if (input >> b & 1) out ^= bases[b];
    return out;
  }

  /// Returns: the map x -> (*this)(inner(x)). Requires: inner gives as many bits as this takes.
  constexpr linear_layout compose(const linear_layout& inner) const {
    linear_layout out{inner.inputs, outputs};
    for (int b = 0; b < inner.inputs; ++b) out.bases[b] = (*this)(inner.bases[b]);
    return out;
  }
  /// Both maps side by side: the low input bits go by this one to the low output bits, the others by `high` to the others.
  constexpr linear_layout product(const linear_layout& high) const {
    linear_layout out = *this;
    out.outputs += high.outputs;
    for (int b = 0; b < high.inputs; ++b) out.add_input(shift_up(high.bases[b], outputs));
    return out;
  }
  /// Returns: the map `high` with low.product(high) == *this, if there is one.
  constexpr std::optional<linear_layout> quotient(const linear_layout& low) const {
    if (inputs < low.inputs || outputs < low.outputs) return std::nullopt;
    linear_layout out{0, outputs - low.outputs};
    for (int b = low.inputs; b < inputs; ++b) out.add_input(shift_down(bases[b], low.outputs));
    if (low.product(out) == *this) return out;
    return std::nullopt;
  }
  /// Returns: the map whose low input bits go by this one and whose others go by `high`, added up in the same output.
  constexpr linear_layout beside(const linear_layout& high) const {
    linear_layout out = *this;
    for (int b = 0; b < high.inputs; ++b) out.add_input(high.bases[b]);
    return out;
  }

  /// Returns: the map of `count` input bits from bit `first` on, where all others are 0.
  constexpr linear_layout pick_inputs(int first, int count) const {
    linear_layout out{0, outputs};
    for (int b = first; b < first + count; ++b) out.add_input(bases[b]);
    return out;
  }
  /// Returns: the map to `count` of the output bits from bit `first` on. What differs in others only becomes the same.
  constexpr linear_layout pick_outputs(int first, int count) const {
    linear_layout out{inputs, count};
    for (int b = 0; b < inputs; ++b) out.bases[b] = shift_down(bases[b], first) & bit_mask(0, count);
    return out;
  }
  /// Returns: this map with the low `low_bits` of its output moved above the others: of a tile, the transposed one.
  constexpr linear_layout rotate_outputs(int low_bits) const {
    const linear_layout low = pick_outputs(0, low_bits), high = pick_outputs(low_bits, outputs - low_bits);
    linear_layout out{inputs, outputs};
    for (int b = 0; b < inputs; ++b) out.bases[b] = high.bases[b] | shift_up(low.bases[b], high.outputs);
    return out;
  }

  /// Returns: the binary logarithm of the number of different outputs.
  constexpr int rank() const { return to_echelon().rank(); }
  constexpr bool is_injective() const { return rank() == inputs; }
  constexpr bool is_surjective() const { return rank() == outputs; }
  constexpr bool is_invertible() const { return inputs == outputs && is_injective(); }

  /// Returns: an injective map whose outputs are the inputs that this one takes to 0.
  constexpr linear_layout kernel() const {
    linear_layout out{0, inputs};
    detail::echelon seen;
    for (int b = 0; b < inputs; ++b)
      if (const auto r = seen.add(bases[b], word{1} << b); r.left == 0) out.add_input(r.taken ^ word{1} << b);
    return out;
  }
  /// Returns: an injective map with the outputs of this one.
  constexpr linear_layout image() const {
    linear_layout out{0, outputs};
    detail::echelon seen;
    for (int b = 0; b < inputs; ++b)
      if (seen.add(bases[b], 0).left != 0) out.add_input(bases[b]);
    return out;
  }
  /// Whether all outputs of this map are outputs of `whole`.
  constexpr bool is_within(const linear_layout& whole) const {
    const detail::echelon reached = whole.to_echelon();
    for (int b = 0; b < inputs; ++b)
      if (reached.reduce(bases[b]).left != 0) return false;
    return true;
  }

  /// Returns: a map g with f(g(f(x))) == f(x), f being this one: the inverse of an invertible map, the left inverse of an
  /// injective one, the right inverse of a surjective one. Input bits that f could do without are 0 in what it gives.
  constexpr linear_layout inverse() const {
    detail::echelon reached = to_echelon();
    for (int b = 0; b < outputs; ++b) reached.add(word{1} << b, 0);  // outputs that this map does not reach go to 0
    linear_layout out{outputs, inputs};
    for (int b = 0; b < outputs; ++b) out.bases[b] = reached.reduce(word{1} << b).taken;
    return out;
  }
  /// Returns: a map g with outer(g(x)) == (*this)(x), if there is one: where `outer` has what this map wants.
  constexpr std::optional<linear_layout> divide_by(const linear_layout& outer) const {
    if (outputs != outer.outputs || !is_within(outer)) return std::nullopt;
    return outer.inverse().compose(*this);
  }

 private:
  // By up to 32 bits.
  static constexpr word shift_up(word x, int by) { return static_cast<word>(std::uint64_t{x} << by); }
  static constexpr word shift_down(word x, int by) { return static_cast<word>(std::uint64_t{x} >> by); }

  constexpr detail::echelon to_echelon() const {
    detail::echelon out;
    for (int b = 0; b < inputs; ++b) out.add(bases[b], word{1} << b);
    return out;
  }
};

}  // namespace tg
