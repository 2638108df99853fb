#include <tg/runtime/tuner.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <tg/dsl.hpp>

#include "hand_written.hpp"
#include "temporary_folder.hpp"

using hand_written::error_of;
using tg::size_class;

namespace {

/// y(i) = 2 x(i), by blocks of `Threads`.
template <int Threads> struct doubling {
  static constexpr int threads = Threads;
  static constexpr auto kernel =
      tg::kernel<"doubling">(tg::block<Threads>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] { y(i) = x(i) + x(i); });
      });
};
/// More shared memory than any device has.
struct too_large : doubling<128> { static constexpr bool is_refused = true; };

constexpr tg::choices doublings(doubling<32>{}, doubling<64>{}, doubling<256>{});

/// A device whose launches take as long as its test says, by threads of a block.
struct scripted {
  static inline double us_of[1025] = {};
  static inline unsigned last_threads = 0;
  static inline int launches = 0;

  tg::driver::table api = hand_written::emulator_table();
  tg::device gpu;

  static tg::driver::table* prepare(tg::driver::table& api) {
    launches = 0;
    api.cuLaunchKernel = [](tg::driver::function_handle f, unsigned gx, unsigned gy, unsigned gz, unsigned x, unsigned y,
                            unsigned z, unsigned shared, tg::driver::stream_handle s, void** each, void** extra) {
      last_threads = x;
      ++launches;
      return tg::emulator::driver_table().cuLaunchKernel(f, gx, gy, gz, x, y, z, shared, s, each, extra);
    };
    api.cuEventElapsedTime = [](float* ms, tg::driver::event_handle, tg::driver::event_handle) {
      *ms = static_cast<float>(us_of[last_threads] / 1000);
      return tg::driver::result::success;
    };
    return &api;
  }

  scripted() : gpu(tg::runtime::machine{prepare(api)}) {}
};

struct problem {
  tg::device gpu;
  unsigned n;
  tg::buffer<float> x, y;

  problem(const tg::device& on, unsigned size)
      : gpu(on), n(size), x(gpu.upload(std::vector<float>(size, 1.5f))), y(gpu.zeros<float>(size)) {}
  auto make() {
    return [this](const auto& choice) {
      auto where = tg::cover(n);
      if constexpr (requires { choice.is_refused; }) where = where.shared(std::size_t{1} << 20);
      return tg::deferred(choice.kernel, where, x, y, n);
    };
  }
  bool is_right() { return y.to_host() == std::vector<float>(n, 3.0f); }
};

const auto silent = [](const tg::tuning_progress&) {};

}  // namespace

TEST_CASE("sizes between two powers of two are one class") {
  CHECK(size_class(64, 100) == size_class(127u, std::size_t{64}));
  CHECK(size_class(64) != size_class(63));
  CHECK(size_class(64) != size_class(128));
  CHECK(size_class(64, 1) != size_class(1, 64));
  CHECK(size_class(0) < size_class(1));
}

TEST_CASE("what nobody tuned is what the model expects to be the fastest, and runs") {
  tg::device gpu("emulator");
  problem p(gpu, 1000);
  tg::tuner t(gpu, "doublings", doublings);
  const tg::tuning expected = t.predict(p.make());
  REQUIRE(expected.all.size() == 3);
  for (const auto& one : expected.all) {
    CHECK(one.refused.empty());
    CHECK(one.predicted_us >= expected.all[expected.best].predicted_us);
    CHECK(one.us == 0);
  }
  CHECK(t.choose(size_class(1000), p.make()) == expected.best);
  t.launch(size_class(1000), p.make());
  CHECK(p.is_right());
}

TEST_CASE("tuning finds the fastest, whichever it is, and launches take it for all sizes of the class") {
  for (const int fastest : {32, 64, 256}) {
    CAPTURE(fastest);
    scripted on;
    for (const int threads : {32, 64, 256}) scripted::us_of[threads] = threads == fastest ? 10 : 50;
    problem p(on.gpu, 1000), q(on.gpu, 600), other(on.gpu, 5000);
    int reports = 0;
    tg::tuner t(on.gpu, "doublings", doublings, {.progress = [&](const tg::tuning_progress& now) {
                  ++reports;
                  CHECK(now.tuner == "doublings");
                  CHECK(now.alive > 0);
                }});
    const tg::tuning found = t.tune(size_class(1000), p.make());
    CHECK(p.is_right());
    CHECK(reports > 3);
    const std::size_t wanted = fastest == 32 ? 0 : fastest == 64 ? 1 : 2;
    CHECK(found.best == wanted);
    for (const auto& one : found.all) CHECK(one.us > 0);
    CHECK(t.choose(size_class(600), q.make()) == wanted);
    t.launch(size_class(600), q.make());
    CHECK(scripted::last_threads == static_cast<unsigned>(fastest));
    CHECK(q.is_right());
    t.launch(size_class(5000), other.make());  // another class: the model's choice
    CHECK(other.is_right());
  }
}

