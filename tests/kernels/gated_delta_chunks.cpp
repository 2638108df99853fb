#include <kernels/gated_delta_chunks.hpp>

#include <algorithm>
#include <type_traits>

#include <kernels/gated_delta_rule.hpp>
#include <kernels/reference/gated_delta_chunks.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>

#include "../gpu_machine.hpp"
#include "inputs.hpp"

using namespace tg::kernels;

namespace {

/// What decays and rates are drawn from.
struct delta_ranges { float least_decay = 0.5f, most_decay = 1, least_rate = 0, most_rate = 1; };

/// `count` sequences: how many heads of keys each has, heads of values for each of them, and tokens.
struct delta_numbers { unsigned count = 1, key_heads = 1, group = 1, tokens = 1; };

template <class T> std::vector<double> doubles(const std::vector<T>& x, std::size_t first, std::size_t count) {
  std::vector<double> out(count);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<double>(static_cast<float>(x.at(first + i)));
  return out;
}

/// Operands of sequences, and launches with them.
template <class T, int KeySize, int ValueSize> struct chunk_inputs {
  delta_numbers n;
  unsigned heads = n.key_heads * n.group;
  std::vector<T> q, k, v;
  std::vector<float> decay, rate, state;

  chunk_inputs(inputs::generator& random, delta_numbers n, delta_ranges ranges = {}) : n(n) {
    const std::size_t rows = std::size_t{n.count} * n.tokens;
    const float length = std::sqrt(3.0f / KeySize);  // of keys: 1
    const auto numbers = [&](std::size_t count, float most) {
      const auto all = random.floats(count, -most, most);
      return std::vector<T>(all.begin(), all.end());
    };
    q = numbers(rows * n.key_heads * KeySize, length), k = numbers(q.size(), length), v = numbers(rows * heads * ValueSize, 1);
    decay = random.floats(rows * heads, ranges.least_decay, ranges.most_decay);
    rate = random.floats(rows * heads, ranges.least_rate, ranges.most_rate);
    state = random.floats(std::size_t{n.count} * heads * KeySize * ValueSize);
  }

  /// Launches with `count` tokens from `first` on of a single sequence, or with all of several. `on_state` is changed and `out`
  /// gets longer. `after()` is called after each launch.
  template <class... After>
  void launch(tg::device& gpu, tg::buffer<float>& on_state, std::vector<T>& out, unsigned first, unsigned count,
              const After&... after) const {
    const unsigned rows = n.count * count, chunks = gated_delta_chunk_rows(count, heads, n.count);
    // Rows are longer than they have to be, with poison in the gaps.
    const auto part = [&]<class X>(const std::vector<X>& x, unsigned columns) {
      const auto from = x.begin() + static_cast<std::ptrdiff_t>(std::size_t{first} * columns);
      return inputs::rows<X>(gpu, std::vector<X>(from, from + static_cast<std::ptrdiff_t>(std::size_t{rows} * columns)), rows,
                             columns, columns + 8);
    };
    auto on_q = part(q, n.key_heads * KeySize), on_k = part(k, n.key_heads * KeySize), on_v = part(v, heads * ValueSize);
    auto on_decay = part(decay, heads), on_rate = part(rate, heads);
    inputs::rows<T> inverses(gpu, chunks, 64, 72), scores(gpu, chunks, 64, 72),
        o(gpu, rows, heads * ValueSize, heads * ValueSize + 8);
    inputs::rows<float> fades(gpu, chunks / 32, 64, 72);
    if (count != 0) {
      gpu.launch(gated_delta_chunk_matrices<T, KeySize>, gated_delta_chunk_matrices_grid(count, heads, n.count), on_q.matrix(),
                 on_k.matrix(), on_decay.matrix(), on_rate.matrix(), inverses.matrix(), scores.matrix(), fades.matrix(), count,
                 n.group);
      (after(), ...);
    }
    gpu.launch(gated_delta_chunks<T, KeySize, ValueSize>, gated_delta_chunks_grid<ValueSize>(heads, n.count), on_q.matrix(),
               on_k.matrix(), on_v.matrix(), inverses.matrix(), scores.matrix(), fades.matrix(),
               tg::matrix(on_state, n.count * heads * KeySize, ValueSize), o.matrix(), count, n.group);
    (after(), ...);
    const auto found = o.to_host();
    (void)inverses.to_host(), (void)scores.to_host(), (void)fades.to_host();
    out.insert(out.end(), found.begin(), found.end());
  }
};

/// The largest distances from the rule token by token as multiples of their bounds, and the largest bounds.
struct delta_distance { double of_outputs = 0, of_states = 0, output_bound = 0, state_bound = 0; };

/// `parts`: how many tokens each launch has.
template <class T, int KeySize, int ValueSize>
delta_distance distance(tg::device& gpu, const chunk_inputs<T, KeySize, ValueSize>& x, const std::vector<unsigned>& parts) {
  auto on_state = gpu.upload(x.state);
  std::vector<T> found;
  unsigned first = 0;
  for (const unsigned count : parts) x.launch(gpu, on_state, found, first, count), first += count;
  const auto after = on_state.to_host();
  const auto rounding = std::is_same_v<T, tg::bf16> ? reference::bf16_rounding : reference::f16_rounding;
  constexpr std::size_t key = KeySize, value = ValueSize;
  delta_distance out;
  const auto add = [](double& worst, double& largest, double own, double wanted, double bound) {
    const double share = own == wanted ? 0 : std::abs(own - wanted) / bound;
    worst = share <= worst ? worst : std::isnan(share) ? std::numeric_limits<double>::infinity() : share;
    largest = std::max(largest, bound);
  };
  for (std::size_t own = 0; own < std::size_t{x.n.count} * x.heads; ++own) {
    const std::size_t sequence = own / x.heads, head = own % x.heads, begin = sequence * x.n.tokens;
    reference::delta_column_state state(doubles(x.state, own * key * value, key * value), {key, value});
    std::size_t at = begin;
    for (const unsigned part : parts)
      for (std::size_t left = part; left != 0;) {
        const std::size_t count = std::min<std::size_t>(left, 64);
        std::vector<double> q, k, v, decay, rate;
        for (std::size_t token = at; token < at + count; ++token) {
          const auto put = [](std::vector<double>& to, const std::vector<double>& row) {
            to.insert(to.end(), row.begin(), row.end());
          };
          const std::size_t keys = (token * x.n.key_heads + head / x.n.group) * key;
          put(q, doubles(x.q, keys, key)), put(k, doubles(x.k, keys, key));
          put(v, doubles(x.v, (token * x.heads + head) * value, value));
          decay.push_back(x.decay[token * x.heads + head]), rate.push_back(x.rate[token * x.heads + head]);
        }
        const auto wanted = gated_delta_chunk_step(state, {key, value}, count, q.data(), k.data(), v.data(), decay.data(),
                                                   rate.data(), rounding);
        for (std::size_t i = 0; i < count; ++i)
          for (std::size_t c = 0; c < value; ++c) {
            const std::size_t n = i * value + c;
            const double bound =
                wanted.error[n] + rounding.relative * (std::abs(wanted.value[n]) + wanted.error[n]) + rounding.least;
            add(out.of_outputs, out.output_bound, static_cast<float>(found.at(((at + i) * x.heads + head) * value + c)),
                wanted.value[n], bound);
          }
        at += count, left -= count;
      }
    for (std::size_t r = 0; r < key; ++r)
      for (std::size_t c = 0; c < value; ++c)
        add(out.of_states, out.state_bound, after[(own * key + r) * value + c], state.value[r * value + c],
            state.error[r * value + c]);
  }
  return out;
}

void check(const delta_distance& found, double most_output_bound, double most_state_bound) {
  MESSAGE("of bounds: outputs ", found.of_outputs, " of ", found.output_bound, ", states ", found.of_states, " of ",
          found.state_bound);
  CHECK(found.of_outputs <= 1);
  CHECK(found.of_states <= 1);
  CHECK(found.output_bound < most_output_bound);
  CHECK(found.state_bound < most_state_bound);
}

/// Instructions of warps in chunks, as a share of those token by token, for a sequence of 512 tokens and two heads.
template <int KeySize, int ValueSize> double share_of_instructions() {
  tg::device gpu("emulator");
  inputs::generator random;
  constexpr unsigned tokens = 512, heads = 2;
  const chunk_inputs<tg::bf16, KeySize, ValueSize> x(random, {.key_heads = heads, .tokens = tokens});
  auto on_state = gpu.upload(x.state);
  std::vector<tg::bf16> out;
  std::uint64_t chunked = 0, stepped = 0;
  const auto add_to = [&](std::uint64_t& to) {
    gpu.synchronize();
    to += tg::emulator::counters_of_last_launch().warp_instructions;
  };
  tg::emulator::count_launches(true);
  x.launch(gpu, on_state, out, 0, tokens, [&] { add_to(chunked); });
  const auto on_q = gpu.upload(x.q), on_k = gpu.upload(x.k), on_v = gpu.upload(x.v);
  const auto on_decay = gpu.upload(x.decay), on_rate = gpu.upload(x.rate);
  auto o = gpu.upload(out);
  gpu.launch(gated_delta_rule<tg::bf16, KeySize, ValueSize>, gated_delta_rule_grid<ValueSize>(heads, 1),
             tg::matrix(on_q, tokens, heads * KeySize), tg::matrix(on_k, tokens, heads * KeySize),
             tg::matrix(on_v, tokens, heads * ValueSize), tg::matrix(on_decay, tokens, heads),
             tg::matrix(on_rate, tokens, heads), tg::matrix(on_state, heads * KeySize, ValueSize),
             tg::matrix(o, tokens, heads * ValueSize), tokens, 1u);
  add_to(stepped);
  tg::emulator::count_launches(false);
  MESSAGE("keys of ", KeySize, ", values of ", ValueSize, ": ", chunked, " to ", stepped, " instructions of warps, ",
          static_cast<double>(chunked) / static_cast<double>(stepped));
  return static_cast<double>(chunked) / static_cast<double>(stepped);
}

}  // namespace

