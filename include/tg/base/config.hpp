// Version and the few macros of the library.
#pragma once

#define TG_VERSION_MAJOR 0
#define TG_VERSION_MINOR 1
#define TG_VERSION_PATCH 0

#if defined(__GNUC__) || defined(__clang__)
#define TG_ALWAYS_INLINE [[gnu::always_inline]] inline
#define TG_COLD [[gnu::cold, gnu::noinline]]
#else
#define TG_ALWAYS_INLINE inline
#define TG_COLD
#endif

// In front of a function that `x.hpp` declares and `x.inl` defines. Headers never include `.inl` files: <tg/library.hpp> has
// all of them, and one source file of a program includes it. The function is emitted there, called or not, so nobody keeps a
// list. Not for constructors and destructors, of which clang++ would emit only the variant for base classes.
#define TG_LIBRARY_FUNCTION [[gnu::used]] inline

// In front of a function that is called for what it returns.
#define TG_RESULT \
  [[nodiscard("TG180: the result of this operation is thrown away: to store it, write y(i) = v; to keep it, auto v = a == b;")]]

// In front of a loop none of whose turns reads what another turn wrote: all may run at once.
#if defined(__clang__)
#define TG_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define TG_INDEPENDENT _Pragma("GCC ivdep")
#else
#define TG_INDEPENDENT
#endif
