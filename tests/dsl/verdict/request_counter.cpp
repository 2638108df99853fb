#include <tg/dsl/verdict/request_counter.hpp>

#include <doctest/doctest.h>

#include <string>

using tg::detail::recorded_request;
using tg::detail::request_counter;

namespace {

constexpr tg::analysis::block_extent two_warps{40, 1, 1};

tg::access floats(int in_one_access) {
  tg::access out;
  out.element_bytes = 4;
  out.access_bytes = 4 * in_one_access;
  return out;
}

/// A request of a view that begins where a sector does.
recorded_request from_sector() {
  recorded_request out;
  out.align = 32;
  return out;
}

/// Lane `l` accesses element `stride * l`.
tg::analysis::lane_value every(int stride) {
  tg::analysis::lane_value out;
  for (std::size_t l = 0; l < out.offset.size(); ++l) out.offset[l] = stride * static_cast<int>(l);
  return out;
}

template <class F> int code_of(F f) {
  try {
    f();
  } catch (const tg::error& e) { return e.number(); }
  return 0;
}

}  // namespace

TEST_CASE("lanes side by side use whole sectors, strided ones waste them") {
  const recorded_request request = from_sector();
  const auto a = floats(1);
  const request_counter full(request, a, two_warps, 0), rest(request, a, two_warps, 1);
  CHECK(full.global(every(1)).sectors == 4);
  CHECK(full.global(every(1)).good);
  CHECK(full.global(every(8)).sectors == 32);
  CHECK_FALSE(full.global(every(8)).good);
  CHECK(rest.global(every(1)).sectors == 1);  // 8 lanes
  CHECK(full.alone() == 32);
  CHECK(rest.alone() == 8);
  CHECK(full.of(0xffff).global(every(1)).sectors == 2);
}

TEST_CASE("a stride of 32 words has all lanes in one bank") {
  const recorded_request request;
  const auto a = floats(1);
  const request_counter counter(request, a, two_warps, 0);
  CHECK(counter.shared(every(1)).ways == 1);
  CHECK(counter.shared(every(32)).ways == 32);
}

TEST_CASE("a vector is aligned where each lane's index is a multiple of its width") {
  const recorded_request request;
  const auto a = floats(4);
  const request_counter counter(request, a, two_warps, 0);
  CHECK(counter.is_aligned(every(4)));
  CHECK_FALSE(counter.is_aligned(every(2)));
}

TEST_CASE("TG201, TG202 and TG203 are thrown with the access's line") {
  const recorded_request request;
  const auto a = floats(4);
  CHECK(code_of([&] { tg::detail::refuse_wavefronts(request, a, {}); }) == 201);
  CHECK(code_of([&] { tg::detail::refuse_sectors(request, a, {}); }) == 202);
  CHECK(code_of([&] { tg::detail::refuse_alignment(request, a); }) == 203);
}
