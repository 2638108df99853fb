// Files of NumPy. Source: NumPy reference, numpy.lib.format: six bytes of magic, the version, the length of the header, and the
// header, a literal of Python that differs from JSON in its brackets and quotes.
#pragma once

#include <tg/array/npy.hpp>

#include <fstream>
#include <ios>

#include <nlohmann/json.hpp>

#include <tg/base/config.hpp>

namespace tg::detail {

/// {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } as JSON.
inline nlohmann::json parse_npy_header(const std::string& header) {
  std::string text;
  for (std::size_t k = 0; k < header.size(); ++k) {
    if (header.compare(k, 5, "False") == 0) text += "false", k += 4;
    else if (header.compare(k, 4, "True") == 0) text += "true", k += 3;
    else if (header[k] == '\'') text += '"';
    else if (header[k] == '(') text += '[';
    else if (header[k] == ')' || header[k] == '}') {
      // Python allows a comma behind the last.
      while (!text.empty() && (text.back() == ' ' || text.back() == ',')) text.pop_back();
      text += header[k] == ')' ? ']' : '}';
    } else {
      text += header[k];
    }
  }
  return nlohmann::json::parse(text, nullptr, false);
}

TG_LIBRARY_FUNCTION npy_file read_npy(const std::string& path, const std::string& typestr, int rank, source_location where) {
  const auto refuse = [&](const std::string& fact, const char* fix) { refuse_foreign("'" + path + "' " + fact, fix, where); };
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  if (!file) refuse("cannot be read", "check the path");
  const auto size = static_cast<std::uint64_t>(file.tellg());
  file.seekg(0);
  unsigned char start[12] = {};
  file.read(reinterpret_cast<char*>(start), 10);
  const char* const none = "numpy.save writes such files";
  if (!file || std::string(reinterpret_cast<char*>(start), 6) != "\x93NUMPY") refuse("is no .npy file", none);
  const bool is_long = start[6] >= 2;
  if (is_long) file.read(reinterpret_cast<char*>(start) + 10, 2);
  std::uint64_t length = start[8] | std::uint64_t{start[9]} << 8;
  if (is_long) length |= std::uint64_t{start[10]} << 16 | std::uint64_t{start[11]} << 24;
  const std::uint64_t begin = (is_long ? 12 : 10) + length;
  if (!file || begin > size) refuse("ends inside its header", "write it again");
  std::string header(length, '\0');
  file.read(header.data(), static_cast<std::streamsize>(length));
  const nlohmann::json found = parse_npy_header(header);
  const bool is_header = found.is_object() && found.contains("descr") && found.contains("fortran_order") &&
                         found.contains("shape") && found["fortran_order"].is_boolean() && found["shape"].is_array();
  if (!is_header) refuse("has a header that is none: " + header, none);
  if (!found["descr"].is_string() || found["descr"] != typestr)
    refuse("holds elements of type " + found["descr"].dump() + ", not '" + typestr + "'",
           "name the type of its elements; big-endian numbers and structs are converted by NumPy: x.astype('<f4')");
  npy_file out;
  out.is_column_major = found["fortran_order"];
  for (const auto& extent : found["shape"]) {
    if (!extent.is_number_unsigned() || extent > std::uint64_t{1} << 62) refuse("has no shape: " + header, none);
    out.shape.push_back(extent);
  }
  if (out.shape.size() != static_cast<std::size_t>(rank))
    refuse("holds an array of rank " + std::to_string(out.shape.size()) + ", not " + std::to_string(rank), "name its rank");
  const int element_bytes = std::stoi(typestr.substr(2));
  const auto bytes = static_cast<std::uint64_t>(checked_count(out.shape.data(), rank, element_bytes, where)) *
                     static_cast<std::uint64_t>(element_bytes);
  if (size - begin < bytes)
    refuse("has " + std::to_string(size - begin) + " bytes of elements, not " + std::to_string(bytes), "write it again");
  out.bytes.resize(bytes);
  file.read(reinterpret_cast<char*>(out.bytes.data()), static_cast<std::streamsize>(bytes));
  if (!file) refuse("cannot be read to its end", "check the file system");
  return out;
}

TG_LIBRARY_FUNCTION void write_npy(const std::string& path, const std::string& typestr, const std::int64_t* extents, int rank,
                                   const void* elements, std::size_t bytes, source_location where) {
  std::string header = "{'descr': '" + typestr + "', 'fortran_order': False, 'shape': " + shape_text(extents, rank) + ", }";
  constexpr std::size_t begin = 10, piece = 64;  // elements begin at a multiple of 64 bytes
  header.append(piece - (begin + header.size() + 1) % piece, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file.write("\x93NUMPY\x01\x00", 8);
  file.put(static_cast<char>(header.size() & 0xff)).put(static_cast<char>(header.size() >> 8));
  file << header;
  file.write(static_cast<const char*>(elements), static_cast<std::streamsize>(bytes));
  file.close();
  if (!file) refuse_foreign("'" + path + "' cannot be written", "check the folder and the space on the disk", where);
}

}  // namespace tg::detail
