#include <tg/dsl/proof/tile_words.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

pf::use access(std::uint32_t tile, pf::number at, bool writes) {
  pf::use out{
      .instruction = 0, .where = {true, tile}, .offset = pf::constant(at), .bytes = 4, .reads = !writes, .writes = writes};
  return out;
}

}  // namespace

TEST_CASE("what one use leaves in a word is found behind a barrier") {
  pf::tile_words words;
  const pf::standing met;
  tg::dynamic_array<pf::use> uses{access(0, 0, true), access(0, 4, true), access(1, 0, true)};
  words.leave(0, pf::constant(7));
  uses.push_back(access(0, 0, false));
  CHECK(words.found(uses, met) == pf::constant(7));
  pf::standing open;
  open.uses.push_back({.use = 0});
  CHECK_FALSE(words.found(uses, open));
  uses.push_back(access(0, 4, false));  // of which nobody knows what is left there
  CHECK_FALSE(words.found(uses, met));
  uses.push_back(access(0, 2, false));  // parts of two words
  CHECK_FALSE(words.found(uses, met));
}

TEST_CASE("a word that two uses write, or one whose place is not known, is not known") {
  pf::tile_words words;
  words.leave(0, pf::constant(7));
  tg::dynamic_array<pf::use> uses{access(0, 0, true), access(0, 0, true), access(0, 0, false)};
  CHECK_FALSE(words.found(uses, {}));
  uses = {access(0, 0, true), access(0, 8, true), access(0, 0, false)};
  uses[1].offset = pf::add(uses[1].offset, pf::single(3));
  CHECK_FALSE(words.found(uses, {}));
  uses[1] = access(0, 8, true);
  CHECK(words.found(uses, {}));
}
