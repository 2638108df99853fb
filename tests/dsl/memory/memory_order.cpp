#include <tg/dsl/memory/memory_order.hpp>

#include <doctest/doctest.h>

TEST_CASE("orders and scopes have the names of PTX") {
  using tg::detail::token_of;
  CHECK(tg::ptx::name(token_of(tg::scope::block)) == "cta");
  CHECK(tg::ptx::name(token_of(tg::scope::cluster)) == "cluster");
  CHECK(tg::ptx::name(token_of(tg::scope::gpu)) == "gpu");
  CHECK(tg::ptx::name(token_of(tg::scope::system)) == "sys");
  CHECK(tg::ptx::name(token_of(tg::order::relaxed)) == "relaxed");
  CHECK(tg::ptx::name(token_of(tg::order::acquire)) == "acquire");
  CHECK(tg::ptx::name(token_of(tg::order::release)) == "release");
  CHECK(tg::ptx::name(token_of(tg::order::acq_rel)) == "acq_rel");
  CHECK(tg::ptx::name(token_of(tg::order::sequential)) == "sc");
}
