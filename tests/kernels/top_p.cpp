#include <kernels/top_p.hpp>

#include <kernels/reference/top_p.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <tg/emulator.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

std::vector<unsigned> sampled(const std::vector<float>& logits, unsigned rows, float p, float temperature, unsigned seed,
                              unsigned step) {
  tg::device gpu;
  const auto columns = static_cast<unsigned>(logits.size() / rows);
  inputs::rows<float> on_logits(gpu, logits, rows, columns, columns + 1);
  auto tokens = gpu.upload(std::vector<unsigned>(rows, inputs::poison<unsigned>()));
  gpu.launch(sample_top_p, tg::grid(rows), on_logits.matrix(), tokens, columns, p, temperature, seed, step);
  return tokens.to_host();
}

/// Checks tokens against the reference: where the number drawn or the share is near an end, either side may be right.
void check(const std::vector<float>& logits, unsigned rows, float p, float temperature, unsigned seed, unsigned step) {
  const auto columns = static_cast<unsigned>(logits.size() / rows);
  const auto tokens = sampled(logits, rows, p, temperature, seed, step);
  for (unsigned r = 0; r < rows; ++r) {
    const double u = reference::drawn(r, step, seed);
    bool is_right = false;
    for (const double share : {p - 1e-5, p + 0.0, p + 1e-5})
      is_right =
          is_right ||
          reference::nucleus(&logits[std::size_t{r} * columns], columns, share, temperature).may_draw(tokens[r], u, 1e-5);
    CHECK(is_right);
  }
}

/// Launches of its scope are watched by all checkers, and the emulator's warps come in another order.
class watched {
 public:
  explicit watched(unsigned seed) {
    tg::emulator::options how = before_;
    how.check = tg::emulator::check::checkers::all();
    how.seed = seed;
    tg::emulator::set_launch_options(how);
  }
  ~watched() { tg::emulator::set_launch_options(before_); }
  watched(const watched&) = delete;
  watched& operator=(const watched&) = delete;

 private:
  tg::emulator::options before_ = tg::emulator::launch_options();
};

/// The token among `kept` equal logits, in the order of their columns.
unsigned token_of_equals(unsigned kept, unsigned row, unsigned step, unsigned seed) {
  return static_cast<unsigned>(kept * reference::drawn(row, step, seed));
}

}  // namespace

TEST_CASE("tokens are those that the numbers drawn stand for") {
  inputs::generator random;
  for (const unsigned columns : {1u, 2u, 31u, 255u, 256u, 257u, 509u, 3001u})
    for (const float p : {1.0f, 0.9f, 0.5f, 0.0f}) {
      const unsigned rows = 5, seed = random.engine(), step = random.engine();
      const float temperature = random.engine() % 2 == 0 ? 1.0f : 0.6f;
      INFO("seed ", random.seed, ", columns ", columns, ", p ", p);
      auto logits = random.floats(std::size_t{rows} * columns, -3, 3);
      for (std::size_t i = 1; i < logits.size(); ++i)
        if (random.engine() % 4 == 0) logits[i] = logits[i - 1];
      check(logits, rows, p, temperature, seed, step);
    }
}

TEST_CASE("tokens are drawn as often as they are likely") {
  inputs::generator random;
  const unsigned draws = 3000, columns = 8;
  const std::vector<float> row{0, 1, 2, -1, 1.5f, 0.5f, -2, 2};
  std::vector<float> logits;
  for (unsigned r = 0; r < draws; ++r) logits.insert(logits.end(), row.begin(), row.end());
  std::map<unsigned, double> found;
  for (const unsigned token : sampled(logits, draws, 0.9f, 1, random.seed, 0)) found[token] += 1.0 / draws;
  const reference::nucleus wanted(row.data(), columns, 0.9, 1);
  INFO("seed ", random.seed);
  CHECK(found.size() == wanted.column.size());
  for (std::size_t i = 0; i < wanted.column.size(); ++i) {
    const double share = wanted.up_to[i] - (i == 0 ? 0 : wanted.up_to[i - 1]);
    // Six standard deviations.
    CHECK(std::abs(found[wanted.column[i]] - share) <= 6 * std::sqrt(share * (1 - share) / draws));
  }
}

TEST_CASE("of equal logits the lower columns are kept, and minus infinity never is") {
  // A hundred equal logits: a share of 0.25 are 25 of them.
  const std::vector<float> equal(100, 1.5f);
  for (unsigned step = 0; step < 40; ++step) CHECK(sampled(equal, 1, 0.245f, 1, 9, step).front() < 25);
  std::vector<float> logits(700, -std::numeric_limits<float>::infinity());
  logits[641] = -5;
  logits[7] = -6;
  for (unsigned step = 0; step < 40; ++step) {
    const unsigned token = sampled(logits, 1, 1, 1, 3, step).front();
    CHECK((token == 641 || token == 7));
  }
  CHECK(sampled(logits, 1, 0, 1, 3, 0).front() == 641);
  // The two zeros are one logit.
  CHECK(sampled({-0.0f, 0.0f, -9}, 1, 0.3f, 1, 3, 0).front() == 0);
}

