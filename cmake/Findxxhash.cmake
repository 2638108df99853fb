# xxhash::xxhash, the header of xxHash (Debian: libxxhash-dev); its code is compiled from there.
find_path(xxhash_INCLUDE_DIR xxhash.h)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(xxhash REQUIRED_VARS xxhash_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "xxhash.h is missing, Debian's package is libxxhash-dev")
if(xxhash_FOUND AND NOT TARGET xxhash::xxhash)
  add_library(xxhash::xxhash INTERFACE IMPORTED GLOBAL)
  target_include_directories(xxhash::xxhash INTERFACE ${xxhash_INCLUDE_DIR})
endif()
mark_as_advanced(xxhash_INCLUDE_DIR)
