// Parts of a buffer that blocks have to themselves: block b keeps to `n` rows, or bytes, from b * n on, where `n` is an
// argument, as sequences of a batch lie one after another; or to m * n + k bytes from b * (m * n + k) on.
#pragma once

#include <optional>

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
    if (known.begin == begin && is_offset(known.offset)) return known.keeps;
  u.segments.push_back({u.offset, begin, find_in_segment(s, c, u, begin, size)});
  return u.segments.back().keeps;
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
  const auto are_both = [&](const term& t) {
    return t.factor > 0 && std::find(b.offset.terms.begin(), b.offset.terms.end(), t) != b.offset.terms.end();
  };
  const auto keep_to = [&](const form& begin, const form& size) {
    return detail::keeps_to_segment(s, c, a, begin, size) && detail::keeps_to_segment(s, c, b, begin, size);
  };
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

}  // namespace tg::proof
