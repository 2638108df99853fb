#include <tg/emulator/check/memory_order.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;
using tg::ptx::instruction;
using tg::ptx::opcode;
using tg::ptx::token;

TEST_CASE("what instructions mean to other threads") {
  const memory_order weak = order_of(instruction(opcode::ld, {token::global, token::u32}, {}));
  CHECK_FALSE(weak.is_strong);
  const memory_order flag = order_of(instruction(opcode::ld, {token::volatile_, token::global, token::u32}, {}));
  CHECK(flag.is_strong);
  CHECK_FALSE(flag.acquires);
  CHECK(flag.scope == scope::all);
  const memory_order acquire = order_of(instruction(opcode::ld, {token::acquire, token::cta, token::global, token::u32}, {}));
  CHECK(acquire.is_strong);
  CHECK(acquire.acquires);
  CHECK(acquire.scope == scope::block);
  const memory_order add = order_of(instruction(opcode::atom, {token::global, token::add, token::u32}, {}));
  CHECK(add.is_strong);
  CHECK_FALSE((add.acquires || add.releases));
  const memory_order both =
      order_of(instruction(opcode::atom, {token::acq_rel, token::gpu, token::global, token::add, token::u32}, {}));
  CHECK((both.acquires && both.releases));
  const memory_order fence = order_of(instruction(opcode::membar, {token::gl}, {}));
  CHECK((fence.acquires && fence.releases && fence.scope == scope::all));
  const memory_order narrow = order_of(instruction(opcode::fence, {token::sc, token::cta}, {}));
  CHECK((narrow.acquires && narrow.releases && narrow.scope == scope::block));
  const memory_order proxy = order_of(instruction(opcode::fence, {token::proxy, token::async}, {}));
  CHECK_FALSE((proxy.acquires || proxy.releases));
  CHECK((proxy.joins_proxy_of_shared && proxy.joins_proxy_of_global));
  const memory_order of_shared = order_of(instruction(opcode::fence, {token::proxy, token::async, token::shared_cta}, {}));
  CHECK((of_shared.joins_proxy_of_shared && !of_shared.joins_proxy_of_global));
  const memory_order of_global = order_of(instruction(opcode::fence, {token::proxy, token::async, token::global}, {}));
  CHECK((!of_global.joins_proxy_of_shared && of_global.joins_proxy_of_global));
  CHECK_FALSE(order_of(instruction(opcode::fence, {token::proxy, token::alias}, {})).joins_proxies());
  CHECK_FALSE(both.joins_proxies());
}
