#include <tg/dsl/verdict/end_judgement.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../../random_seed.hpp"
#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("each warp has a share of its own where its lanes have other cases") {
  const auto r = recording::of<tg::block_t<64>>([](auto block, recording::parameters p) {
    (void)p.x(block.thread.x % p.n);
    (void)p.x(block.global.x % p.n);
  });
  CHECK(r.accesses[0].global_of_warp[0].sectors == 5);  // lanes 0 to 31 are smaller than a divisor that is not small
  CHECK(r.accesses[0].global_of_warp[1].sectors == 7);
  CHECK(r.accesses[0].global.sectors == 7);
  CHECK(r.accesses[1].global_of_warp[0].sectors == 7);
  CHECK(r.accesses[1].global_of_warp[1].sectors == 7);
}

TEST_CASE("what lanes choose for themselves adds up, what a warp chooses does not") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    const auto i = block.global.x;
    (void)p.x(tg::select(p.x(i) > 0.0f, i, i + p.n));
    (void)p.x(tg::select(p.n > 3u, i, i + p.n));
    (void)p.x(tg::select(p.x(i) > 0.0f, 0u, p.n));
  });
  CHECK(r.accesses[1].global.sectors == 10);
  CHECK(r.accesses[2].global.sectors == 5);
  CHECK(r.accesses.back().global.sectors == 2);
}

TEST_CASE("one of two halves of a buffer is whole sectors") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    (void)p.x(p.n % 2_c * 64_c + block.thread.x);
    (void)p.x((block.index.x & 1_c) * 64_c + block.thread.x + p.n * 32_c);
  });
  CHECK(r.accesses[0].global.sectors <= 5);
  CHECK(r.accesses[0].global.good);
  CHECK(r.accesses[1].global.good);
  const auto with_gaps = [](auto block, recording::parameters p) { (void)p.x(p.n % 2_c * 64_c + block.thread.x * 2_c); };
  CHECK(recording::error_of(with_gaps) == recording::at(202, __LINE__ - 1));
}

TEST_CASE("TG202 of one bad choice among good ones, and of a bad pattern in every case") {
  const auto chosen = [](auto block, recording::parameters p) {
    (void)p.x(tg::select(p.x(block.thread.x) > 0.0f, block.thread.x, block.thread.x * 64_c));
  };
  CHECK(recording::error_of(chosen) == recording::at(202, __LINE__ - 2));
  const auto strided = [](auto block, recording::parameters p) { (void)p.x(block.global.x * 64_c % p.n); };
  CHECK(recording::error_of(strided) == recording::at(202, __LINE__ - 1));
  const auto column = [](auto block, recording::parameters p) { (void)p.m(block.global.x % p.n, 0_c); };
  CHECK(recording::error_of(column) == recording::at(202, __LINE__ - 1));
  const auto stepped = [](auto block, recording::parameters p) {
    tg::var<unsigned> j = block.thread.x * 64_c;
    tg::while_([&] { return j < p.n; },
               [&] {
                 (void)p.x(j);
                 j += 1u;
               });
  };
  CHECK(recording::error_of(stepped) == recording::at(202, __LINE__ - 4));
}

TEST_CASE("TG202 of a stride with gaps that no other access fills") {
  const auto red = [](auto block, recording::parameters p) { p.y(block.global.x) = p.x(block.global.x * 3_c); };
  CHECK(recording::error_of(red) == recording::at(202, __LINE__ - 1));
  const auto every_second = [](auto block, recording::parameters p) { p.y(block.global.x) = p.x(block.global.x * 2_c); };
  CHECK(recording::error_of(every_second) == recording::at(202, __LINE__ - 1));
  const auto both = [](auto block, recording::parameters p) {
    p.y(block.global.x) = p.x(block.global.x * 2_c) + p.x(block.global.x * 2_c + 1_c);
  };
  CHECK(recording::error_of(both) == "none");
  const auto two_of_three = [](auto block, recording::parameters p) {
    p.y(block.global.x) = p.x(block.global.x * 3_c) + p.x(block.global.x * 3_c + 1_c);
  };
  CHECK(recording::message_of(two_of_three).find("it and 1 more of the view together") != std::string::npos);
  const auto with_a_variable = [](auto block, recording::parameters p) {
    tg::var<unsigned> j = block.thread.x * 2_c;
    tg::var<float> sum = 0.0f;
    tg::while_([&] { return j < p.n; },
               [&] {
                 sum += p.x(j) + p.x(j + 1u);
                 j += 512u;
               });
  };
  CHECK(recording::error_of(with_a_variable) == "none");
}

TEST_CASE("TG201 of a tile in which each case has a conflict") {
  const auto conflict = [](auto block, recording::parameters p) {
    const auto tile = tg::shared<float>(tg::shape<2048>);
    (void)tile(block.thread.x * 2_c % p.n);
  };
  CHECK(recording::error_of(conflict) == recording::at(201, __LINE__ - 2));
}

TEST_CASE("TG203 of a vector that some case does not keep aligned") {
  const auto by = [](auto index) {
    return [index](auto block, recording::parameters p) { (void)p.x.vec<4>(index(block, p)); };
  };
  const int line = __LINE__ - 2;
  CHECK(recording::error_of(by([](auto block, auto p) { return block.global.x * 4_c % p.n; })) == recording::at(203, line));
  CHECK(recording::error_of(by([](auto block, auto p) { return block.global.x * 4_c % (p.n * 4u); })) == "none");
}