TEST_CASE("one token, and numbers of tokens around those of a chunk") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  for (const unsigned tokens : {1u, 15u, 16u, 17u, 63u, 64u, 65u, 128u, 131u}) {
    CAPTURE(tokens);
    check(distance(gpu, chunk_inputs<tg::bf16, 64, 64>(random, {.tokens = tokens}), {tokens}), 0.2, 0.2);
  }
}

TEST_CASE("sequences, heads of values that share one of keys, and more columns than a block has") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  check(distance(gpu, chunk_inputs<tg::f16, 128, 128>(random, {.count = 2, .key_heads = 2, .group = 2, .tokens = 67}), {67}),
        0.02, 0.02);
  check(distance(gpu, chunk_inputs<tg::bf16, 128, 64>(random, {.key_heads = 1, .group = 3, .tokens = 97}), {97}), 0.2, 0.2);
  check(distance(gpu, chunk_inputs<tg::f16, 64, 192>(random, {.count = 3, .tokens = 33}), {33}), 0.02, 0.02);
}

TEST_CASE("decays from almost nothing to 1, rates of 0 and 1") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const auto check_with = [&](delta_ranges ranges, double most_bound) {
    CAPTURE(ranges.most_decay);
    CAPTURE(ranges.most_rate);
    check(distance(gpu, chunk_inputs<tg::bf16, 128, 64>(random, {.tokens = 130}, ranges), {130}), most_bound, most_bound);
    check(distance(gpu, chunk_inputs<tg::f16, 64, 64>(random, {.tokens = 130}, ranges), {130}), most_bound / 4, most_bound / 4);
  };
  for (const float rate : {0.0f, 1.0f}) {
    check_with({1e-6f, 1e-6f, rate, rate}, 0.2);
    check_with({0, 0, rate, rate}, 0.2);
    check_with({0.97f, 1, rate, rate}, 20);
  }
  check_with({1, 1, 0, 0}, 0.2);
  check(distance(gpu, chunk_inputs<tg::f16, 64, 64>(random, {.tokens = 66}, {1, 1, 1, 1}), {66}), 4, 4);
  // Some decays almost nothing, all others 1.
  chunk_inputs<tg::bf16, 64, 64> x(random, {.tokens = 130}, {1, 1, 0, 1});
  for (const unsigned token : {0u, 1u, 31u, 32u, 40u, 63u, 64u, 129u}) x.decay[token] = token % 2 != 0 ? 1e-6f : 0x1p-149f;
  check(distance(gpu, x, {130}), 4, 4);
}

