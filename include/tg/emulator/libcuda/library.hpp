// The symbols of the emulated libcuda. Included once per library, by its one translation unit: each exported name becomes a
// jump to its function, so that no parameter is named twice.
#pragma once

#include <tg/emulator/libcuda/exports.hpp>

#if defined(__x86_64__)
#define TG_JUMP(name) "jmp *tg_at_" name "(%rip)\n"
#elif defined(__aarch64__)
#define TG_JUMP(name) "adrp x16, tg_at_" name "\nldr x16, [x16, #:lo12:tg_at_" name "]\nbr x16\n"
#else
#error "the emulated libcuda is for x86-64 and AArch64"
#endif

#define TG_SYMBOL(name, pointer)                                                             \
  [[gnu::used]] static const auto at_##name asm("tg_at_" #name) = pointer;                   \
  asm(".pushsection .text\n.p2align 4\n.globl " #name "\n.type " #name ", @function\n" #name \
      ":\n" TG_JUMP(#name) ".size " #name ", . - " #name "\n.popsection\n");
#define TG_EXPORT(base, suffix, since, function) TG_SYMBOL(base##suffix, &tg::emulator::entry::function)
#define TG_EXPORT_PER_THREAD(base, suffix, since, function) \
  TG_SYMBOL(base##suffix, (&tg::emulator::libcuda::per_thread<&tg::emulator::entry::function>::call))
#define TG_REFUSE(base, suffix, since) TG_SYMBOL(base##suffix, (&tg::emulator::libcuda::refuse<#base #suffix>))

namespace tg::emulator::libcuda::symbols {
#include <tg/emulator/libcuda/rows.hpp>
}

#undef TG_REFUSE
#undef TG_EXPORT_PER_THREAD
#undef TG_EXPORT
#undef TG_SYMBOL
#undef TG_JUMP
