// What is said of copies past the end and of sizes that no memory has.
#pragma once

#include <tg/runtime/buffer.hpp>

#include <tg/base/config.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION void fail_range(const char* what, std::size_t first, std::size_t count, std::size_t size,
                                    source_location where) {
  throw error(copy_range,
              std::string(what) + " of " + std::to_string(count) + " elements from element " + std::to_string(first) +
                  " on; the buffer has " + std::to_string(size),
              "copy fewer elements, or make the buffer larger", where);
}

TG_LIBRARY_FUNCTION void require_same_driver(const context& to, const context& from, source_location where) {
  if (&to.api() != &from.api()) [[unlikely]]
    throw error(foreign_buffer, "copy between buffers of '" + from.label() + "' and " + to.label_beside(from),
                "copy through the host", where);
}

TG_LIBRARY_FUNCTION void require_size(std::size_t size, std::size_t element_bytes) {
  if (size > static_cast<std::size_t>(PTRDIFF_MAX) / element_bytes)
    throw error(size_overflow,
                std::to_string(size) + " elements of " + std::to_string(element_bytes) + " bytes are more than any memory has",
                "check the size; was it computed from a negative number?");
}

}  // namespace tg::runtime
