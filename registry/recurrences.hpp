// Recurrences over the tokens of sequences.
#pragma once

#include <kernels/gated_delta_rule.hpp>
#include <kernels/reference/gated_delta_rule.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m sequences of n tokens with 2 k heads of values, of which two share a head of keys. Numbers of type T are off by at most
/// `rounding` of what they are.
template <class T, int KeySize, int ValueSize, class Trial> void try_gated_delta(Trial& t, const shape& s, double rounding) {
  constexpr std::size_t key = KeySize, value = ValueSize;
  const std::size_t tokens = std::size_t{s.m} * s.n, heads = std::size_t{s.k} * 2;
  const float length = std::sqrt(3.0f / KeySize);  // of keys: 1
  const auto q = t.template floats<T>(tokens * s.k * key, -length, length), k = t.template floats<T>(q.size(), -length, length);
  const auto v = t.template floats<T>(tokens * heads * value);
  const auto decay = t.floats(tokens * heads, 0.5f, 1), rate = t.floats(tokens * heads, 0, 1);
  const auto before = t.floats(s.m * heads * key * value);
  std::vector<double> after(before.size()), after_bound(before.size()), read(v.size()), bound(v.size());
  const auto doubles = [](const auto& x, std::size_t first, std::size_t count) {
    std::vector<double> out(count);
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(static_cast<float>(x[first + i]));
    return out;
  };
  for (std::size_t own = 0; own < s.m * heads; ++own) {
    const std::size_t sequence = own / heads, head = own % heads, first = own * key * value;
    tg::kernels::reference::delta_state state{doubles(before, first, key * value), std::vector<double>(key * value)};
    for (std::size_t token = sequence * s.n; token < (sequence + 1) * s.n; ++token) {
      const std::size_t keys = (token * s.k + head / 2) * key, values = (token * heads + head) * value;
      const auto out = gated_delta_step(state, {key, value}, doubles(q, keys, key).data(), doubles(k, keys, key).data(),
                                        doubles(v, values, value).data(), decay[token * heads + head],
                                        rate[token * heads + head], KeySize / 8 + 8);
      for (std::size_t c = 0; c < value; ++c) {
        read[values + c] = out.value[c];
        bound[values + c] = out.error[c] + rounding * (std::abs(out.value[c]) + out.error[c]);
      }
    }
    std::copy(state.value.begin(), state.value.end(), &after[first]);
    std::copy(state.error.begin(), state.error.end(), &after_bound[first]);
  }
  const auto rows = static_cast<unsigned>(tokens), columns = static_cast<unsigned>(heads);
  const unsigned state_rows = static_cast<unsigned>(s.m * heads * key);
  auto state = t.template out<float>(within(after, [&](std::size_t i) { return after_bound[i]; }), state_rows, ValueSize, 8);
  for (std::size_t r = 0; r < state_rows; ++r)
    for (std::size_t c = 0; c < value; ++c) state.before[r * state.leading + c] = before[r * value + c];
  t.launch(tg::kernels::gated_delta_rule_grid<ValueSize>(columns, s.m), t.in(q, rows, s.k * KeySize, 8),
           t.in(k, rows, s.k * KeySize, 8), t.in(v, rows, columns * ValueSize), t.in(decay, rows, columns),
           t.in(rate, rows, columns), std::move(state),
           t.template out<T>(within(read, [&](std::size_t i) { return bound[i]; }), rows, columns * ValueSize), s.n, 2u);
}

}  // namespace detail

inline constexpr row gated_delta_rule{
    tg::kernels::gated_delta_rule<tg::bf16, 128, 64>,
    {.family = "recurrences",
     .least_sm = 80,
     .writes = placing::by_data,
     .other = {"gated_delta_rule.cu", "gated_delta_rule"},
     .large = {2, 1, 8}},
    [] { return std::vector<shape>{{1, 1, 1}, {3, 1, 2}, {1, 2, 1}, {2, 3, 1}, {1, 17, 1}}; },
    [](auto& t, const shape& s) { detail::try_gated_delta<tg::bf16, 128, 64>(t, s, 0x1p-8); }};
inline constexpr row gated_delta_rule_of_floats{
    tg::kernels::gated_delta_rule<float, 64, 32>,
    {.family = "recurrences",
     .writes = placing::by_data,
     .other = {"gated_delta_rule.cu", "gated_delta_rule_of_floats"},
     .large = {2, 16, 8}},
    [] { return std::vector<shape>{{1, 1, 1}, {2, 5, 1}, {1, 64, 1}}; },
    [](auto& t, const shape& s) { detail::try_gated_delta<float, 64, 32>(t, s, 0); }};

template <class Ask> void each_recurrence(Ask ask) {
  ask(gated_delta_rule);
  ask(gated_delta_rule_of_floats);
}

}  // namespace registry