TEST_CASE("the state goes on from launch to launch") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const chunk_inputs<tg::bf16, 64, 64> x(random, {.key_heads = 2, .tokens = 131}, {0.9f, 1, 0, 1});
  check(distance(gpu, x, {70, 1, 60}), 4, 4);
  // Launches that end with a chunk are one launch, to the bit.
  auto together = gpu.upload(x.state), apart = gpu.upload(x.state);
  std::vector<tg::bf16> all, each;
  x.launch(gpu, together, all, 0, 131);
  x.launch(gpu, apart, each, 0, 64), x.launch(gpu, apart, each, 64, 67);
  CHECK((together.to_host() == apart.to_host()));
  REQUIRE(all.size() == each.size());
  CHECK(std::equal(all.begin(), all.end(), each.begin(), [](auto a, auto b) { return float(a) == float(b); }));
}

TEST_CASE("without tokens the state stays") {
  tg::device gpu;
  inputs::generator random;
  const auto before = random.floats(2 * 64 * 64);
  auto on_state = gpu.upload(before);
  auto none = gpu.zeros<tg::bf16>(64);
  auto no_fades = gpu.zeros<float>(64);
  const auto empty = [&] { return tg::matrix(none, 0, 64); };
  gpu.launch(gated_delta_chunks<tg::bf16, 64, 64>, gated_delta_chunks_grid<64>(1, 2), empty(), empty(), empty(), empty(),
             empty(), tg::matrix(no_fades, 0, 64), tg::matrix(on_state, 128, 64), empty(), 0u, 1u);
  CHECK((on_state.to_host() == before));
}

