inline constexpr auto twice_kernel =
    tg::kernel<"twice">(tg::block<256>, [](auto block, tg::inout<float> x, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { x(i) = x(i) + x(i); });
    });

std::vector<float> twice(const std::vector<float>& numbers) {
  tg::device gpu;
  auto x = gpu.upload(numbers);
  const auto n = static_cast<unsigned>(numbers.size());
  gpu.launch(twice_kernel, tg::cover(n), x, n);
  return x.to_host();
}
