// Parts of a buffer that blocks have to themselves. Which ones is said by offsets that both uses have:
//   - Block b keeps to `n` rows, or bytes, from b * n on, where `n` is an argument, as sequences of a batch lie one after
//     another; or to m * n + k bytes from b * (m * n + k) on.
//   - Block b keeps to `n` from (b / p) * n on, and also to `m` from (b % p) * m on. Two blocks differ in the quotient, so that
//     the first parts are others, or in the remainder, so that the second ones are. Where p is 0 a kernel may find anything:
//     the conditions on both ways have to say that it is not.
//   - Block b keeps to what lies between two neighbours in an array that ascends (ascending.hpp).
//   - Block b keeps to n bytes, or rows, from b * n on, where `n` is a constant.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/ascending.hpp>
#include <tg/dsl/proof/block_distance.hpp>
#include <tg/dsl/proof/limits.hpp>
#include <tg/dsl/proof/overlap.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// Blocks whose numbers differ along `axis` (0: x) touch different parts. `begin` is what the part adds to an offset.
struct segment {
  int axis = 0;
  form begin = {};
};

namespace detail {

/// Which rows an offset goes to, or the place in a row, in bytes; the other one is left out.
inline form part_of(const symbols& s, const form& offset, number row_bytes, bool is_row) {
  const auto own_part = [&](number n) { return is_row ? split(n, row_bytes).row : split(n, row_bytes).rest; };
  form::column own = values_of(offset, s.threads());
  for (number& x : own) x = own_part(x);
  form out = each(std::move(own));
  for (const term& t : offset.terms)
    if (const number part = own_part(t.factor); part != 0) out.terms.push_back({t.symbol, part});
  return out;
}

/// Whether the rest of the offset is at least 0 and ends before `size`. Where a matrix has its first rows is counted in rows,
/// and what lies in a row in bytes: rows of blocks in other parts are then others, or have other elements.
inline bool find_in_segment(const symbols& s, const conditions& c, const use& u, const form& begin, const form& size) {
  const number row_bytes = row_elements * u.row_unit;
  const bool is_in_rows = row_bytes != 0 && begin.terms[0].factor % row_bytes == 0;
  if (row_bytes != 0 && !is_in_rows && split(begin.terms[0].factor, row_bytes).row != 0) return false;
  const form rest = add(u.offset, begin, -1);
  const form inside = row_bytes != 0 ? part_of(s, rest, row_bytes, is_in_rows) : rest;
  const number bytes = is_in_rows ? 1 : u.bytes;
  limits known(s, u.way.may, u.way.may);
  for (form& f : u.way.facts(c)) known.know(std::move(f));
  for (form& f : facts_of_grid(s)) known.know(std::move(f));
  const form most = is_in_rows ? part_of(s, size, row_bytes, true) : size;
  return known.keeps_to({scaled(inside, -1), {}}, 0) && known.keeps_to({add(inside, most, -1), {}}, -bytes);
}

/// What `find_in_segment` says, asked once.
inline bool keeps_to_segment(const symbols& s, const conditions& c, const use& u, const form& begin, const form& size) {
  const auto is_offset = [&](const form& known) {
    return known.base == u.offset.base && known.lanes == u.offset.lanes && known.terms == u.offset.terms;
  };
  for (const use::in_segment& known : u.segments)
    if (known.begin == begin && known.size == size && is_offset(known.offset)) return known.keeps;
  u.segments.push_back({u.offset, begin, size, find_in_segment(s, c, u, begin, size)});
  return u.segments.back().keeps;
}

/// Whether both uses keep to the segment.
inline bool keep_to_segment(const symbols& s, const conditions& c, const use& a, const use& b, const form& begin,
                            const form& size) {
  return keeps_to_segment(s, c, a, begin, size) && keeps_to_segment(s, c, b, begin, size);
}

/// Whether both offsets have the term, and it is not below 0 for a number that is not.
inline bool have_both(const use& a, const use& b, const term& t) {
  return t.factor > 0 && std::find(a.offset.terms.begin(), a.offset.terms.end(), t) != a.offset.terms.end() &&
         std::find(b.offset.terms.begin(), b.offset.terms.end(), t) != b.offset.terms.end();
}

/// Whether the conditions on the way to a use say that a number is 1 at least.
inline bool is_positive(const conditions& c, const symbols& s, const use& u, const form& f) {
  if (s.low(f) + f.base > 0 && !f.lanes) return true;
  for (const use::sign& known : u.signs)
    if (known.of == f) return known.is_positive;
  limits known(s, u.way.may, u.way.may);
  for (form& fact : u.way.facts(c)) known.know(std::move(fact));
  u.signs.push_back({f, known.keeps_to({scaled(f, -1), {}}, -1)});
  return u.signs.back().is_positive;
}

/// Whether a form follows from the launch and the numbers of a block, so that it does not change from iteration to iteration.
inline bool is_same_in_block(const symbols& s, const form& f) {
  return std::all_of(f.terms.begin(), f.terms.end(), [&](const term& t) {
    return axis_of(s[t.symbol].special) >= 0 || (s[t.symbol].shared == sharing::launch && !s[t.symbol].is_loose);
  });
}

/// What a product adds to an offset, if one factor is the quotient or the remainder of a block's number, and how large a part
/// the block has there.
struct part_by_digit {
  digit own;
  term product;
  const form* counted = nullptr;

