// How many generated accesses agree three ways, and that each of the three is heard when it says something else.
#include <tests/agreement/agreement.hpp>

#include <tg/dsl/memory/access_cost.hpp>

using namespace tg::literals;

namespace {

/// A column of a tile, as both judges see it; `Stride` rows from lane to lane.
template <int Stride, class Layout>
constexpr auto column = tg::kernel<"column">(tg::block<32>, [](auto block, tg::out<unsigned> y) {
  const auto tile = tg::shared<unsigned>(tg::shape<32, 32>, Layout{});
  tg::var<unsigned> sum = 0u;
  const auto row = block.thread.x * tg::constant<Stride>{} % 32_c;
  sum += tile(row, 0_c, agreement::while_compiling<tg::TG201>);
  sum += tile(agreement::traced_index{row.operand}, 0_c, agreement::while_tracing<tg::TG201>);
  y(block.thread.x) = sum;
});

/// `Stride` elements from lane to lane.
template <int Stride>
constexpr auto strided =
    tg::kernel<"strided">(tg::block<32>, [](auto block, tg::in<unsigned, tg::aligned<32>> x, tg::out<unsigned> y) {
      tg::var<unsigned> sum = 0u;
      const auto i = block.thread.x * tg::constant<Stride>{};
      sum += x(i, agreement::while_compiling<tg::TG202>);
      sum += x(agreement::traced_index{i.operand}, agreement::while_tracing<tg::TG202>);
      y(block.thread.x) = sum;
    });

/// What is found where the compiler's word comes from one kernel, the tracer's and the count from others.
template <class Compiled, class Traced, class Counted, class Launch>
std::string found(const Compiled& compiled, const Traced& traced, const Counted& run, Launch launch) {
  ledger counted(run);
  counted.count([&] { launch(run); });
  const auto of = [](const tg::dynamic_array<tg::access>& all, const char* reason) {
    return *std::find_if(all.begin(), all.end(), [&](const tg::access& a) { return a.reason == reason; });
  };
  ledger_row row = counted.rows().front();
  REQUIRE(row.access.reason == agreement::compiling);
  row.access = of(tg::lower(compiled).accesses, agreement::compiling);
  return agreement::disagreement(of(tg::lower(traced).accesses, agreement::tracing), row);
}

/// Whether exactly those are heard that say something else, whichever of the three it is.
template <class Right, class Wrong, class Launch>
void check_each_is_heard(const Right& right, const Wrong& wrong, Launch launch) {
  const auto hears = [](const std::string& text, const char* whom) { return text.find(whom) != std::string::npos; };
  CHECK(found(right, right, right, launch) == "");
  CHECK(found(wrong, wrong, wrong, launch) == "");
  const std::string compiled = found(wrong, right, right, launch);
  CHECK(hears(compiled, "the tracer"));
  CHECK(hears(compiled, "the emulator"));
  const std::string traced = found(right, wrong, right, launch);
  CHECK(hears(traced, "the tracer"));
  CHECK_FALSE(hears(traced, "the emulator"));
  const std::string counted = found(right, right, wrong, launch);
  CHECK_FALSE(hears(counted, "the tracer"));
  CHECK(hears(counted, "the emulator"));
}

}  // namespace

TEST_CASE("hundreds of generated accesses cost what their types, the tracer and the emulator say") {
  agreement::tally total;
  for (const auto kind :
       {agreement::global_elements, agreement::global_vectors, agreement::global_matrices, agreement::shared_elements,
        agreement::shared_tiles, agreement::moved_values, agreement::moved_matrices, agreement::asynchronous_copies})
    total += kind();
  std::string text;
  for (const auto& [kind, count] : total.kinds) text += "\n  " + std::to_string(count) + " " + kind;
  MESSAGE(total.compared, " accesses agree three ways, ", total.bad, " of them bad:", text);
  REQUIRE(total.compared >= 700);
}

TEST_CASE("a swizzle forgotten by one of the three is found") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<unsigned>(32);
  check_each_is_heard(column<1, tg::swizzle_t<5, 0, 5>>, column<1, tg::pitch_t<32>>,
                      [&](const auto& kernel) { gpu.launch(kernel, tg::grid(1), y); });
}

TEST_CASE("a stride doubled by one of the three is found") {
  tg::device gpu("emulator");
  const auto x = gpu.zeros<unsigned>(1024);
  auto y = gpu.zeros<unsigned>(32);
  check_each_is_heard(strided<2>, strided<4>, [&](const auto& kernel) { gpu.launch(kernel, tg::grid(1), x, y); });
}
