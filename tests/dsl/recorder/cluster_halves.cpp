#include <tg/dsl/recorder/cluster_halves.hpp>

#include "../recording.hpp"

#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>

using pair = tg::clustered_block<tg::block_t<64>, tg::cluster_t<2>>;

namespace {

/// The number of the error that recording ends with; 0 for none.
template <class Statements> int refused(Statements statements) {
  const std::string found = recording::error_of<pair>(statements);
  return found == "none" ? 0 : std::stoi(found);
}

}  // namespace

TEST_CASE("each arrival at the barrier of a cluster has one wait") {
  CHECK(refused([](auto block, auto) {
          const auto come = block.cluster().arrive();
          come.wait();
          block.cluster().sync();
        }) == 0);
  CHECK(refused([](auto block, auto) {
          (void)block.cluster().arrive();
          block.cluster().sync();
        }) == 154);
  CHECK(refused([](auto block, auto) {
          const auto come = block.cluster().arrive();
          come.wait();
          come.wait();
        }) == 154);
}

TEST_CASE("a branch or a loop that leaves another state than it found is left open") {
  CHECK(refused([](auto block, auto p) {
          const auto come = block.cluster().arrive();
          tg::if_(p.n > 1u, [&] { come.wait(); });
          tg::if_(p.n <= 1u, [&] { come.wait(); });
        }) == 0);
  CHECK(refused([](auto block, auto p) {
          tg::for_(tg::range(p.n), [&](auto) { block.cluster().sync(); });
          block.cluster().sync();
        }) == 0);
  CHECK(refused([](auto block, auto p) {
          tg::if_(p.n > 1u, [&] { block.cluster().sync(); }).else_([&] { block.cluster().arrive().wait(); });
          block.cluster().arrive().wait();
          tg::if_(p.n > 1u, [&] {
            (void)block.cluster().arrive();
            block.cluster().sync();
          });
        }) == 154);
}
