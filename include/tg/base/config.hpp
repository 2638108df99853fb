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

// In front of a function that a header declares and its `.inl` file defines. In a header-only program it is inline. Where the
// compiled library is built, it is emitted too, called or not: so the library has each function that is marked, and nobody
// keeps a list. Not for constructors and destructors, of which clang++ would emit only the variant for base classes.
// With TG_COMPILED defined, headers leave out their `.inl` files: the functions come from the library.
#if defined(TG_COMPILED) || defined(TG_BUILDS_LIBRARY)
#define TG_LIBRARY_FUNCTION [[gnu::used]] inline
#else
#define TG_LIBRARY_FUNCTION inline
#endif

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