  form begin() const { return single(product.symbol, product.factor); }
  form size() const { return scaled(*counted, product.factor); }
};
inline std::optional<part_by_digit> part_of_digit(const symbols& s, const term& t) {
  const symbol& x = s[t.symbol];
  if (x.op != operation::product) return std::nullopt;
  for (const auto& [block, counted] : {std::pair{&x.left, &x.right}, std::pair{&x.right, &x.left}}) {
    if (!block->is_symbol() || s.shared(*counted) != sharing::launch || s.is_loose(*counted)) continue;
    const digit own = digit_of(s, block->terms[0].symbol, true);
    if (own.axis >= 0 && is_same_in_block(s, own.of->left)) return part_by_digit{own, t, counted};
  }
  return std::nullopt;
}

}  // namespace detail

/// The segments that two uses share, if both keep to them.
inline std::optional<segment> common_segment(const symbols& s, const conditions& c, const use& a, const use& b) {
  const auto axis_of = [&](const form& f) {
    if (f.terms.size() != 1 || f.terms[0].factor != 1) return -1;
    const auto x = s[f.terms[0].symbol].special;
    return x >= ptx::special::ctaid_x && x <= ptx::special::ctaid_z
               ? static_cast<int>(x) - static_cast<int>(ptx::special::ctaid_x)
               : -1;
  };
  const auto are_both = [&](const term& t) { return detail::have_both(a, b, t); };
  const auto keep_to = [&](const form& begin, const form& size) { return detail::keep_to_segment(s, c, a, b, begin, size); };
  for (const term& t : a.offset.terms) {
    const symbol& x = s[t.symbol];
    if (x.op != operation::product || !are_both(t)) continue;
    const bool is_left = axis_of(x.left) >= 0;
    const form &block = is_left ? x.left : x.right, &counted = is_left ? x.right : x.left;
    if (axis_of(block) < 0 || s.shared(counted) != sharing::launch || s.is_loose(counted)) continue;
    const form begin = single(t.symbol, t.factor), size = scaled(counted, t.factor);
    if (keep_to(begin, size)) return segment{axis_of(block), begin};
    for (const term& more : a.offset.terms)
      if (a.row_unit == 0 && block == single(more.symbol) && are_both(more))
        if (const form both = add(begin, block, more.factor); keep_to(both, add(size, constant(more.factor))))
          return segment{axis_of(block), both};
  }
  return std::nullopt;
}

/// The segments of two uses that are numbered by the quotient and the remainder of a block's number, if both keep to both.
inline std::optional<segment> segment_of_digits(const symbols& s, const conditions& c, const use& a, const use& b) {
  dynamic_array<detail::part_by_digit> kept;
  for (const term& t : a.offset.terms) {
    if (!detail::have_both(a, b, t)) continue;
    const auto part = detail::part_of_digit(s, t);
    if (!part) continue;
    for (const detail::part_by_digit& other : kept) {
      if (!part->own.has_number_of(other.own) || part->own.is_quotient == other.own.is_quotient) continue;
      const form& by = part->own.of->right;
      const form begin = part->begin(), other_begin = other.begin();
      if (detail::is_positive(c, s, a, by) && detail::is_positive(c, s, b, by) &&
          detail::keep_to_segment(s, c, a, b, begin, part->size()) &&
          detail::keep_to_segment(s, c, a, b, other_begin, other.size()))
        return segment{part->own.axis, add(begin, other_begin)};
    }
    kept.push_back(*part);
  }
  return std::nullopt;
}

/// The segments of two uses that lie between neighbours in an array, if both keep to them.
inline std::optional<segment> segment_of_array(const symbols& s, const conditions& c, const use& a, const use& b,
                                               const dynamic_array<span_of_block>& spans) {
  for (const span_of_block& span : spans)
    for (const term& t : a.offset.terms) {
      if (t.symbol != span.first || !detail::have_both(a, b, t)) continue;
      const form begin = single(span.first, t.factor);
      if (detail::keep_to_segment(s, c, a, b, begin, add(single(span.behind, t.factor), begin, -1)))
        return segment{span.axis, begin};
    }
  return std::nullopt;
}

/// The segments of two uses that have a constant size, if both keep to them.
inline std::optional<segment> segment_of_constant(const symbols& s, const conditions& c, const use& a, const use& b) {
  for (const term& t : a.offset.terms) {
    const int axis = detail::axis_of(s[t.symbol].special);
    if (axis >= 0 && detail::have_both(a, b, t) &&
        detail::keep_to_segment(s, c, a, b, single(t.symbol, t.factor), constant(t.factor)))
      return segment{axis, single(t.symbol, t.factor)};
  }
  return std::nullopt;
}

}  // namespace tg::proof
