#include <tg/dsl/proof/async_uses.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

constexpr pf::mbarrier_phase_at full{.variable = 1, .offset = 0, .phase = 0};

pf::path some(std::size_t first, std::size_t end) {
  pf::path out;
  out.may = {};
  for (std::size_t t = first; t < end; ++t) out.may[t] = true;
  out.must = out.may;
  return out;
}

// One use of thread 0, which goes on until `ends_by` tells.
struct one_use {
  tg::dynamic_array<pf::use> uses = {{.where = {true, 4}, .writes = true, .way = some(0, 1)}};
  tg::dynamic_array<pf::live_use> live;

  explicit one_use(pf::completion ends_by, const pf::mbarrier_phase_at& at = {})
      : live{{.use = 0, .is_pending = true, .ends_by = ends_by, .ends_at = at}} {}
  pf::live_use& only() { return live.front(); }
};

}  // namespace

TEST_CASE("a phase lands copies for the threads that waited, the one that copied among them") {
  one_use all(pf::completion::mbarrier, full);
  pf::land(all.live, all.uses, some(0, 32), full);
  CHECK_FALSE(all.only().is_pending);
  CHECK(all.only().is_ordered(0, 31));
  CHECK_FALSE(all.only().is_ordered(0, 32));
  one_use others(pf::completion::mbarrier, full);
  pf::land(others.live, others.uses, some(1, 32), full);
  CHECK(others.only().is_pending);
  CHECK(others.only().is_maybe_ordered);
  one_use later(pf::completion::mbarrier, {.variable = 1, .offset = 0, .phase = 1});
  pf::land(later.live, later.uses, some(0, 32), full);
  CHECK(later.only().is_pending);
  CHECK_FALSE(later.only().is_maybe_ordered);
  one_use elsewhere(pf::completion::mbarrier, full);
  pf::land(elsewhere.live, elsewhere.uses, some(0, 32), {.variable = 1, .offset = 8, .phase = 0});
  CHECK_FALSE(elsewhere.only().is_maybe_ordered);
  one_use unknown(pf::completion::mbarrier, full);
  pf::land(unknown.live, unknown.uses, some(0, 32), {});
  CHECK(unknown.only().is_pending);
  CHECK(unknown.only().is_maybe_ordered);
}

TEST_CASE("groups of bulk copies, of cp.async and of products are waited for each by their own") {
  using pf::completion, pf::group_of;
  const std::pair<completion, group_of> kinds[] = {{completion::copy_group, group_of::copies},
                                                   {completion::bulk_write, group_of::bulk_copies},
                                                   {completion::products, group_of::products}};
  for (const auto& [ends_by, own] : kinds) {
    one_use mine(ends_by);
    for (const auto& kind : kinds)
      if (kind.second != own) pf::commit_group(mine.live, mine.uses, some(0, 1), kind.second);
    CHECK_FALSE(mine.only().is_committed);
    pf::commit_group(mine.live, mine.uses, some(0, 1), own);
    CHECK(mine.only().is_committed);
    for (const auto& kind : kinds)
      if (kind.second != own) (void)pf::wait_for_groups(mine.live, mine.uses, some(0, 1), {.what = kind.second});
    CHECK(mine.only().is_pending);
    (void)pf::wait_for_groups(mine.live, mine.uses, some(0, 1), {.what = own});
    CHECK_FALSE(mine.only().is_pending);
  }
  one_use writes(pf::completion::bulk_write), reads(pf::completion::bulk_read);
  for (one_use* u : {&writes, &reads}) {
    pf::commit_group(u->live, u->uses, some(0, 1), pf::group_of::bulk_copies);
    (void)pf::wait_for_groups(u->live, u->uses, some(0, 1), {.what = pf::group_of::bulk_copies, .only_reads = true});
  }
  CHECK(writes.only().is_pending);
  CHECK_FALSE(reads.only().is_pending);
}

TEST_CASE("a doubt is about all but groups of bulk copies and the barrier's own initialisation") {
  one_use copy(pf::completion::mbarrier, full), store(pf::completion::bulk_read), setup(pf::completion::none);
  setup.only().is_pending = false;
  setup.only().is_setup = true;
  for (one_use* u : {&copy, &store, &setup}) pf::doubt(u->live, u->uses, 4);
  CHECK(copy.only().is_maybe_ordered);
  CHECK_FALSE(store.only().is_maybe_ordered);
  CHECK_FALSE(setup.only().is_maybe_ordered);
  pf::doubt(setup.live, setup.uses, 5);
  CHECK(setup.only().is_maybe_ordered);
}
