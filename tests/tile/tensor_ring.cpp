#include <tg/tile/tensor_ring.hpp>

#include "tiles.hpp"

#include <string>

#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/run/run.hpp>

namespace {

using namespace tg::literals;
using T = tg::bf16;
template <int Multiple = 8> using view = tg::in2<T, tg::multiple_of<Multiple>>;
constexpr auto own_block = tg::block<128> | tg::for_sm<90>;

bool has_tensor_copies(const std::string& text) {
  const bool tensor = text.find("cp.async.bulk.tensor") != text.npos, threads = text.find("cp.async.commit_group") != text.npos;
  CHECK(tensor != threads);
  return tensor;
}

/// y = a * b by tiles of 128 x 64, where a and b end as `ends` says or, without `IsData`, as m and k say.
template <bool IsData, int Multiple = 8, bool IsRepeated = false>
constexpr auto product =
    tg::kernel<"product">(own_block, [](auto block, view<Multiple> a, view<> b, tg::out2<float, tg::multiple_of<4>> y,
                                        tg::in<unsigned> ends, tg::scalar<unsigned> m, tg::scalar<unsigned> k) {
      const auto row = tg::let(block.index.y * 128_c);
      const auto rows = tg::let(tg::choose<IsData>(ends(0_c).get(), m.get()));
      const auto depth = tg::let(tg::choose<IsData>(ends(1_c).get(), k.get()));
      auto sum = tg::zeros<float, 128, 64>(block);
      const auto multiply = [&] {
        tg::pipeline<3>(
            block, tg::steps(k, 64_c),
            [&](auto at) {
              return tg::stage(tg::tile_at<128, 64>(tg::sized(a, rows, depth), row, at),
                               tg::tile_at<64, 64>(tg::sized(b, depth, 64u), at, 0_c));
            },
            [&](auto left, auto right) { sum += tg::dot(left, right); });
      };
      if constexpr (IsRepeated) tg::for_(tg::range(2u), [&](auto) { multiply(); });
      else multiply();
      tg::tile_at<128, 64>(tg::sized(y, m, 64u), row, 0_c) = sum;
    });

/// The worst error of a product of a's first `rows` x `depth` elements, others zero, in a matrix of m x k.
template <bool IsData> double check_ends(unsigned m, unsigned k, unsigned rows, unsigned depth) {
  tg::device gpu;
  std::mt19937 random(m * 31 + rows);
  const tiles::matrix<T> a(m, k, random), b(k, 64, random);
  tiles::on_device<T> on_a(gpu, a), on_b(gpu, b);
  tiles::on_device<float> on_y(gpu, tiles::matrix<float>(m, 64, 4));
  const auto ends = gpu.upload(std::vector<unsigned>{rows, depth});
  gpu.launch(product<IsData>, tg::grid(1, (m + 127) / 128), on_a.argument(), on_b.argument(), on_y.argument(), ends, m, k);
  const auto y = on_y.read();
  tiles::excess excess;
  for (unsigned r = 0; r < m; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      double sum = 0, size = 0;
      if (r < rows)
        for (unsigned i = 0; i < depth; ++i) sum += a(r, i) * b(i, c), size += std::abs(a(r, i) * b(i, c));
      excess(y(r, c), sum, k * 0x1p-23 * size);
    }
  return excess.worst;
}

/// What can be wrong with a pipeline of two stages.
enum class fault { none, no_wait, other_parity, no_barrier, early_fill, no_fence, none_deferred, late_products };

/// A pipeline as tg::pipeline<2> records it, with a fault; without one, it writes a zero to each stage that changes nothing.
/// Or, deferred, one as tg::add_products<2> records it.
template <fault Fault>
constexpr auto faulty = tg::kernel<"faulty">(own_block, [](auto block, view<> a, view<> b,
                                                           tg::out2<float, tg::multiple_of<4>> y, tg::scalar<unsigned> k) {
  using namespace tg::detail;
  const auto where = tg::source_location::current();
  const auto parts_at = [&](const auto& at) {
    return tg::stage(tg::tile_at<64, 64>(tg::sized(a, 64u, k), 0_c, at), tg::tile_at<64, 64>(tg::sized(b, k, 64u), at, 0_c));
  };
  using number = tg::value<unsigned, tg::index::single<tg::index::uniform<1>>>;
  using ring = panel_ring<T, 2, 64, 64>;
  using shape = std::remove_const_t<decltype(own_block)>;
  using rings_type = tensor_rings<shape, 2, ring, ring>;
  const tuple<ring, ring> memory{{{ring(where)}, {ring(where)}}};
  const auto count = (k + 63u) / 64_c;
  const rings_type rings(block, memory, rings_type::sources_of(parts_at(number{tg::uniform(0).operand} * 64_c)), where);
  block.sync();
  auto sum = tg::zeros<float, 64, 64>(block);
  const auto fill = [&](const number& part, const number& slot) {
    rings.fill(slot, parts_at(part * 64_c), {(part < count).operand});
  };
  fill(tg::uniform(0), tg::uniform(0));
  tg::for_(tg::range(count), [&](const auto& counter) {
    const number part{counter.operand};
    const number slot{(part % 2_c).operand};
    const number next{(part + 1_c).operand};
    const auto parity = part % 4_c / 2_c;
    if constexpr (Fault == fault::none_deferred || Fault == fault::late_products) {
      rings.wait(slot, parity);
      const std::size_t first = recorded_count();
      tg::detail::apply([&](const auto& left, const auto& right) { sum += tg::dot(left, right); }, rings.read(slot));
      CHECK(take_back_wait(first));
      wait_for_products(Fault == fault::none_deferred ? 1 : 2, where);
      block.sync();
      fill(next, {(next % 2_c).operand});
      return;
    }
    if constexpr (Fault == fault::other_parity) rings.wait(slot, (part + 2_c) % 4_c / 2_c);
    else if constexpr (Fault != fault::no_wait) rings.wait(slot, parity);
    // Row 63 of a is zero: this changes nothing.
    tg::if_(block.thread.x < 64_c, [&] { get<0>(memory).stages().fill(slot)(63_c, block.thread.x % 64_c) = T(0.0f); });
    if constexpr (Fault != fault::no_fence) tg::fence_async_proxy();
    if constexpr (Fault == fault::early_fill) fill(next, {(next % 2_c).operand});
    if constexpr (Fault != fault::no_barrier) block.sync();
    if constexpr (Fault != fault::early_fill) fill(next, {(next % 2_c).operand});
    tg::detail::apply([&](const auto& left, const auto& right) { sum += tg::dot(left, right); }, rings.read(slot));
  });
  if constexpr (Fault == fault::none_deferred || Fault == fault::late_products) wait_for_products(0, where);
  tg::if_(block.thread_index() == 0_c, [&] {
    for (unsigned s = 0; s < 2; ++s) rings.wait(tg::uniform(s), (count + (4u - s)) / 2_c % 2_c);
  });
  tg::tile_at<64, 64>(tg::sized(y, 64u, 64u), 0_c, 0_c) = sum;
});

/// The number of the error of a launch with all checkers; 0: none, and the product is right; 1: it is wrong.
template <fault Fault> int run_faulty() {
  const auto before = tg::emulator::launch_options();
  auto checked = before;
  checked.seed = 0;
  checked.check = tg::emulator::check::checkers::all();
  tg::emulator::set_launch_options(checked);
  int found = 0;
  try {
    tg::device gpu("emulator");  // on a GPU, threads wait for ever
    std::mt19937 random(3);
    tiles::matrix<T> a(64, 320, random);
    const tiles::matrix<T> b(320, 64, random);
    for (unsigned i = 0; i < 320; ++i) a(63, i) = T(0.0f);
    tiles::on_device<T> on_a(gpu, a), on_b(gpu, b);
    tiles::on_device<float> on_y(gpu, tiles::matrix<float>(64, 64, 4));
    gpu.launch(faulty<Fault>, tg::grid(1), on_a.argument(), on_b.argument(), on_y.argument(), 320u);
    const auto y = on_y.read();
    for (unsigned r = 0; r < 64; ++r)
      for (unsigned c = 0; c < 64; ++c) {
        double sum = 0;
        for (unsigned i = 0; i < 320; ++i) sum += static_cast<double>(a(r, i)) * b(i, c);
        if (!(std::abs(y(r, c) - sum) < 1e-2)) found = 1;
      }
  } catch (const tg::error& e) { found = e.number(); }
  tg::emulator::set_launch_options(before);
  return found;
}
template <fault Fault> std::size_t unproved() {
  const tg::kernel_analysis found = tg::analyze(faulty<Fault>);
  return found.refuted().size() + found.unknown().size();
}

}  // namespace

