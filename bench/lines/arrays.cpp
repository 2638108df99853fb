// Lines of work in arrays: an expression stands between its name and `keep`. CuPy's and PyTorch's texts for the same are beside
// this one; bench/lines.py counts lines and launches and compares what each gives.
#include <cmath>
#include <cstdio>
#include <string>

#include <tg/array.hpp>
#include <tg/array/matmul.hpp>
#include <tg/array/norms.hpp>
#include <tg/array/npy.hpp>
#include <tg/emulator.hpp>
#include <tg/runtime/telemetry.hpp>
#include <tg/tg.hpp>

namespace {

struct keeper {
  tg::device& gpu;
  std::string folder;
  unsigned long long launches;

  /// Writes results, and prints how many kernels were launched for them.
  template <class... Y> void operator()(const char* name, const Y&... results) {
    std::printf("%s\t%llu\n", name, static_cast<unsigned long long>(tg::telemetry_of(gpu).launches) - launches);
    int n = 0;
    (tg::save_npy(folder + "/" + name + "." + std::to_string(n++) + ".npy", results), ...);
    launches = tg::telemetry_of(gpu).launches;
  }
};

}  // namespace

/// Arguments: the folder of the inputs, and of the results.
int main(int, char** arguments) {
  tg::device gpu("emulator");
  const std::string in = arguments[1];
  const auto x = tg::load_npy<float, 2>(gpu, in + "/x.npy"), z = tg::load_npy<float, 2>(gpu, in + "/z.npy");
  const auto across = tg::load_npy<float, 2>(gpu, in + "/across.npy");
  const auto w = tg::load_npy<float, 1>(gpu, in + "/w.npy"), b = tg::load_npy<float, 1>(gpu, in + "/b.npy");
  const auto of_row = tg::load_npy<float, 1>(gpu, in + "/of_row.npy");
  const auto square = tg::load_npy<float, 2>(gpu, in + "/square.npy");
  tg::array<float, 2> weights = z, m = x * 0.1f, v = x * x;
  const float beta1 = 0.9f, beta2 = 0.999f, rate = 0.01f, fix1 = 10, fix2 = 1000;
  tg::array<float, 2> y(gpu, x.shape()), sum(gpu, x.shape()), next(gpu, {62, 46});
  tg::array<float, 1> of_rows(gpu, {64}), variances(gpu, {64}), of_columns(gpu, {48});
  tg::array<int, 1> places(gpu, {64});
  tg::array<float, 0> total(gpu, {});
  keeper keep{gpu, arguments[2], tg::telemetry_of(gpu).launches};

  // scaled_sum
  y = x * 0.5f + z;
  keep("scaled_sum", y);
  // relu
  y = tg::relu(x * w + b);
  keep("relu", y);
  // row_sums
  of_rows = tg::sum<1>(x);
  keep("row_sums", of_rows);
  // softmax
  y = tg::softmax<1>(x);
  keep("softmax", y);
  // layer_norm
  y = tg::layer_norm(x, w, b);
  keep("layer_norm", y);
  // column_sums
  of_columns = tg::sum<0>(x);
  keep("column_sums", of_columns);
  // transposed_sum
  y = tg::transpose(across) + z;
  keep("transposed_sum", y);
  // adam
  const auto m_new = m * beta1 + x * (1 - beta1);
  const auto v_new = v * beta2 + x * x * (1 - beta2);
  const auto moved = weights - m_new * fix1 / (tg::sqrt(v_new * fix2) + 1e-8f) * rate;
  tg::assign(tg::into(weights) = moved, tg::into(m) = m_new, tg::into(v) = v_new);
  keep("adam", weights, m, v);
  // exp
  y = tg::exp(x);
  keep("exp", y);
  // gelu
  y = tg::gelu_tanh(x);
  keep("gelu", y);
  // clamp
  y = tg::clamp(x, -1.0f, 1.0f);
  keep("clamp", y);
  // where
  y = tg::where(x > z, x, z);
  keep("where", y);
  // outer
  y = tg::expand<1>(of_row) * w;
  keep("outer", y);
  // total
  total = tg::sum(x);
  keep("total", total);
  // column_means
  of_columns = tg::mean<0>(x);
  keep("column_means", of_columns);
  // argmax
  places = tg::argmax<1>(x);
  keep("argmax", places);
  // log_softmax
  y = tg::log_softmax<1>(x);
  keep("log_softmax", y);
  // log_sum_exp
  of_rows = tg::logsumexp<1>(x);
  keep("log_sum_exp", of_rows);
  // normalised
  y = x / (tg::norm<1>(x, tg::keep) + 1e-6f);
  keep("normalised", y);
  // rms_norm_residual
  tg::assign(tg::into(y) = tg::rms_norm(x + z, w), tg::into(sum) = x + z);
  keep("rms_norm_residual", y, sum);
  // moments
  tg::assign(tg::into(of_rows) = tg::mean<1>(x), tg::into(variances) = tg::variance<1>(x));
  keep("moments", of_rows, variances);
  // masked_scores
  y = tg::softmax<1>(tg::where(tg::index_of<0>(x) >= tg::index_of<1>(x), x * 0.125f, -INFINITY));
  keep("masked_scores", y);
  // cross_entropy
  of_rows = tg::logsumexp<1>(x) - tg::sum<1>(x * z);
  keep("cross_entropy", of_rows);
  // its_gradient
  y = tg::softmax<1>(x) - z;
  keep("its_gradient", y);
  // jacobi
  const auto inside = [&](std::int64_t r, std::int64_t c) { return x(tg::range(1 + r, 63 + r), tg::range(1 + c, 47 + c)); };
  next = (inside(-1, 0) + inside(1, 0) + inside(0, -1) + inside(0, 1)) * 0.25f;
  keep("jacobi", next);
  // running_sum
  y = tg::cumsum<1>(x);
  keep("running_sum", y);
  // product
  y = tg::gelu_tanh(tg::matmul(x, square) + b);
  keep("product", y);
}
