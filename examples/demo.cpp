// demo [in.png [out.png]]: the edges of a photograph, by three kernels one after the other and by one that does it all.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include <examples/access_table.hpp>
#include <examples/picture.hpp>
#include <kernels/blur_sobel.hpp>
#include <kernels/reference/blur.hpp>
#include <kernels/reference/sobel.hpp>
#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/tg.hpp>

namespace {

namespace kernels = tg::kernels;
using bytes = tg::buffer<std::uint8_t>;
using floats = tg::buffer<float>;

constexpr int radius = 2;
constexpr float sigma = 1.0f;
constexpr double promised = 1e-5;  // of the fused kernel, before it rounds to bytes

/// One launch and what is to be said of it.
struct step {
  std::string what;
  const tg::runtime::compiled_kernel* made;
  tg::lowered_kernel lowered;
  tg::emulator::counters counted;  // on the emulator only
};

/// The filters on one device.
class darkroom {
 public:
  darkroom(tg::device device, const examples::picture& image)
      : gpu_(std::move(device)), width_(image.width), height_(image.height), picture_(gpu_.upload(image.rgb)) {
    const auto threads = kernels::rgb_cover(width_, height_);
    const auto blocks = kernels::blur_sobel_grid(width_, height_);
    along_rows = filter<float>("Gauss along rows", kernels::blur_horizontal<radius>, threads, picture_, sigma);
    blurred = filter<float>("Gauss along columns", kernels::blur_vertical<radius>, threads, along_rows, sigma);
    edges = filter<float>("edges as floats", kernels::sobel<float>, threads, blurred);
    edge_bytes = filter<std::uint8_t>("edges as bytes", kernels::sobel<std::uint8_t>, threads, blurred);
    fused = filter<float>("all in one, as floats", kernels::blur_sobel<radius, float>, blocks, picture_, sigma);
    fused_bytes =
        filter<std::uint8_t>("all in one, as bytes", kernels::blur_sobel<radius, std::uint8_t>, blocks, picture_, sigma);
  }

  floats along_rows, blurred, edges, fused;
  bytes edge_bytes, fused_bytes;
  std::vector<step> steps;

 private:
  template <class Sample, class K, class From, class... More>
  tg::buffer<Sample> filter(const char* what, const K& kernel, const tg::placement& where, const tg::buffer<From>& from,
                            More... more) {
    const std::size_t row = 3 * static_cast<std::size_t>(width_);
    auto to = gpu_.allocate<Sample>(from.size());
    steps.push_back({what, &gpu_.compile(kernel), tg::lower(kernel), {}});
    tg::emulator::count_launches(gpu_.is_emulated());
    gpu_.launch(kernel, where, tg::matrix(from, height_, row), tg::matrix(to, height_, row), width_, height_, more...);
    gpu_.synchronize();
    if (gpu_.is_emulated()) steps.back().counted = tg::emulator::counters_of_last_launch();
    return to;
  }

  tg::device gpu_;
  int width_;
  int height_;
  bytes picture_;
};

double largest_difference(const floats& got, const std::vector<double>& wanted) {
  double largest = 0;
  const auto host = got.to_host();
  for (std::size_t i = 0; i < host.size(); ++i) largest = std::max(largest, std::abs(host[i] - wanted[i]));
  return largest;
}

double largest_difference(const bytes& got, const std::vector<double>& wanted) {
  double largest = 0;
  const auto host = got.to_host();
  for (std::size_t i = 0; i < host.size(); ++i) largest = std::max(largest, std::abs(host[i] - 255 * std::min(wanted[i], 1.0)));
  return largest;
}

std::string of_white(double difference) {
  char text[40];
  std::snprintf(text, sizeof text, "%.1e of 1", difference);
  return text;
}

std::string of_255(double difference) {
  char text[60];
  std::snprintf(text, sizeof text, "%.3f of 255; rounding makes 0.5", difference);
  return text;
}

/// Returns: whether the fused kernel keeps its promise.
bool develop(const std::filesystem::path& in, const std::filesystem::path& out) {
  const auto image = examples::load_picture(in);
  tg::device gpu;
  std::printf("%s, %d x %d pixels, on '%s'\n", in.c_str(), image.width, image.height, gpu.name().c_str());
  const darkroom result(gpu, image);
  // A GPU has no counters to show: the emulator runs the same PTX and counts.
  const auto counted = gpu.is_emulated() ? result.steps : darkroom(tg::device("emulator"), image).steps;

  namespace host = kernels::reference;
  const auto along_rows = host::blur_horizontal(host::to_picture(image.rgb, image.width, image.height), radius, sigma);
  const auto blurred = host::blur_vertical(along_rows, radius, sigma);
  const auto edges = host::sobel(blurred).samples;
  const double fused_difference = largest_difference(result.fused, edges);
  const std::string differences[] = {of_white(largest_difference(result.along_rows, along_rows.samples)),
                                     of_white(largest_difference(result.blurred, blurred.samples)),
                                     of_white(largest_difference(result.edges, edges)),
                                     of_255(largest_difference(result.edge_bytes, edges)),
                                     of_white(fused_difference),
                                     of_255(largest_difference(result.fused_bytes, edges))};
  for (std::size_t i = 0; i < result.steps.size(); ++i) {
    const auto& made = *result.steps[i].made;
    std::printf("\n%s: %s\n", made.name.c_str(), result.steps[i].what.c_str());
    std::printf("  %td lines of PTX, traced, lowered and printed in %.0f us, loaded in %.0f us\n",
                std::count(made.ptx.begin(), made.ptx.end(), '\n'), made.make_us, made.load_us);
    examples::print_accesses(counted[i].lowered, counted[i].counted);
    std::printf("  largest difference to the host reference: %s\n", differences[i].c_str());
  }

  const auto unfused_bytes = result.edge_bytes.to_host();
  const auto fused_bytes = result.fused_bytes.to_host();
  const auto beside = std::filesystem::path(out).replace_filename(out.stem().string() + "_fused" + out.extension().string());
  examples::save_picture(out, {image.width, image.height, unfused_bytes});
  examples::save_picture(beside, {image.width, image.height, fused_bytes});
  std::ptrdiff_t unequal = 0;
  for (std::size_t i = 0; i < fused_bytes.size(); ++i) unequal += fused_bytes[i] != unfused_bytes[i];
  std::printf("\nwrote %s (three kernels) and %s (one kernel): %td of %zu bytes differ\n", out.c_str(), beside.c_str(), unequal,
              fused_bytes.size());
  if (fused_difference <= promised) return true;
  std::fprintf(stderr, "demo: the fused kernel is off by %g, %g is promised\n", fused_difference, promised);
  return false;
}

}  // namespace

int main(int count, char** arguments) try {
  const std::filesystem::path in = count > 1 ? arguments[1] : "examples/pictures/chelsea.png";
  const std::filesystem::path out = count > 2 ? arguments[2] : "demo.png";
  return develop(in, out) ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "demo: %s\n", error.what());
  return 1;
}
