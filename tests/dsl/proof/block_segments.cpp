// Parts of a buffer that blocks have to themselves: random offsets and random conditions, and what is proved of them beside all
// small launches, counted out.
#include <tg/dsl/proof/segments.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tg/dsl/proof/compare.hpp>

namespace {

namespace pf = tg::proof;
using pf::number;
using tg::ptx::special;

/// Rows are so far apart, in bytes, as the analysis takes those of floats to be.
constexpr number row = number{4} * pf::row_elements;

/// The unknowns, and how a launch and a block choose them.
enum unknown { x, y, z, n, m, p, quotient, rest, first, behind, i, j, unknowns };
using launch = std::array<number, unknowns>;

/// A sum of products of unknowns.
struct part {
  number factor;
  int a, b;  // of a product, -1: there is no second factor
};
struct sum {
  std::vector<part> parts;
  number base = 0;

  number value(const launch& of) const {
    number out = base;
    for (const part& own : parts)
      out += own.factor * of[static_cast<std::size_t>(own.a)] * (own.b < 0 ? 1 : of[static_cast<std::size_t>(own.b)]);
    return out;
  }
};

/// The symbols of one case, and its sums as forms.
struct model {
  pf::symbols s{1};
  pf::conditions c{s};
  std::array<pf::form, unknowns> of;

  model() {
    of[x] = s.of(special::ctaid_x), of[y] = s.of(special::ctaid_y), of[z] = s.of(special::ctaid_z);
    for (const int argument : {n, m, p}) of[static_cast<std::size_t>(argument)] = fresh(pf::sharing::launch, 9);
    const auto divided = [&](pf::operation op) { return s.computed(op, of[z], of[p], 0, (number{1} << 32) - 1); };
    of[quotient] = divided(pf::operation::truncated_quotient), of[rest] = divided(pf::operation::truncated_remainder);
    for (const int data : {first, behind}) of[static_cast<std::size_t>(data)] = fresh(pf::sharing::block, 9);
    for (const int own : {i, j}) of[static_cast<std::size_t>(own)] = fresh(pf::sharing::thread, 9);
  }

  pf::form fresh(pf::sharing who, number most) {
    const bool is_data = who != pf::sharing::launch;
    return pf::single(
        s.make({.shared = who, .low = 0, .high = most, .is_data = is_data, .is_loose = who == pf::sharing::thread}));
  }
  pf::form form_of(const sum& own) {
    pf::form out = pf::constant(own.base);
    for (const part& t : own.parts) {
      const pf::form a = of[static_cast<std::size_t>(t.a)];
      out = pf::add(out, t.b < 0 ? a : *s.product(a, of[static_cast<std::size_t>(t.b)]), t.factor);
    }
    return out;
  }
};

/// Places of float elements in a matrix, or in a line, and what must not be above 0 for a thread to come there.
struct places {
  bool has_rows;
  sum offset;
  std::vector<sum> facts;
};

bool is_proved(const places& of, int axis, bool ascends) {
  model all;
  pf::use u{.where = {false, 1}, .offset = all.form_of(of.offset), .bytes = 4, .row_unit = of.has_rows ? 4 : 0, .writes = true};
  u.way.must = u.way.may = all.c.everyone();
  for (const sum& fact : of.facts) u.way = u.way.with(all.c, {all.c.at_most(all.form_of(fact)), true});
  pf::lay_out(u, all.s);
  pf::comparison compare(all.s, all.c, true);
  if (ascends) compare.know({{2, all.of[first].terms[0].symbol, all.of[behind].terms[0].symbol}});
  return compare.between_blocks(u, u, axis, false).what == pf::encounter::kind::apart;
}

/// The judge. Blocks that differ along `axis` have no byte in common in this launch.
bool are_apart(const places& of, int axis, launch all, const std::array<number, 3>& grid, const std::vector<number>& array) {
  struct taken {
    std::array<number, 3> block;
    number byte;
  };
  std::vector<taken> bytes;
  for (all[x] = 0; all[x] < grid[0]; ++all[x])
    for (all[y] = 0; all[y] < grid[1]; ++all[y])
      for (all[z] = 0; all[z] < grid[2]; ++all[z]) {
        all[quotient] = all[p] == 0 ? 1 : all[z] / all[p], all[rest] = all[p] == 0 ? 1 : all[z] % all[p];
        all[first] = array[static_cast<std::size_t>(all[z])], all[behind] = array[static_cast<std::size_t>(all[z]) + 1];
        for (all[i] = 0; all[i] < 4; ++all[i])
          for (all[j] = 0; all[j] < 4; ++all[j]) {
            bool comes = true;
            for (const sum& fact : of.facts) comes = comes && fact.value(all) <= 0;
            if (comes) bytes.push_back({{all[x], all[y], all[z]}, of.offset.value(all)});
          }
      }
  const auto at = static_cast<std::size_t>(axis);
  for (const taken& a : bytes)
    for (const taken& b : bytes)
      if (a.block[at] < b.block[at] && a.byte < b.byte + 4 && b.byte < a.byte + 4) return false;
  return true;
}

std::string text(const places& of) {
  constexpr const char* names[] = {"x", "y", "z", "n", "m", "p", "z/p", "z%p", "first", "behind", "i", "j"};
  const auto sum_text = [&](const sum& own) {
    std::string out;
    for (const part& t : own.parts) {
      out += (t.factor % row == 0 ? std::to_string(t.factor / row) + " rows" : std::to_string(t.factor)) + " * " + names[t.a];
      out += (t.b < 0 ? std::string() : std::string(" * ") + names[t.b]) + " + ";
    }
    return out + std::to_string(own.base);
  };
  std::string out = sum_text(of.offset);
  for (const sum& fact : of.facts) out += "; " + sum_text(fact) + " <= 0";
  return out;
}

}  // namespace

