// The emulated driver's capture of streams into graphs.
#pragma once

#include <tg/emulator/driver_table/event.hpp>

#include <thread>

namespace tg::emulator::entry {

using driver::capture_status;

inline void begin_capture(machine& m, stream_handle stream, capture_mode mode, graph_handle into,
                          std::span<const graph_node_handle> after) {
  static std::uint64_t last = 0;
  require(!is_default(stream), result::stream_capture_unsupported);
  entry::stream& s = *m.streams.at(stream);
  require(!s.capture, result::illegal_state);
  const context_handle owner = current(m);
  const auto made = into ? into : m.graphs.add(std::make_shared<graph>(graph{owner, {}, {}, false}));
  s.capture = m.captures.emplace_back(
      std::make_shared<capture>(capture{stream, mode, std::this_thread::get_id(), owner, made, ++last}));
  s.frontier.assign(after.begin(), after.end());
}

inline result cuStreamBeginCapture(stream_handle stream, capture_mode mode) {
  return guarded([&](machine& m) { begin_capture(m, stream, mode, nullptr, {}); });
}

/// The first version, which had the global mode only.
inline result cuStreamBeginCapture_v1(stream_handle stream) { return cuStreamBeginCapture(stream, capture_mode::global); }

inline result cuStreamBeginCaptureToGraph(stream_handle stream, graph_handle graph, const graph_node_handle* after,
                                          const driver::edge_data*, std::size_t count, capture_mode mode) {
  return guarded([&](machine& m) {
    require(after || count == 0);
    require_nodes(m, graph, {after, count});
    m.graphs.at(graph);
    begin_capture(m, stream, mode, graph, {after, count});
  });
}

inline result cuStreamEndCapture(stream_handle stream, graph_handle* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = nullptr;
    require(!is_default(stream), result::illegal_state);
    const std::shared_ptr<capture> c = m.streams.at(stream)->capture;
    require(c != nullptr, result::illegal_state);
    require(c->origin == stream, result::stream_capture_unmatched);
    require(c->mode == capture_mode::relaxed || c->thread == std::this_thread::get_id(), result::stream_capture_wrong_thread);
    const bool is_joined = leave(m, c);
    if (c->is_invalid || !is_joined) {
      remove_graph(m, c->made);
      throw refused{c->is_invalid ? result::stream_capture_invalidated : result::stream_capture_unjoined};
    }
    *out = c->made;
  });
}

inline result cuStreamIsCapturing(stream_handle stream, capture_status* status) {
  return guarded([&](machine& m) {
    require(status);
    require(!is_legacy(stream) || broken_by_legacy(m) == nullptr, result::stream_capture_implicit);  // breaks nothing
    const auto c = is_default(stream) ? nullptr : m.streams.at(stream)->capture;
    *status = !c ? capture_status::none : c->is_invalid ? capture_status::invalidated : capture_status::active;
  });
}

/// Version 3; what it points `after` to is good until the next call about the stream.
inline result cuStreamGetCaptureInfo_v3(stream_handle stream, capture_status* status, std::uint64_t* number,
                                        graph_handle* graph, const graph_node_handle** after, const driver::edge_data** edges,
                                        std::size_t* count) {
  const result r = cuStreamIsCapturing(stream, status);
  if (r != result::success || *status != capture_status::active) return r;
  return guarded([&](machine& m) {
    const entry::stream& s = *m.streams.at(stream);
    if (number) *number = s.capture->number;
    if (graph) *graph = s.capture->made;
    if (after) *after = s.frontier.data();
    if (edges) *edges = nullptr;
    if (count) *count = s.frontier.size();
  });
}
inline result cuStreamGetCaptureInfo_v2(stream_handle stream, capture_status* status, std::uint64_t* number,
                                        graph_handle* graph, const graph_node_handle** after, std::size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, number, graph, after, nullptr, count);
}
inline result cuStreamGetCaptureInfo(stream_handle stream, capture_status* status, std::uint64_t* number) {
  return cuStreamGetCaptureInfo_v3(stream, status, number, nullptr, nullptr, nullptr, nullptr);
}

inline result cuStreamUpdateCaptureDependencies(stream_handle stream, const graph_node_handle* nodes, std::size_t count,
                                                unsigned flags) {
  return guarded([&](machine& m) {
    require(flags <= 1 && (nodes || count == 0));
    const auto c = capture_of(m, stream);
    require(c != nullptr, result::illegal_state);
    require_nodes(m, c->made, {nodes, count});
    auto& frontier = m.streams.at(stream)->frontier;
    if (flags == static_cast<unsigned>(driver::capture_dependencies::set_capture_dependencies)) frontier.clear();
    for (std::size_t i = 0; i < count; ++i)
      if (std::ranges::find(frontier, nodes[i]) == frontier.end()) frontier.push_back(nodes[i]);
  });
}
inline result cuStreamUpdateCaptureDependencies_v2(stream_handle stream, const graph_node_handle* nodes,
                                                   const driver::edge_data*, std::size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies(stream, nodes, count, flags);
}

/// It concerns the thread alone, and what is known of the call before stays to be asked for.
inline result cuThreadExchangeStreamCaptureMode(capture_mode* mode) {
  if (mode == nullptr || *mode < capture_mode::global || *mode > capture_mode::relaxed) return result::invalid_value;
  std::swap(*mode, thread_mode);
  return result::success;
}

}  // namespace tg::emulator::entry
