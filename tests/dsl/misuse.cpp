// What people get wrong in kernels that only shows when the kernel is recorded, each with the error that tells them.
#include <tg/dsl.hpp>

#include <array>
#include <optional>
#include <vector>

#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/cost/performance_gate.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/explain/explain.hpp>
#include <tg/tg.hpp>

#include "../misuse.hpp"

using namespace tg::literals;

namespace {

/// A kernel of 64 threads, recorded.
template <class Body> void record(Body body) { (void)tg::to_ptx(tg::kernel<"k">(tg::block<64>, body)); }

/// Throws what is refuted of a kernel of 64 threads.
template <class Body> void prove(Body body) { tg::analyze(tg::kernel<"k">(tg::block<64>, body)).require(); }

const std::vector<misuse> values{
    {"a value that outlives its kernel", 121,
     "TG121: a value, variable, view or tile of another kernel is used in this one; make it in this kernel too, or "
     "pass it through memory",
     [] {
       std::optional<tg::value<float>> kept;
       record([&](auto block, tg::in<float> x) { kept.emplace(x(block.thread.x) * 2.0f); });
       record([&](auto block, tg::out<float> y) { y(block.thread.x) = *kept; });
     }},
    {"a label that does not fit an unsigned number", 122,
     "TG122: the C++ number -1 does not fit the device type it meets; use a number between 0 and 4294967295",
     [] { record([](auto, tg::out<unsigned> u, tg::scalar<unsigned> n) { tg::switch_(n).case_(-1, [&] { u(0_c) = 1u; }); }); }},
    {"a return that is to leave the kernel", 128,
     "TG128: the body of tg::if_ records nothing; a return leaves the body, not the kernel: write what is guarded "
     "as the body, tg::if_(i < n, [&] {...}); plain C++ statements run once, while the kernel is recorded: count "
     "with a tg::var; if it is empty on purpose, leave the whole statement out with if constexpr",
     [] {
       record([](auto block, tg::inout<float> y, tg::scalar<unsigned> n) {
         const auto i = block.thread.x;
         tg::if_(i >= n, [&] { return; });
         y(i) += 1.0f;
       });
     }},
    {"an atomic behind &&", 137,
     "TG137: what the right side of && or || does to memory happens whatever the left side says; write the right "
     "side as a lambda, i < n && [&] { return ...; }, or name it before",
     [] {
       record([](auto block, tg::inout<unsigned> count, tg::out<float> y, tg::scalar<unsigned> n) {
         const auto i = block.thread.x;
         tg::if_(i < n && tg::atomic_add(count(0_c), 1u) < 4u, [&] { y(i) = 1.0f; });
       });
     }},
    {"a group of copies that is committed twice", 144,
     "TG144: a state of the groups of asynchronous copies is left twice; go on with what commit() and wait() return",
     [] {
       record([](auto, tg::out<float>) {
         tg::async_groups start;
         (void)start.commit();
         (void)start.commit();
       });
     }},
    {"a cache hint on shared memory", 160,
     "TG160: a cache hint on shared memory, which has no cache; leave tg::load and tg::store to views",
     [] {
       record([](auto block, tg::out<float> y) {
         auto tile = tg::shared<float>(tg::shape<64>);
         tile(block.thread.x) = 1.0f;
         y(block.thread.x) = tg::load<tg::streaming>(tile(block.thread.x));
       });
     }},
    {"a tile whose size depends on the thread", 164,
     "TG164: the size of this tile is not known when the kernel is launched; compute it from tg::scalar parameters, "
     "C++ numbers and constants, with + - * / %, shifts, min and max",
     [] { record([](auto block, tg::out<float>) { (void)tg::shared<float>(block.thread.x); }); }},
    {"a jump outside of a loop", 182,
     "TG182: tg::break_ stands in no loop; write it in the body of tg::for_ or tg::while_; tg::return_ ends the thread",
     [] {
       record([](auto, tg::out<float> y, tg::scalar<unsigned> n) {
         tg::if_(n < 3u, [] { tg::break_(); });
         y(0_c) = 1.0f;
       });
     }},
    {"a barrier behind a return", 183,
     "TG183: not all threads come to this barrier or exchange: some have left by the tg::return_",
     [] {
       record([](auto block, tg::inout<float> y, tg::scalar<unsigned> n) {
         tg::if_(block.thread.x >= n, [] { tg::return_(); });
         y(block.thread.x) += 1.0f;
         block.sync();
       });
     }},
    {"two cases of one label", 186, "TG186: the label 1 has a case of this tg::switch_ already; give each number one case",
     [] {
       record([](auto, tg::out<unsigned> u, tg::scalar<unsigned> n) {
         tg::switch_(n).case_(1, [&] { u(0_c) = 1u; }).case_({2, 1}, [&] { u(0_c) = 2u; });
       });
     }},
    {"two tables of one name", 187,
     "TG187: two constant tables of this kernel have the name 't' and different numbers; give each table a name of its own",
     [] {
       constexpr auto halves = tg::constant_table<"t">(std::array{0.5f, 1.5f});
       constexpr auto quarters = tg::constant_table<"t">(std::array{0.25f});
       record([=](auto, tg::out<float> y, tg::scalar<unsigned> n) { y(0_c) = halves(n) + quarters(n); });
     }},
    {"a value that leaves a loop which some threads leave early", 315,
     "TG315: a device value is used where not every path has made it: it is made in a branch",
     [] {
       record([](auto, tg::inout<float> y, tg::scalar<unsigned> n) {
         std::optional<tg::value<float>> last;
         tg::for_(tg::range(n), [&](auto j) {
           tg::if_(j > 3u, [] { tg::break_(); });
           last.emplace(y(j) * 2.0f);
         });
         y(n) = *last;
       });
     }},
};

const std::vector<misuse> proofs{
    {"a race between the threads of a block", 230,
     "TG230: k: thread (63, 0, 0) reads byte 0 of tile 0 and thread (0, 0, 0) writes it, with nothing that orders them",
     [] {
       prove([](auto block, tg::in<float> x, tg::out<float> y) {
         auto tile = tg::shared<float>(tg::shape<64>);
         tile(block.thread.x) = x(block.thread.x);
         y(block.thread.x) = tile(63_c - block.thread.x);
       });
     }},
    {"every block writes the same elements", 231,
     "TG231: k: thread (0, 0, 0) writes byte 0 of parameter 1 and thread (0, 0, 0) of another block writes it, with "
     "nothing that orders them",
     [] { prove([](auto block, tg::in<float> x, tg::out<float> y) { y(block.thread.x) = x(block.global_index()); }); }},
    {"a barrier that some threads do not reach", 232,
     "TG232: k: thread (47, 0, 0) comes to the barrier and thread (63, 0, 0) does not",
     [] { prove([](auto block, tg::out<float>) { tg::if_(block.thread.x < 48u, [&] { block.sync(); }); }); }},
    {"shared memory that nothing has written", 233,
     "TG233: k: thread (0, 0, 0) reads byte 0 of the tile, which nobody has written; write every element that is "
     "read, zeros at the edges",
     [] { prove([](auto block, tg::out<float> y) { y(block.thread.x) = tg::shared<float>(tg::shape<64>)(block.thread.x); }); }},
    {"a copy that nothing waits for", 234,
     "TG234: k: thread (63, 0, 0) reads byte 0 of tile 0 and thread (0, 0, 0) writes it, with nothing that orders them",
     [] {
       prove([](auto block, tg::in<float> x, tg::out<float> y) {
         auto tile = tg::shared<float>(tg::shape<64>);
         tg::async_copy(tile(block.thread.x), x(block.thread.x));
         block.sync();
         y(block.thread.x) = tile(63_c - block.thread.x);
       });
     }},
    {"an index one past the end of a tile", 235,
     "TG235: k: thread (63, 0, 0) touches byte 259 of a tile of 256; keep the index inside the extents",
     [] {
       prove([](auto block, tg::in<float> x) { tg::shared<float>(tg::shape<64>)(block.thread.x + 1_c) = x(block.thread.x); });
     }},
};

constexpr auto twice = tg::kernel<"twice">(tg::block<64>, [](auto block, tg::inout<float> y) { y(block.thread.x) *= 2.0f; });

const std::vector<misuse> reports{
    {"costs that were not stored", 172,
     "TG172: 'no_such_file.json' cannot be read; store the costs once with performance_gate::save",
     [] { tg::performance_gate::load("no_such_file.json"); }},
    {"a kernel whose cost was not stored", 173,
     "TG173: no cost of 'twice' is stored; keep it with performance_gate::keep and save",
     [] { tg::performance_gate().check(tg::cost(twice)); }},
    {"a GPU that nobody makes", 174,
     "TG174: no GPU is called 'H101'; take one of A100 (sm_80), H100 (sm_90), H200 (sm_90), L40S (sm_89), RTX 4090 "
     "(sm_89), B200 (sm_100), RTX 5090 (sm_120)",
     [] { tg::explain(twice, "H101"); }},
};

}  // namespace

TEST_CASE("what only the recording of a kernel shows is a clear error") { check_misuses(values); }
TEST_CASE("what is refuted is thrown") { check_misuses(proofs); }
TEST_CASE("costs and reports of what is not there are a clear error") { check_misuses(reports); }