TEST_CASE("tokens of rows that are long, cold, hot, negative, huge, tiny or in clusters") {
  inputs::generator random;
  struct any {
    const char* name;
    float temperature;
    float (*logit)(inputs::generator&);
  };
  const auto cluster = [](inputs::generator& g) { return g.engine() % 3 == 0 ? g.between(20, 21) : g.between(-1, 1); };
  for (const any& own : std::initializer_list<any>{
           {"cold", 0.01f, [](inputs::generator& g) { return g.between(-1, 1); }},
           {"hot", 100.0f, [](inputs::generator& g) { return g.between(-30, 30); }},
           {"negative", 0.7f, [](inputs::generator& g) { return g.between(-90, -80); }},
           {"huge", 1e37f, [](inputs::generator& g) { return g.between(-1e38f, 1e38f); }},
           {"huge, of which one counts", 1.0f, [](inputs::generator& g) { return 3e38f * g.between(-1, 1); }},
           {"tiny", 1e-36f, [](inputs::generator& g) { return g.between(-4e-36f, 4e-36f); }},
           {"of few values", 1.0f, [](inputs::generator& g) { return std::round(16 * g.between(-8, 8)) / 16; }},
           {"of few values, hot", 60.0f, [](inputs::generator& g) { return std::round(16 * g.between(-8, 8)) / 16; }},
           {"two clusters, one in sight", 0.3f, cluster},
           {"two clusters, both in sight", 5.0f, cluster}})
    for (const unsigned columns : {1u, 2u, 255u, 256u, 257u, 1023u, 1025u, 3001u, 30011u})
      for (const float p : {0.0f, 0.9f, 1.0f}) {
        if (columns == 30011 && p == 0) continue;
        const unsigned rows = columns < 3000 ? 3 : 1, seed = random.engine(), step = random.engine();
        INFO("seed ", random.seed, ", ", std::string(own.name), ", columns ", columns, ", p ", p);
        std::vector<float> logits(std::size_t{rows} * columns);
        for (float& x : logits) x = own.logit(random);
        check(logits, rows, p, own.temperature, seed, step);
      }
}

TEST_CASE("colder than 2^-120 is as cold as that") {
  inputs::generator random;
  const unsigned rows = 3, columns = 300, seed = random.engine();
  INFO("seed ", random.seed);
  const auto logits = random.floats(std::size_t{rows} * columns, -4e-36f, 4e-36f);
  CHECK(sampled(logits, rows, 0.9f, 1e-38f, seed, 0) == sampled(logits, rows, 0.9f, 0x1p-120f, seed, 0));
}

TEST_CASE("equal logits, as many as are put in order at once and more") {
  inputs::generator random;
  const unsigned rows = 2, most = most_candidates_of_top_p;
  for (const unsigned columns : {1u, 33u, most - 1, most, most + 1, 1024u, 3001u, 30011u})
    for (const float p : {0.0f, 0.37f, 0.75f, 1.0f}) {
      const unsigned seed = random.engine(), step = random.engine();
      INFO("seed ", random.seed, ", columns ", columns, ", p ", p);
      const watched whole(random.engine());
      const auto tokens = sampled(std::vector<float>(rows * columns, -2.5f), rows, p, 0.8f, seed, step);
      const auto kept = std::max(1u, static_cast<unsigned>(std::ceil(columns * double{p})));
      for (unsigned r = 0; r < rows; ++r) CHECK(tokens[r] == token_of_equals(kept, r, step, seed));
    }
}

TEST_CASE("the candidates are exactly as many as are put in order at once, and one more") {
  inputs::generator random;
  // Ahead of them one logit that has half of the share or more, behind them some that are never reached.
  for (const unsigned equal : {most_candidates_of_top_p, most_candidates_of_top_p + 1}) {
    const unsigned rows = 1, seed = random.engine();
    const float ahead = std::log(static_cast<float>(equal));
    std::vector<float> logits{-8, ahead};
    logits.insert(logits.end(), equal, 0.0f);
    for (std::size_t i = 2; i < logits.size(); i += 2) logits[i] = -0.0f;
    logits.insert(logits.end(), 700, -8.0f);
    INFO("seed ", random.seed, ", equal ", equal);
    const watched whole(random.engine());
    for (unsigned step = 0; step < 6; ++step)
      for (const float p : {0.4f, 0.6f, 0.7f}) check(logits, rows, p, 1, seed, step);
  }
}

TEST_CASE("nearly equal logits, and so many of them that digits are found more than once") {
  inputs::generator random;
  for (const unsigned columns : {700u, 3001u, 30011u})
    for (const float p : {0.3f, 0.9f}) {
      const unsigned rows = 1, seed = random.engine(), step = random.engine();
      INFO("seed ", random.seed, ", columns ", columns, ", p ", p);
      // All of them are in one bin. Those from 5 on are a few neighbours of 5.
      auto logits = random.floats(columns, 1, 1.0005f);
      check(logits, rows, p, 1, seed, step);
      for (float& x : logits) x = 5 + (x > 1.0002f ? 0x1p-21f * static_cast<float>(random.engine() % 5) : 0);
      logits[columns / 2] = 50, logits[columns / 3] = -50, logits[columns / 5] = 0;
      const watched whole(random.engine());
      check(logits, rows, p, 1e5f, seed, step);
    }
}

TEST_CASE("the order of warps and additions does not matter") {
  inputs::generator random;
  const unsigned rows = 4, columns = 2503, seed = random.engine();
  INFO("seed ", random.seed);
  auto logits = random.floats(std::size_t{rows} * columns, -1, 1);
  for (std::size_t i = 1; i < logits.size(); ++i)
    if (random.engine() % 2 == 0) logits[i] = logits[i - 1];
  const auto tokens = sampled(logits, rows, 0.8f, 0.5f, seed, 1);
  for (const unsigned order : {1u, 2u, 3u}) {
    const watched whole(order);
    CHECK(sampled(logits, rows, 0.8f, 0.5f, seed, 1) == tokens);
  }
}
