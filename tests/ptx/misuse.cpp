// What goes wrong with modules that a program or a pass makes instruction by instruction, each with the error that tells it.
#include <tg/ptx/verify/verify.hpp>

#include <string>
#include <vector>

#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

#include "../misuse.hpp"

namespace {

using namespace tg::ptx;

/// bra, the label it goes to, ret.
module jumping(){return parse(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k() { bra done; done: ret; }\n");
}  // namespace
instruction made(opcode op) {
  instruction out;
  out.op = op;
  return out;
}

const std::vector<misuse> rows{
    {"a branch whose target was removed", 313, "the label is not defined",
     [] {
       module m = jumping();
       auto& body = m.functions[0].body;
       body.erase(body.begin() + 1);
       verify(m);
     }},
    {"a label that stands twice", 313, "the label is defined twice",
     [] {
       module m = jumping();
       auto& body = m.functions[0].body;
       body.push_back(body[1]);
       verify(m);
     }},
    {"an <endif> without an <if>", 314, "no <if> is open",
     [] {
       module m = jumping();
       m.functions[0].body.push_back(made(opcode::endif));
       verify(m);
     }},
    {"a branch to a number that names no label", 317, "TG317: ",
     [] {
       module m = jumping();
       m.functions[0].body[0][0].id = 99;
       verify(m);
     }},
    {"a name with a space", 319, "'my kernel'",
     [] {
       module m = jumping();
       m.functions[0].name = "my kernel";
       print(m);
     }},
    {"structured control flow that was not flattened", 320, "TG320: ",
     [] {
       module m = jumping();
       m.functions[0].body.push_back(made(opcode::loop));
       m.functions[0].body.push_back(made(opcode::endloop));
       print(m);
     }},
};

}  // namespace

TEST_CASE("what is wrong with a module is a clear error") { check_misuses(rows); }
