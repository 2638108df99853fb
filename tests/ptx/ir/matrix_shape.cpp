#include <tg/ptx/ir/matrix_shape.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <tg/base/dynamic_array.hpp>

using namespace tg::ptx;

TEST_CASE("a shape is read from the modifier that names all of it") {
  const auto shape = [](std::initializer_list<token> tokens) { return to_matrix_shape(tg::dynamic_array<token>(tokens)); };
  CHECK(shape({token::sync, token::aligned, token::m16n8k256, token::s32}) == matrix_shape{16, 8, 256});
  CHECK(shape({token::mma_async, token::m64n104k8, token::f32}) == matrix_shape{64, 104, 8});
  CHECK(shape({token::m8n8k4}) == matrix_shape{8, 8, 4});
  for (const token t : {token::m8n8, token::m16n16, token::max, token::mbarrier_complete_tx_bytes, token::multicast_cluster})
    CHECK(shape({t, token::b16}) == matrix_shape{});
  CHECK(shape({}) == matrix_shape{});
}