TEST_CASE("a grid with more blocks than a value has columns for is named by a checker") {
  if (gpu_machine::is_asked()) return;
  tg::device gpu;
  auto on_state = gpu.zeros<float>(64 * 64);
  auto none = gpu.zeros<tg::bf16>(64);
  auto no_fades = gpu.zeros<float>(64);
  const auto empty = [&] { return tg::matrix(none, 0, 64); };
  const auto code_of = [&](unsigned blocks) {
    try {
      gpu.launch(gated_delta_chunks<tg::bf16, 64, 64>, tg::grid(blocks, 1, 1), empty(), empty(), empty(), empty(), empty(),
                 tg::matrix(no_fades, 0, 64), tg::matrix(on_state, 64, 64), empty(), 0u, 1u);
      gpu.synchronize();
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  };
  CHECK(code_of(1) == 0);
  CHECK(code_of(2) == 464);
}

TEST_CASE("values are found again by keys that are at right angles") {
  tg::device gpu;
  constexpr unsigned n = 64;
  inputs::generator random;
  INFO("seed ", random.seed);
  chunk_inputs<tg::f16, n, 64> x(random, {.tokens = 3 * n}, {1, 1, 1, 1});
  // Each unit vector is written as a key in the first two chunks, some more than once, then read.
  std::fill(x.k.begin(), x.k.end(), tg::f16(0.0f)), std::fill(x.q.begin(), x.q.end(), tg::f16(0.0f));
  for (unsigned t = 0; t < 2 * n; ++t) x.k[t * n + t % 48] = tg::f16(1.0f);
  for (unsigned t = 0; t < n; ++t) x.q[(2 * n + t) * n + t] = tg::f16(1.0f), x.rate[2 * n + t] = 0;
  auto on_state = gpu.upload(std::vector<float>(x.state.size()));
  std::vector<tg::f16> found;
  x.launch(gpu, on_state, found, 0, 3 * n);
  for (unsigned t = 0; t < n; ++t)
    for (unsigned c = 0; c < 64; ++c) {
      const unsigned last = t >= 48 ? 0 : t < 32 ? t + 96 : t + 48;  // the last token whose key it was
      const float wanted = t >= 48 ? 0.0f : float(x.v[last * n + c]);
      CHECK(std::abs(float(found[(2 * n + t) * n + c]) - wanted) <= 0x1p-8f);
    }
}

TEST_CASE("threads meet at all barriers and nothing races, but that sequences keep apart is left to sizes") {
  const auto ask = [](const auto& kernel) {
    const tg::kernel_analysis found = tg::analyze(kernel);
    INFO(found.text());
    CHECK(found.refuted().empty());
    CHECK(found.barriers_met());
    for (const tg::finding& f : found.unknown()) CHECK(f.question == tg::question::global_race);
  };
  ask(gated_delta_chunk_matrices<tg::bf16, 64>);
  ask(gated_delta_chunk_matrices<tg::f16, 128>);
  ask(gated_delta_chunks<tg::bf16, 64, 64>);
  ask(gated_delta_chunks<tg::f16, 128, 128>);
}

TEST_CASE("prompts take a fraction of the instructions that they take token by token") {
  CHECK(share_of_instructions<128, 128>() < 0.1);
  CHECK(share_of_instructions<64, 64>() < 0.2);
}