TEST_CASE("tensor copies fill the rings of views whose rows are promised to have maps, outside of loops") {
  CHECK(has_tensor_copies(tg::to_ptx(product<false>)));
  CHECK(has_tensor_copies(tg::to_ptx(product<true>)));
  CHECK_FALSE(has_tensor_copies(tg::to_ptx(product<false, 4>)));
  CHECK_FALSE(has_tensor_copies(tg::to_ptx(product<false, 8, true>)));
}

TEST_CASE("zeros stand where matrices end, whether scalars or memory say where") {
  CHECK(check_ends<false>(128, 64, 128, 64) <= 1);
  CHECK(check_ends<false>(129, 67, 129, 67) <= 1);
  CHECK(check_ends<false>(1, 1, 1, 1) <= 1);
  CHECK(check_ends<true>(128, 128, 128, 128) <= 1);
  CHECK(check_ends<true>(131, 193, 127, 131) <= 1);
  CHECK(check_ends<true>(257, 72, 129, 65) <= 1);
  CHECK(check_ends<true>(64, 64, 63, 1) <= 1);
  CHECK(check_ends<true>(64, 64, 0, 64) <= 1);
  CHECK(check_ends<true>(64, 129, 64, 0) <= 1);
}

TEST_CASE("pipelines by tensor copies are proved free of races, wherever the matrices end") {
  const tg::kernel_analysis by_launch = tg::analyze(product<false>), by_data = tg::analyze(product<true>);
  INFO(by_launch.text());
  CHECK(by_launch.refuted().empty());
  CHECK(by_launch.unknown().empty());
  INFO(by_data.text());
  CHECK(by_data.refuted().empty());
  CHECK(by_data.race_free());
  CHECK(by_data.barriers_met());
  for (const tg::finding& f : by_data.unknown()) CHECK(f.question == tg::question::initialized);  // memory says what is zeroed
}

TEST_CASE("what can be wrong with such a pipeline is found") {
  CHECK(run_faulty<fault::none>() == 0);
  CHECK(unproved<fault::none>() == 0);
  constexpr int arrivals = 452, race = 416;
  CHECK(run_faulty<fault::no_wait>() == arrivals);
  CHECK(unproved<fault::no_wait>() > 0);
  CHECK(run_faulty<fault::other_parity>() == arrivals);
  CHECK(unproved<fault::other_parity>() > 0);
  CHECK(run_faulty<fault::no_barrier>() == race);
  CHECK(unproved<fault::no_barrier>() > 0);
  CHECK(unproved<fault::early_fill>() > 0);
  CHECK(run_faulty<fault::none_deferred>() == 0);
  CHECK(unproved<fault::none_deferred>() == 0);
  CHECK(run_faulty<fault::late_products>() == race);
  CHECK(unproved<fault::late_products>() > 0);
  CHECK(run_faulty<fault::no_fence>() == race);
  CHECK(unproved<fault::no_fence>() > 0);
}
