#include <kernels/arrays/gated_delta_rule.hpp>

#include <cmath>

#include <kernels/reference/gated_delta_rule.hpp>

#include "../../tile/tiles.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;
namespace reference = tg::kernels::reference;

template <class T> std::vector<T> numbers(inputs::generator& random, std::int64_t count, float low, float high) {
  std::vector<T> out(static_cast<std::size_t>(count));
  for (T& x : out) x = static_cast<T>(random.between(low, high));
  return out;
}

/// The tokens in two calls, the second with what the first leaves.
template <class T, int Key, int Value>
void check(std::int64_t batch, std::int64_t tokens, std::int64_t later, std::int64_t key_heads, std::int64_t heads) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", tokens ", tokens, ", heads ", heads);
  const std::int64_t all = tokens + later;
  const auto q = numbers<T>(random, batch * all * key_heads * Key, -0.2f, 0.2f),
             k = numbers<T>(random, batch * all * key_heads * Key, -0.2f, 0.2f),
             v = numbers<T>(random, batch * all * heads * Value, -1, 1);
  const auto decay = numbers<float>(random, batch * all * heads, 0.5f, 1),
             rate = numbers<float>(random, batch * all * heads, 0, 1);
  const auto before = numbers<float>(random, batch * heads * Key * Value, -1, 1);
  const tg::array<T, 4> on_q(gpu, {batch, all, key_heads, Key}, q), on_k(gpu, {batch, all, key_heads, Key}, k),
      on_v(gpu, {batch, all, heads, Value}, v);
  const tg::array<float, 3> on_decay(gpu, {batch, all, heads}, decay), on_rate(gpu, {batch, all, heads}, rate);
  tg::array<float, 4> state(gpu, {batch, heads, Key, Value}, before);
  tg::array<T, 4> out(gpu, {batch, all, heads, Value});
  const auto take = [&](std::int64_t from, std::int64_t to) {
    const auto rows = tg::range(from, to);
    const auto four = [&](const auto& x) { return x(tg::full_extent, rows, tg::full_extent, tg::full_extent); };
    const auto three = [&](const auto& x) { return x(tg::full_extent, rows, tg::full_extent); };
    out(tg::full_extent, rows, tg::full_extent, tg::full_extent) =
        tg::gated_delta_rule<Key, Value>(four(on_q), four(on_k), four(on_v), three(on_decay), three(on_rate), state);
  };
  take(0, tokens);
  if (later > 0) take(tokens, all);
  const auto found = out.to_host();
  const auto left = state.to_host();
  tiles::excess excess;
  const auto size = [](std::int64_t n) { return static_cast<std::size_t>(n); };
  for (std::int64_t b = 0; b < batch; ++b)
    for (std::int64_t h = 0; h < heads; ++h) {
      const std::size_t first = size((b * heads + h) * Key * Value);
      reference::delta_state own{{before.begin() + std::ptrdiff_t(first), before.begin() + std::ptrdiff_t(first) + Key * Value},
                                 std::vector<double>(std::size_t{Key} * Value)};
      for (std::int64_t t = 0; t < all; ++t) {
        const std::int64_t token = b * all + t;
        const auto row = [&](const std::vector<T>& x, std::int64_t head, std::int64_t of, std::int64_t width) {
          std::vector<double> out_row;
          for (std::int64_t e = 0; e < width; ++e) out_row.push_back(double(x[size((token * of + head) * width + e)]));
          return out_row;
        };
        const std::int64_t key_head = h / (heads / key_heads);
        const auto own_q = row(q, key_head, key_heads, Key), own_k = row(k, key_head, key_heads, Key),
                   own_v = row(v, h, heads, Value);
        const auto wanted =
            reference::gated_delta_step(own, {Key, Value}, own_q.data(), own_k.data(), own_v.data(),
                                        double{decay[size(token * heads + h)]}, double{rate[size(token * heads + h)]}, Key);
        for (std::size_t c = 0; c < Value; ++c)
          excess(double(found[size((token * heads + h) * Value) + c]), wanted.value[c],
                 wanted.error[c] + tiles::unit<T> * (std::abs(wanted.value[c]) + wanted.error[c]) + 1e-30);
      }
      for (std::size_t i = 0; i < std::size_t{Key} * Value; ++i) excess(double{left[first + i]}, own.value[i], own.error[i]);
    }
  CHECK(excess.worst <= 1);
}

}  // namespace

TEST_CASE("tokens change the state and read it, in one call and in the next") {
  check<float, 64, 32>(1, 1, 0, 1, 1);
  check<float, 64, 32>(2, 5, 2, 1, 3);
  check<tg::bf16, 128, 128>(1, 3, 1, 2, 4);
}

TEST_CASE("no tokens leave the state, and shapes that do not belong together are refused") {
  tg::device gpu;
  const auto four = [&](std::int64_t tokens, std::int64_t heads, std::int64_t size) {
    return tg::array<float, 4>(gpu, {1, tokens, heads, size});
  };
  const auto three = [&](std::int64_t tokens, std::int64_t heads) { return tg::array<float, 3>(gpu, {1, tokens, heads}); };
  tg::array<float, 4> state(gpu, {1, 2, 64, 32}, std::vector<float>(4096, 1.0f)), other(gpu, {1, 3, 64, 32}), missing;
  CHECK(tg::gated_delta_rule<64, 32>(four(0, 1, 64), four(0, 1, 64), four(0, 2, 32), three(0, 2), three(0, 2), state).size() ==
        0);
  CHECK(state.to_host() == std::vector<float>(4096, 1.0f));
  const auto q = four(3, 1, 64), v = four(3, 2, 32);
  const auto rates = three(3, 2), fewer = three(2, 2);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 32>(q, four(2, 1, 64), v, rates, rates, state); }) == 700);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 32>(q, q, v, fewer, rates, state); }) == 700);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 32>(q, q, v, rates, fewer, state); }) == 700);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 32>(four(3, 4, 64), four(3, 4, 64), v, rates, rates, state); }) == 700);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 32>(q, q, v, rates, rates, other); }) == 700);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 32>(q, q, v, rates, rates, missing); }) == 704);
  CHECK(code_of_error([&] { tg::gated_delta_rule<64, 64>(q, q, v, rates, rates, state); }) == 705);
}
