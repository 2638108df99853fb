// Attention in five steps
//
// o = softmax(scale * q * k^T) * v in five kernels, each a few lines from the one before: scores in memory, scores computed
// twice, one pass, copies under way while the block computes, and the same text for Hopper. `attention_from_scratch` runs all
// five and counts what they did; `attention_from_scratch online` also prints what tg::explain says of one.
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include <tg/emulator/counters/counters_summary.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/explain.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;
using half = tg::bf16;
using rows = tg::in2<half, tg::multiple_of<8>>;
using result = tg::out2<half, tg::multiple_of<8>>;

// A block makes 64 rows of o. Rows of q, k, v and o have 64 elements.
template <class View, class N, class Row> auto rows_of(const View& view, const N& n, const Row& row) {
  return tg::tile_at<64, 64>(tg::sized(view, n, 64u), row, 0_c);
}
constexpr float infinity = std::numeric_limits<float>::infinity(), lowest = std::numeric_limits<float>::lowest();

// 1. As the formula reads. All scores go to memory and come back twice: for the largest of each row, then for weights.
inline constexpr auto naive =
    tg::kernel<"naive">(tg::block<128>, [](auto block, rows q, rows k, rows v, result o, tg::scalar<unsigned> n,
                                           tg::scalar<float> scale, tg::inout2<float, tg::multiple_of<4>> scores) {
      const auto first = tg::let(block.index.x * 64_c);
      const auto keys = tg::range(0_c, n, 64_c);
      const auto query = tg::to_shared(block, rows_of(q, n, first));
      auto out = tg::zeros<float, 64, 64>(block);
      auto peak = tg::full_per_row(out, lowest), total = tg::full_per_row(out, 0.0f);
      const auto score_at = [&](auto from) { return tg::tile_at<64, 64>(tg::sized(scores, n, n), first, from); };
      tg::for_(keys, [&](auto from) {
        auto score = tg::zeros<float, 64, 64>(block);
        score += tg::dot(query, tg::transposed(tg::to_shared(block, rows_of(k, n, from))));
        score_at(from) = score * scale;
      });
      tg::for_(keys, [&](auto from) {
        const auto score = tg::eval_like(score_at(from), out);
        peak = tg::max(peak, tg::row_max(tg::where(tg::columns_of(score, from) < n, score, -infinity)));
      });
      tg::for_(keys, [&](auto from) {
        const auto score = tg::eval_like(score_at(from), out);
        const auto weight = tg::eval(tg::where(tg::columns_of(score, from) < n, tg::exp(score - peak), 0.0f));
        total += tg::row_sum(weight);
        out += tg::dot(tg::cast<half>(weight), tg::to_shared(block, rows_of(v, n, from)));
      });
      rows_of(o, n, first) = tg::cast<half>(out / total);
    });

// 2. Tiled. Scores stay in registers; the second pass computes them again instead of reading them.
inline constexpr auto tiled = tg::kernel<"tiled">(
    tg::block<128>, [](auto block, rows q, rows k, rows v, result o, tg::scalar<unsigned> n, tg::scalar<float> scale) {
      const auto first = tg::let(block.index.x * 64_c);
      const auto keys = tg::range(0_c, n, 64_c);
      const auto query = tg::to_shared(block, rows_of(q, n, first));
      auto out = tg::zeros<float, 64, 64>(block);
      auto peak = tg::full_per_row(out, lowest), total = tg::full_per_row(out, 0.0f);
      const auto score_at = [&](auto from) {
        auto score = tg::zeros<float, 64, 64>(block);
        score += tg::dot(query, tg::transposed(tg::to_shared(block, rows_of(k, n, from))));
        return tg::eval(tg::where(tg::columns_of(score, from) < n, score * scale, -infinity));
      };
      tg::for_(keys, [&](auto from) { peak = tg::max(peak, tg::row_max(score_at(from))); });
      tg::for_(keys, [&](auto from) {
        const auto weight = tg::eval(tg::exp(score_at(from) - peak));
        total += tg::row_sum(weight);
        out += tg::dot(tg::cast<half>(weight), tg::to_shared(block, rows_of(v, n, from)));
      });
      rows_of(o, n, first) = tg::cast<half>(out / total);
    });

// 3. Online. One pass: when a larger score turns up, what has been summed shrinks to it.
inline constexpr auto online = tg::kernel<"online">(
    tg::block<128>, [](auto block, rows q, rows k, rows v, result o, tg::scalar<unsigned> n, tg::scalar<float> scale) {
      const auto first = tg::let(block.index.x * 64_c);
      const auto keys = tg::range(0_c, n, 64_c);
      const auto query = tg::to_shared(block, rows_of(q, n, first));
      auto out = tg::zeros<float, 64, 64>(block);
      auto peak = tg::full_per_row(out, lowest), total = tg::full_per_row(out, 0.0f);
      tg::for_(keys, [&](auto from) {
        auto score = tg::zeros<float, 64, 64>(block);
        score += tg::dot(query, tg::transposed(tg::to_shared(block, rows_of(k, n, from))));
        score = tg::where(tg::columns_of(score, from) < n, score * scale, -infinity);
        const auto top = tg::eval(tg::max(peak, tg::row_max(score)));
        const auto weight = tg::eval(tg::exp(score - top));
        const auto shrink = tg::eval(tg::exp(peak - top));
        total = total * shrink + tg::row_sum(weight);
        out = out * shrink + tg::dot(tg::cast<half>(weight), tg::to_shared(block, rows_of(v, n, from)));
        peak = top;
      });
      rows_of(o, n, first) = tg::cast<half>(out / total);
    });