TEST_CASE("TG204 says what is not known, and on which line it is read") {
  const auto loaded = recording::message_of([](auto block, recording::parameters p) {
    tg::var<unsigned> at = p.u(block.thread.x);
    (void)p.x(at);
  });
  const std::string line = ":" + std::to_string(__LINE__ - 3);
  CHECK(loaded.find("it depends on what is loaded at end_judgement.cpp" + line) != std::string::npos);
  CHECK(loaded.find("tg::gather(index)") != std::string::npos);
  CHECK(loaded.find("tg::assume_warp_uniform") != std::string::npos);
  const auto behind = recording::message_of([](auto block, recording::parameters p) {
    tg::var<unsigned> j = block.thread.x;
    tg::while_([&] { return p.x(tg::gather(j)) > 0.0f; }, [&] { j += 32u; });
    (void)p.x(j);
  });
  CHECK(behind.find("a variable that lanes may give different numbers to") != std::string::npos);
}

TEST_CASE("a copy keeps both of its judgements") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    const auto tile = tg::shared<float>(tg::shape<1024>);
    tg::async_copy(tile((block.thread.x + p.n) % 512_c), p.x(block.global.x % p.n));
  });
  const tg::access* copy = nullptr;
  for (const tg::access& a : r.accesses)
    if (a.global.sectors == 7 && a.shared.wavefronts == 1) copy = &a;
  REQUIRE(copy != nullptr);
  CHECK(copy->verdict == tg::verdict::traced);
}

TEST_CASE("TG201 of lanes that are known to take numbers in one bank, and none where they take others") {
  const auto halves = [](unsigned far) {
    return [far](auto block, recording::parameters) {
      const auto x = block.thread.x;
      auto t = tg::shared<float>(tg::shape<512>);
      (void)t(tg::select(x < 16u, x, x + far));
    };
  };
  for (const unsigned far : {16u, 48u})
    CHECK(recording::error_of<tg::block_t<32>>(halves(far)) == recording::at(201, __LINE__ - 4));
  for (const unsigned far : {0u, 32u, 64u}) {
    const auto r = recording::of<tg::block_t<32>>(halves(far));
    CHECK(r.accesses[0].shared.wavefronts == 1);
    CHECK(r.accesses[0].shared.exact);
  }
  const auto quarters = [](auto block, recording::parameters) {
    const auto x = block.thread.x;
    const auto rest = tg::let(x & 3u);
    auto t = tg::shared<float>(tg::shape<512>);
    (void)t(tg::select(rest == 0u, x, tg::select(rest == 1u, x + 31u, tg::select(rest == 2u, x + 62u, x + 93u))));
  };
  CHECK(recording::error_of<tg::block_t<32>>(quarters) == recording::at(201, __LINE__ - 2));
  // Lanes that data sends one way or the other are taken to go one way.
  const auto by_data = [](auto block, recording::parameters p) {
    const auto x = block.thread.x;
    auto t = tg::shared<float>(tg::shape<512>);
    (void)t(tg::select(p.x(x) > 0.0f, x, x + 16u));
  };
  CHECK(recording::of<tg::block_t<32>>(by_data).accesses[1].shared.good);
}

namespace {

/// How often a bank is asked for different words: nothing of the analysis is used to count it.
int most_words_of_a_bank(const std::vector<unsigned>& words) {
  std::map<unsigned, std::set<unsigned>> banks;
  std::size_t most = 0;
  for (const unsigned word : words) {
    auto& own = banks[word % 32];
    own.insert(word);
    most = std::max(most, own.size());
  }
  return static_cast<int>(most);
}

}  // namespace

TEST_CASE("random selections by places of threads cost what the banks of their 32 words say") {
  std::mt19937 random(random_seed());
  const auto below = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  int good = 0, wrong = 0;
  for (int n = 0; n < 600; ++n) {
    const bool is_by_rest = below(3) == 0;
    const unsigned cut = is_by_rest ? below(4) : 1 + below(31), factors[] = {1 + below(3), 1 + below(2)},
                   far[] = {below(64), below(64)};
    std::vector<unsigned> words;
    for (unsigned x = 0; x < 32; ++x) {
      const bool is_first = is_by_rest ? (x & 3u) == cut : x < cut;
      words.push_back(x * factors[is_first ? 0 : 1] + far[is_first ? 0 : 1]);
    }
    const auto select = [&](auto block, recording::parameters) {
      const auto x = block.thread.x;
      auto t = tg::shared<float>(tg::shape<256>);
      const auto first = tg::let(x * factors[0] + far[0]), second = tg::let(x * factors[1] + far[1]);
      if (is_by_rest) (void)t(tg::select((x & 3u) == cut, first, second));
      else (void)t(tg::select(x < cut, first, second));
    };
    const int most = most_words_of_a_bank(words);
    const std::string said = recording::message_of<tg::block_t<32>>(select);
    good += most == 1;
    if (most == 1) wrong += said != "none";
    else wrong += said.find(" " + std::to_string(most) + " wavefronts") == std::string::npos;
  }
  CHECK(wrong == 0);
  CHECK(good > 20);
}
