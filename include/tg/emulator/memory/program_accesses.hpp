// What the emulated program does to memory, for the thread sanitizer.
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TG_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define TG_THREAD_SANITIZER
#endif

#if defined(TG_THREAD_SANITIZER)
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace tg::emulator {

/// While one lives, this host thread's accesses are those of the emulated program. Blocks that run on several host threads may
/// race, as on a GPU: a program of the user's has that race, not the emulator, and the checkers of the emulator report it.
/// The thread sanitizer leaves these accesses alone; without it this is nothing.
struct [[maybe_unused]] program_accesses {
#if defined(TG_THREAD_SANITIZER)
  program_accesses() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~program_accesses() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
  program_accesses(const program_accesses&) = delete;
#endif
};

}  // namespace tg::emulator

#undef TG_THREAD_SANITIZER
