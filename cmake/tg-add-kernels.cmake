# tg_add_kernels(target HEADER header KERNELS kernel... [LIBRARIES library...] [MACHINE_CODE])
#
# A library that brings kernels along: `#include <target.hpp>` declares each as target::kernel, launched like the kernel
# it was made from, whose C++ is compiled once, here. Each KERNELS is the name of a kernel that the header declares; its
# namespace is dropped. LIBRARIES are what the header needs beside tg. With MACHINE_CODE the driver of the building machine
# compiles the kernels too, for the device that TG_DEVICE says; other devices compile the PTX.
function(tg_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "MACHINE_CODE" "HEADER" "KERNELS;LIBRARIES")
  if(NOT target MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "tg_add_kernels(${target}): the target's name becomes a C++ namespace")
  endif()
  if(NOT arg_HEADER OR NOT arg_KERNELS OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tg_add_kernels(${target}): HEADER and KERNELS are needed; not known: '${arg_UNPARSED_ARGUMENTS}'")
  endif()
  get_filename_component(header ${arg_HEADER} ABSOLUTE)
  if(NOT EXISTS ${header})  # one that LIBRARIES bring
    set(header ${arg_HEADER})
  endif()
  set(device "")
  if(arg_MACHINE_CODE)
    set(device ", gpu")
  endif()
  set(list "")
  foreach(kernel IN LISTS arg_KERNELS)
    string(REGEX REPLACE "^.*::" "" identifier ${kernel})
    string(APPEND list "      {\"${identifier}\", tg::package_of(::${kernel}${device})},\n")
  endforeach()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${target})
  set(machine "")
  if(arg_MACHINE_CODE)
    set(machine "  tg::device gpu;\n")
  endif()
  file(CONFIGURE OUTPUT ${folder}/exporter.cpp CONTENT [=[
#include <cstdio>
#include <exception>

#include <tg/tg.hpp>
#include <tg/runtime/embed.hpp>

#include <@header@>

int main(int, char** arguments) try {
@machine@  tg::embed(arguments[1], "@target@", {
@list@  });
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
]=] @ONLY)
  add_executable(${target}_exporter ${folder}/exporter.cpp)
  target_link_libraries(${target}_exporter PRIVATE tg::tg ${arg_LIBRARIES})
  add_custom_command(OUTPUT ${folder}/${target}.hpp ${folder}/${target}.cpp
    COMMAND ${target}_exporter ${folder} DEPENDS ${target}_exporter COMMENT "Make the kernels of ${target}" VERBATIM)
  add_library(${target} STATIC ${folder}/${target}.cpp ${folder}/${target}.hpp)
  target_include_directories(${target} PUBLIC ${folder})
  target_link_libraries(${target} PUBLIC tg::tg)
endfunction()