TEST_CASE("what is slower by a quarter is not measured more often than twice") {
  scripted on;
  scripted::us_of[32] = 300;
  scripted::us_of[64] = 310;
  scripted::us_of[256] = 10000;
  problem p(on.gpu, 100);
  tg::tuner t(on.gpu, "doublings", doublings, {.progress = silent});
  t.tune(size_class(100), p.make());
  CHECK(scripted::launches == 3 * 2 + 2 * 9 + 2);  // one that compiles and one measured; nine rounds; two of the slow one
}

TEST_CASE("time is bounded: beyond the limit each is measured once") {
  scripted on;
  for (const int threads : {32, 64, 256}) scripted::us_of[threads] = 10;
  problem p(on.gpu, 100);
  tg::tuner t(on.gpu, "doublings", doublings, {.limit_seconds = 0, .progress = silent});
  const tg::tuning found = t.tune(size_class(100), p.make());
  CHECK(scripted::launches == 6);
  for (const auto& one : found.all) CHECK(one.us > 0);
}

TEST_CASE("a choice that cannot run is passed over with its reason; where none can, its error is thrown") {
  tg::device gpu("emulator");
  problem p(gpu, 1000);
  tg::tuner t(gpu, "some", tg::choices(too_large{}, doubling<64>{}), {.progress = silent});
  CHECK(t.choose(size_class(1000), p.make()) == 1);
  const tg::tuning found = t.tune(size_class(1000), p.make());
  CHECK(found.best == 1);
  CHECK(found.all[0].refused.starts_with("TG567"));
  CHECK(found.all[0].us == 0);
  CHECK(found.all[1].refused.empty());
  CHECK(p.is_right());
  tg::tuner none(gpu, "none", tg::choices(too_large{}), {.progress = silent});
  CHECK(error_of([&] { none.tune(size_class(1000), p.make()); }).number == 567);
  CHECK(error_of([&] { none.launch(size_class(1000), p.make()); }).number == 567);
}

TEST_CASE("results are kept for other processes, by name, device, sizes and the text of all kernels") {
  const temporary_folder folder;
  const auto cache = std::make_shared<tg::disk_cache>(folder.path());
  const auto options = [&] { return tg::tuning_options{.cache = cache, .progress = silent}; };
  scripted on;
  for (const int threads : {32, 64, 256}) scripted::us_of[threads] = threads == 256 ? 10 : 50;
  problem p(on.gpu, 1000), large(on.gpu, 5000);
  const std::size_t expected = tg::tuner(on.gpu, "a", doublings, options()).choose(size_class(1000), p.make());
  REQUIRE(expected != 2);
  tg::tuner(on.gpu, "a", doublings, options()).tune(size_class(1000), p.make());
  CHECK(folder.files().size() == 1);
  CHECK(tg::tuner(on.gpu, "a", doublings, options()).choose(size_class(1000), p.make()) == 2);
  CHECK(tg::tuner(on.gpu, "b", doublings, options()).choose(size_class(1000), p.make()) == expected);
  CHECK(tg::tuner(on.gpu, "a", doublings, options()).choose(size_class(5000), large.make()) == expected);
  const tg::choices turned(doubling<256>{}, doubling<64>{}, doubling<32>{});
  tg::tuner of_turned(on.gpu, "a", turned, options());
  CHECK(of_turned.choose(size_class(1000), p.make()) == of_turned.predict(p.make()).best);
  CHECK(tg::tuner(on.gpu, "a", doublings, {.cache = nullptr}).choose(size_class(1000), p.make()) == expected);
}

TEST_CASE("a result that says nonsense is none") {
  const temporary_folder folder;
  const auto cache = std::make_shared<tg::disk_cache>(folder.path());
  scripted on;
  problem p(on.gpu, 1000);
  tg::tuner(on.gpu, "a", doublings, {.cache = cache, .progress = silent}).tune(size_class(1000), p.make());
  const std::string file = folder.files().at(0);
  const std::string name = file.substr(file.rfind('/') + 1, 32);
  for (const char* text : {"", "x", "-1", "3", "99999999999999999999"}) {
    CAPTURE(text);
    cache->store(name, text);
    tg::tuner t(on.gpu, "a", doublings, {.cache = cache, .progress = silent});
    CHECK(t.choose(size_class(1000), p.make()) == t.predict(p.make()).best);
  }
}

TEST_CASE("threads may launch through one tuner") {
  tg::device gpu("emulator");
  tg::tuner t(gpu, "doublings", doublings);
  std::vector<std::thread> all;
  std::vector<int> right(4);
  for (std::size_t k = 0; k < right.size(); ++k)
    all.emplace_back([&, k] {
      problem p(gpu, 1000 + 1000 * static_cast<unsigned>(k));
      for (int i = 0; i < 20; ++i) t.launch(size_class(p.n), p.make());
      right[k] = p.is_right();
    });
  for (auto& thread : all) thread.join();
  CHECK(std::ranges::count(right, 1) == 4);
}
