#include <tg/emulator/decode/decode_matrix.hpp>

#include <doctest/doctest.h>

#include <tg/ptx/forms/requirements.hpp>
#include <tg/ptx/parse/canonical.hpp>
#include <tg/ptx/verify/verify.hpp>

#include "../../ptx/sample.hpp"
#include "../runner.hpp"

TEST_CASE("every matrix instruction of the form table is decoded") {
  using namespace tg::ptx;
  test::sampler s;
  int count = 0;
  for (const opcode op : {opcode::ldmatrix, opcode::stmatrix, opcode::movmatrix, opcode::mma, opcode::wmma, opcode::wgmma})
    for (const form& f : form_table::get().of(op)) count += s.add(f);
  derive_requirements(s.mod());  // wgmma is of sm_90a
  make_canonical(s.mod());
  verify(s.mod());
  tg::emulator::memory memory(std::size_t{1} << 24);
  const auto loaded = tg::emulator::program::load(std::move(s.mod()), memory);
  CHECK(loaded->image().matrices.size() >= static_cast<std::size_t>(count));
}
