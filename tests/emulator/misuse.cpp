// What people get wrong with the emulated device's memory, its linker and its environment, each with the error that tells them.
#include <tg/emulator/memory/memory.hpp>

#include <cstddef>
#include <cstdlib>
#include <string>
#include <vector>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/driver_table/merge_modules.hpp>
#include <tg/emulator/launch/environment.hpp>
#include <tg/emulator/launch/session.hpp>
#include <tg/ptx/parse/parse.hpp>

#include "../misuse.hpp"

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

const std::vector<misuse> rows{
    {"more memory than the emulated device has", 440,
     "TG440: out of device memory: 1048576 bytes asked for, 1047576 of 1048576 free; release buffers, or give the "
     "emulated device more memory",
     [] {
       tg::emulator::memory device(mib);
       device.allocate(1000);
       device.allocate(mib);
     }},
    {"a buffer that is released twice", 441,
     "which is not the start of a live allocation; release each allocation once, by the address that allocate returned",
     [] {
       tg::emulator::memory device(mib);
       const auto buffer = device.allocate(1000);
       device.release(buffer);
       device.release(buffer);
     }},
    {"a copy that ends behind its buffer", 442,
     "are not inside one live allocation; check the address and the size of the copy",
     [] {
       tg::emulator::memory device(mib);
       const auto buffer = device.allocate(1000);
       device.at(buffer + 999, 2);
     }},
    {"a misspelt checker", 443,
     "TG443: TG_EMULATOR_CHECK='races' means nothing; list some of memory, init, race, sync, leak and strict, or "
     "say all or none",
     [] {
       ::setenv("TG_EMULATOR_CHECK", "races", 1);
       tg::emulator::options how;
       std::string path;
       const struct restored {
         ~restored() { ::unsetenv("TG_EMULATOR_CHECK"); }
       } later;
       tg::emulator::check::read_environment(how, path);
     }},
    {"memory that outlives its context", 419, "Leaked 64 bytes at 0x",
     [] {
       const auto& cu = tg::emulator::driver_table();
       tg::emulator::set_launch_options({.check = {.leak = true}});
       tg::driver::context_handle context = nullptr;
       tg::driver::device_address kept = 0;
       cu.cuInit(0);
       cu.cuCtxCreate(&context, 0, 0);
       cu.cuMemAlloc(&kept, 64);
       cu.cuCtxDestroy(context);
       tg::emulator::set_launch_options({});
       for (const auto& leak : tg::emulator::take_findings()) throw tg::error(leak.code, leak.what, leak.fix);
     }},
    {"a variable that two linked modules define", 470,
     "TG470: 'twice' is defined in two of the linked modules; make it visible in one of them only",
     [] {
       const auto text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .u32 twice = 1;\n";
       tg::emulator::entry::module_merger linked;
       linked.add(tg::ptx::parse(text));
       linked.add(tg::ptx::parse(text));
     }},
    {"a report into a folder that is not there", 480,
     "TG480: TG_EMULATOR_REPORT: no/such/folder/report.txt cannot be written; name a file in a folder that exists, or unset it",
     [] { tg::emulator::check::session().report_to("no/such/folder/report.txt"); }},
};

}  // namespace

TEST_CASE("what is done wrong with the emulated device is a clear error") { check_misuses(rows); }
