# tg_precompile(target [HEADER header] [REUSE other])
#
# Compiles <tg/tg.hpp> once for the sources of a target instead of in each of them; with HEADER another one, <tg/dsl.hpp> for
# sources that hold kernels and launch none. The target links tg::tg, before or after. With REUSE the target
# takes what was compiled for another one, whose options and definitions are its own. ccache keeps such sources with
# CCACHE_SLOPPINESS=pch_defines,time_macros.
function(tg_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "HEADER;REUSE" "")
  if(NOT TARGET ${target})
    message(FATAL_ERROR "tg_precompile(${target}): there is no such target")
  endif()
  if(arg_UNPARSED_ARGUMENTS OR (arg_HEADER AND arg_REUSE))
    message(FATAL_ERROR "tg_precompile(${target}): HEADER or REUSE, not both; not known: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  if(arg_REUSE)
    target_precompile_headers(${target} REUSE_FROM ${arg_REUSE})
    return()
  endif()
  if(NOT arg_HEADER)
    set(arg_HEADER tg/tg.hpp)
  endif()
  target_precompile_headers(${target} PRIVATE <${arg_HEADER}>)
  # What ccache asks for: a header whose time is not part of it, and preprocessed sources that name it.
  target_compile_options(${target} PRIVATE
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>" $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endfunction()