TEST_CASE("where blocks are proved to keep to parts of their own, no small launch has two of them in one byte") {
  const auto seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random(seed);
  const auto below = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
  const auto one_of = [&](const auto& all) { return all[static_cast<std::size_t>(below(static_cast<int>(std::size(all))))]; };
  int proved = 0, proved_by_digits = 0, proved_by_array = 0, proved_by_constant = 0;
  for (int round = 0; round < 12000; ++round) {
    places own{below(2) == 0, {}, {}};
    // Parts by blocks, and what a thread adds to them, each in rows or in a row.
    const auto unit = [&] { return own.has_rows && below(2) == 0 ? row : number{4}; };
    const part parts[] = {{1, z, n},    {1, y, m},  {1, quotient, n}, {1, rest, m}, {1, quotient, m},
                          {1, rest, n}, {2, z, -1}, {3, y, -1},       {1, x, -1},   {1, first, -1}};
    const int kind = below(5);
    number units[] = {unit(), unit()};
    if (kind == 0 && own.has_rows && below(4) != 0) units[0] = row, units[1] = 4;
    if (kind == 0) own.offset.parts = {parts[2 + 2 * below(2)], parts[3 + 2 * below(2)]};
    else if (kind == 1) own.offset.parts = {parts[9]};
    else if (kind == 2) own.offset.parts = {parts[6 + below(2)], parts[6 + below(3)]};
    else
      for (int count = 1 + below(3); count > 0; --count) own.offset.parts.push_back(one_of(parts));
    for (std::size_t k = 0; k < own.offset.parts.size(); ++k)
      own.offset.parts[k].factor *= below(8) == 0 ? unit() : units[k % 2];
    own.offset.parts.push_back({below(6) == 0 ? -units[0] : units[0], i, -1});
    own.offset.parts.push_back({units[1], j, -1});
    const std::vector<sum> facts = {{{{1, i, -1}, {-1, n, -1}}, 1},
                                    {{{1, j, -1}, {-1, m, -1}}, 1},
                                    {{{1, i, -1}, {-1, m, -1}}, 1},
                                    {{{1, j, -1}, {-1, n, -1}}, 1},
                                    {{{-1, p, -1}}, 1},
                                    {{{1, first, -1}, {1, i, -1}, {-1, behind, -1}}, 1},
                                    {{{1, first, -1}, {1, j, -1}, {-1, behind, -1}}, 1},
                                    {{{1, i, -1}, {-1, behind, -1}}, 1},
                                    {{{1, x, -1}}, -1},
                                    {{{1, i, -1}}, -1 - below(2)},
                                    {{{1, j, -1}}, -1 - below(2)}};
    for (const sum& fact : facts)
      if (below(4) != 0) {
        own.facts.push_back(fact);
        if (below(8) == 0) --own.facts.back().base;  // a mistake by one
      }
    const int axis = below(3);
    const bool ascends = below(4) != 0;
    if (!is_proved(own, axis, ascends)) continue;
    ++proved;
    const auto has = [&](int a) {
      return std::any_of(own.offset.parts.begin(), own.offset.parts.end(), [&](const part& t) { return t.a == a; });
    };
    proved_by_digits += axis == 2 && has(quotient) && has(rest);
    proved_by_array += axis == 2 && has(first);
    proved_by_constant += kind == 2;
    CAPTURE(text(own));
    CAPTURE(axis);
    for (int launches = 0; launches < 40; ++launches) {
      launch all{};
      all[n] = below(4), all[m] = below(4), all[p] = below(4);
      std::vector<number> array(5);
      for (number& element : array) element = below(5);
      if (ascends) std::sort(array.begin(), array.end());
      REQUIRE(are_apart(own, axis, all, {1 + below(3), 1 + below(3), 1 + below(4)}, array));
    }
  }
  CAPTURE(proved);
  CHECK(proved > 200);
  CHECK(proved_by_digits > 20);
  CHECK(proved_by_array > 20);
  CHECK(proved_by_constant > 20);
}
