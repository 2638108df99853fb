// The instructions of a parsed body, as they are printed.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/verify/verify.hpp>

namespace tg::ptx::test {

/// The instructions that `body` becomes in a kernel with names of every kind. Checks that they verify, and are read back.
inline std::string text_of(const std::string& body) {
  std::string out;
  const module m = parse(
      ".version 8.0\n.target sm_90\n.address_size 64\n.global .align 4 .b32 x[8];\n.func two(.reg .v2 .f32 a)\n"
      ".func (.reg .v2 .f32 r) swap(.reg .v2 .f32 a) { mov.f32 r.x, a.y; mov.f32 r.y, a.x; ret; }\n"
      ".entry k() { .reg .pred p; .reg .b16 h; .reg .b32 r<8>; .reg .b64 d; .reg .f32 f; .reg .v4 .u32 v<3>; .reg .v2 .f32 w;\n" +
      body + "\n}\n");
  const function& k = *m.find("k");
  for (const instruction& i : k.body) out += to_string(m, k, i) + " ";
  verify(m, unwritten_reads::allowed);
  CHECK(parse(print(m)) == m);
  return out;
}

}  // namespace tg::ptx::test
