// Recurrences over the tokens of sequences.
#pragma once

#include <type_traits>

#include <kernels/gated_delta_chunks.hpp>
#include <kernels/gated_delta_rule.hpp>
#include <kernels/reference/gated_delta_chunks.hpp>
#include <kernels/reference/gated_delta_rule.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// Elements as doubles.
template <class X> std::vector<double> doubles_of(const std::vector<X>& x, std::size_t first, std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(static_cast<float>(x[first + i]));
  return out;
}

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
  for (std::size_t own = 0; own < s.m * heads; ++own) {
    const std::size_t sequence = own / heads, head = own % heads, first = own * key * value;
    tg::kernels::reference::delta_state state{doubles_of(before, first, key * value), std::vector<double>(key * value)};
    for (std::size_t token = sequence * s.n; token < (sequence + 1) * s.n; ++token) {
      const std::size_t keys = (token * s.k + head / 2) * key, values = (token * heads + head) * value;
      const auto out = gated_delta_step(state, {key, value}, doubles_of(q, keys, key).data(), doubles_of(k, keys, key).data(),
                                        doubles_of(v, values, value).data(), decay[token * heads + head],
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

/// Rows of a sequence of m, of n tokens with k heads of keys and 2 k heads of values, as a chunk of one head takes them.
template <class T, int KeySize, int ValueSize> struct delta_chunk_operands {
  static constexpr std::size_t key = KeySize, value = ValueSize;
  static constexpr auto rounding =
      std::is_same_v<T, tg::bf16> ? tg::kernels::reference::bf16_rounding : tg::kernels::reference::f16_rounding;
  std::size_t sequences, tokens, key_heads, heads = 2 * key_heads, chunks = (tokens + 63) / 64;
  std::vector<T> q, k, v;
  std::vector<float> decay, rate, state;

  template <class Trial> delta_chunk_operands(Trial& t, const shape& s) : sequences(s.m), tokens(s.n), key_heads(s.k) {
    const float length = std::sqrt(3.0f / KeySize);  // of keys: 1
    const std::size_t rows = sequences * tokens;
    q = t.template floats<T>(rows * key_heads * key, -length, length), k = t.template floats<T>(q.size(), -length, length);
    v = t.template floats<T>(rows * heads * value);
    decay = t.floats(rows * heads, 0.5f, 1), rate = t.floats(rows * heads, 0, 1);
    state = t.floats(sequences * heads * key * value);
  }

  /// Chunk `chunk` of a head of values of a sequence.
  struct part {
    std::size_t first, count;  // its tokens among those of all sequences
    std::vector<double> q, k, v, decay, rate;
  };
  part chunk(std::size_t sequence, std::size_t head, std::size_t chunk) const {
    part out{sequence * tokens + chunk * 64, std::min<std::size_t>(64, tokens - chunk * 64), {}, {}, {}, {}, {}};
    for (std::size_t token = out.first; token < out.first + out.count; ++token) {
      const auto put = [&](std::vector<double>& to, const auto& from, std::size_t number, std::size_t size) {
        const auto row = doubles_of(from, number * size, size);
        to.insert(to.end(), row.begin(), row.end());
      };
      put(out.q, q, token * key_heads + head / 2, key), put(out.k, k, token * key_heads + head / 2, key);
      put(out.v, v, token * heads + head, value);
      put(out.decay, decay, token * heads + head, 1), put(out.rate, rate, token * heads + head, 1);
    }
    return out;
  }
  /// `put(own, i, j, of a chunk)` for its matrices; `own` counts chunks, those of a head of a sequence behind each other.
  template <class Put> void each_chunk(const Put& put) const {
    for (std::size_t own = 0; own < sequences * heads * chunks; ++own) {
      const part x = chunk(own / chunks / heads, own / chunks % heads, own % chunks);
      put(own, tg::kernels::reference::gated_delta_chunk_of(x.count, key, x.q.data(), x.k.data(), x.decay.data(), x.rate.data(),
                                                            rounding));
    }
  }
};

template <class T, int KeySize, class Trial> void try_delta_matrices(Trial& t, const shape& s) {
  const delta_chunk_operands<T, KeySize, 64> x(t, s);
  std::vector<double> inverse, inverse_bound, score, score_bound, fade;
  x.each_chunk([&](std::size_t, const auto& chunk) {
    const auto append = [](std::vector<double>& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(inverse, chunk.inverse.value), append(inverse_bound, chunk.inverse.error);
    append(score, chunk.score.value), append(score_bound, chunk.score.error);
    append(fade, chunk.until_end), append(fade, chunk.since_begin);
  });
  const auto tokens = static_cast<unsigned>(x.sequences * x.tokens), heads = static_cast<unsigned>(x.heads);
  const auto rows = static_cast<unsigned>(inverse.size() / 64);
  const auto matrix = [&](const std::vector<double>& value, const std::vector<double>& bound) {
    return t.template out<T>(within(value, [&](std::size_t i) { return bound[i]; }), rows, 64, 8);
  };
  t.launch(tg::kernels::gated_delta_chunk_matrices_grid(s.n, heads, s.m), t.in(x.q, tokens, s.k * KeySize, 8),
           t.in(x.k, tokens, s.k * KeySize, 8), t.in(x.decay, tokens, heads), t.in(x.rate, tokens, heads),
           matrix(inverse, inverse_bound), matrix(score, score_bound),
           t.template out<float>(relative(fade, 64 * 0x1p-24), rows / 32, 64, 8), s.n, 2u);
}

template <class T, int KeySize, int ValueSize, class Trial> void try_delta_chunks(Trial& t, const shape& s) {
  const delta_chunk_operands<T, KeySize, ValueSize> x(t, s);
  constexpr std::size_t key = KeySize, value = ValueSize;
  std::vector<T> inverse, score;
  std::vector<float> fade;
  x.each_chunk([&](std::size_t, const auto& chunk) {
    for (const double e : chunk.inverse.value) inverse.push_back(T(static_cast<float>(e)));
    for (const double e : chunk.score.value) score.push_back(T(static_cast<float>(e)));
    for (const double e : chunk.until_end) fade.push_back(static_cast<float>(e));
    for (const double e : chunk.since_begin) fade.push_back(static_cast<float>(e));
  });
  std::vector<double> after(x.state.size()), after_bound(after.size()), read(x.v.size()), bound(read.size());
  for (std::size_t own = 0; own < x.sequences * x.heads; ++own) {
    const std::size_t first = own * key * value, head = own % x.heads;
    tg::kernels::reference::delta_column_state state(doubles_of(x.state, first, key * value), {key, value});
    for (std::size_t n = 0; n < x.chunks; ++n) {
      const auto part = x.chunk(own / x.heads, head, n);
      const auto out = gated_delta_chunk_step(state, {key, value}, part.count, part.q.data(), part.k.data(), part.v.data(),
                                              part.decay.data(), part.rate.data(), x.rounding);
      for (std::size_t i = 0; i < part.count * value; ++i) {
        const std::size_t to = ((part.first + i / value) * x.heads + head) * value + i % value;
        read[to] = out.value[i];
        bound[to] = out.error[i] + x.rounding.relative * (std::abs(out.value[i]) + out.error[i]) + x.rounding.least;
      }
    }
    std::copy(state.value.begin(), state.value.end(), &after[first]);
    std::copy(state.error.begin(), state.error.end(), &after_bound[first]);
  }
  const auto tokens = static_cast<unsigned>(x.sequences * x.tokens), heads = static_cast<unsigned>(x.heads);
  const auto rows = static_cast<unsigned>(inverse.size() / 64);
  const unsigned state_rows = static_cast<unsigned>(x.sequences * x.heads * key);
  auto state = t.template out<float>(within(after, [&](std::size_t i) { return after_bound[i]; }), state_rows, ValueSize, 8);
  for (std::size_t r = 0; r < state_rows; ++r)
    for (std::size_t c = 0; c < value; ++c) state.before[r * state.leading + c] = x.state[r * value + c];
  t.launch(tg::kernels::gated_delta_chunks_grid<ValueSize>(heads, s.m), t.in(x.q, tokens, s.k * KeySize, 8),
           t.in(x.k, tokens, s.k * KeySize, 8), t.in(x.v, tokens, heads * ValueSize, 8), t.in(inverse, rows, 64, 8),
           t.in(score, rows, 64, 8), t.in(fade, rows / 32, 64, 8), std::move(state),
           t.template out<T>(within(read, [&](std::size_t i) { return bound[i]; }), tokens, heads * ValueSize, 8), s.n, 2u);
}

/// Tokens around a chunk.
inline std::vector<shape> delta_chunk_sizes() { return {{1, 1, 1}, {2, 63, 1}, {1, 64, 2}, {1, 65, 1}, {2, 131, 1}}; }
constexpr facts of_delta_chunks(std::string_view name) {
  return {.family = "recurrences", .least_sm = 80, .writes = placing::by_data, .large = {1, 256, 1}, .name = name};
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

inline constexpr row gated_delta_chunk_matrices{
    tg::kernels::gated_delta_chunk_matrices<tg::bf16, 128>, detail::of_delta_chunks("gated_delta_chunk_matrices"),
    [] { return detail::delta_chunk_sizes(); },
    [](auto& t, const shape& s) { detail::try_delta_matrices<tg::bf16, 128>(t, s); }};
inline constexpr row gated_delta_chunk_matrices_of_f16{
    tg::kernels::gated_delta_chunk_matrices<tg::f16, 64>, detail::of_delta_chunks("gated_delta_chunk_matrices_of_f16"),
    [] { return detail::delta_chunk_sizes(); }, [](auto& t, const shape& s) { detail::try_delta_matrices<tg::f16, 64>(t, s); }};
inline constexpr row gated_delta_chunks{tg::kernels::gated_delta_chunks<tg::bf16, 128, 128>,
                                        detail::of_delta_chunks("gated_delta_chunks"),
                                        [] { return detail::delta_chunk_sizes(); },
                                        [](auto& t, const shape& s) { detail::try_delta_chunks<tg::bf16, 128, 128>(t, s); }};
inline constexpr row gated_delta_chunks_of_f16{
    tg::kernels::gated_delta_chunks<tg::f16, 64, 64>, detail::of_delta_chunks("gated_delta_chunks_of_f16"),
    [] { return detail::delta_chunk_sizes(); },
    [](auto& t, const shape& s) { detail::try_delta_chunks<tg::f16, 64, 64>(t, s); }};

template <class Ask> void each_recurrence(Ask ask) {
  ask(gated_delta_rule);
  ask(gated_delta_rule_of_floats);
  ask(gated_delta_chunk_matrices);
  ask(gated_delta_chunk_matrices_of_f16);
  ask(gated_delta_chunks);
  ask(gated_delta_chunks_of_f16);
}

}  // namespace registry