// 4. Pipelined. The next keys and values are on their way while these are used; powers of two, as the hardware has them.
// 5. Hopper. The same text; for sm_90 its products are those of warpgroups.
template <class Sm> constexpr auto pipelined(Sm sm) {
  return tg::kernel<"pipelined">(
      tg::block<128> | sm, [](auto block, rows q, rows k, rows v, result o, tg::scalar<unsigned> n, tg::scalar<float> scale) {
        const auto first = tg::let(block.index.x * 64_c);
        const auto query = tg::in_registers(block, tg::to_shared(block, rows_of(q, n, first)));
        auto out = tg::zeros<float, 64, 64>(block);
        auto peak = tg::full_per_row(out, lowest), total = tg::full_per_row(out, 0.0f);
        tg::pipeline<2>(
            block, tg::steps(n, 64_c), [&](auto from) { return tg::stage(rows_of(k, n, from), rows_of(v, n, from)); },
            [&](auto key, auto values, auto from) {
              auto score = tg::zeros<float, 64, 64>(block);
              score += tg::dot(query, tg::transposed(key));
              score = tg::where(tg::columns_of(score, from) < n, score * (scale * 0x1.715476p0f), -infinity);
              const auto top = tg::eval(tg::max(peak, tg::row_max(score)));
              const auto weight = tg::eval(tg::approx::exp2_ftz(score - top));
              const auto shrink = tg::eval(tg::approx::exp2_ftz(peak - top));
              total = total * shrink + tg::row_sum(weight);
              out = out * shrink + tg::dot(tg::cast<half>(weight), values);
              peak = top;
            });
        rows_of(o, n, first) = tg::cast<half>(out * tg::approx::rcp(total));
      });
}
inline constexpr auto hopper = pipelined(tg::for_sm<90>);
inline constexpr auto ampere = pipelined(tg::for_sm<80>);

namespace {

constexpr unsigned n = 193, width = 64;

struct problem {
  std::vector<half> q, k, v;
  std::vector<double> wanted;
  float scale = 0.125f;

  problem() {
    std::mt19937 random(1);
    std::normal_distribution<float> normal;
    for (auto* x : {&q, &k, &v})
      for (unsigned i = 0; i < n * width; ++i) x->push_back(half(normal(random)));
    for (unsigned i = 0; i < n; ++i) {
      std::vector<double> weight(n), out(width);
      double total = 0;
      for (unsigned j = 0; j < n; ++j) {
        double score = 0;
        for (unsigned d = 0; d < width; ++d) score += double(q[i * width + d]) * double(k[j * width + d]);
        total += weight[j] = std::exp(score * double(scale));
      }
      for (unsigned j = 0; j < n; ++j)
        for (unsigned d = 0; d < width; ++d) out[d] += weight[j] / total * double(v[j * width + d]);
      wanted.insert(wanted.end(), out.begin(), out.end());
    }
  }
};

/// Runs a step, prints a row of the table and, if it is asked for, the report. Returns whether the result is right.
template <class K, class... Scratch>
bool run(const char* name, const K& kernel, const problem& p, std::string_view wanted, const char* target,
         Scratch&... scratch) {
  tg::device emulator("emulator");
  const auto matrix = [](const auto& b) { return tg::matrix(b, n, width); };
  const auto q = emulator.upload(p.q), k = emulator.upload(p.k), v = emulator.upload(p.v);
  auto o = emulator.zeros<half>(n * width);
  tg::emulator::count_launches(true);
  emulator.launch(kernel, tg::grid((n + 63) / 64), matrix(q), matrix(k), matrix(v), tg::matrix(o, n, width), n, p.scale,
                  scratch(emulator)...);
  tg::emulator::count_launches(false);
  const auto counted = tg::emulator::counters_of_last_launch();
  const auto sums = tg::emulator::summarize(counted);
  double worst = 0;
  const auto found = o.to_host();
  for (unsigned i = 0; i < n * width; ++i) worst = std::fmax(worst, std::fabs(double(found[i]) - p.wanted[i]));
  std::uint64_t executed = 0;
  for (const auto& line : sums.lines) executed += line.executions;
  const auto shared = sums.spaces.find(tg::ptx::token::shared);
  std::printf("%-10s %10llu %12llu %12llu %10.4f\n", name, static_cast<unsigned long long>(executed),
              static_cast<unsigned long long>(sums.global_bytes),
              static_cast<unsigned long long>(shared == sums.spaces.end() ? 0 : shared->second.wavefronts), worst);
  if (wanted == name) {
    tg::explanation e = tg::explain(kernel, target, (n + 63) / 64);
    e.measured(counted);
    std::printf("\n%s\n", tg::to_text(e).c_str());
  }
  return worst < 0.01;
}

}  // namespace

int main(int count, char** words) {
  const std::string_view wanted = count > 1 ? words[1] : "";
  const problem p;
  std::vector<tg::buffer<float>> kept;
  const auto scores = [&](tg::device& gpu) {
    kept.push_back(gpu.zeros<float>(n * 196));
    return tg::matrix(kept.back(), n, n, 196);
  };
  std::printf("%-10s %10s %12s %12s %10s\n", "step", "executed", "global bytes", "wavefronts", "error");
  bool is_right = run("naive", naive, p, wanted, "A100", scores);
  is_right &= run("tiled", tiled, p, wanted, "A100");
  is_right &= run("online", online, p, wanted, "A100");
  is_right &= run("pipelined", ampere, p, wanted, "A100");
  is_right &= run("hopper", hopper, p, wanted, "H100");
  return is_right ? 0 : 1;
}
