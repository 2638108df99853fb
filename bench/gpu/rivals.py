#!/usr/bin/env python3
"""PyTorch (cuBLAS, cuDNN, its compiler, which writes Triton) and CuPy at the work of bench/gpu.cpp, on the same GPU.

    bench/gpu/rivals.py GPU.json OUT.json

GPU.json is what bench/gpu.cpp wrote: each row there that a rival can do becomes a row with the rival's time. A time is the
median of batches between two events, as there. Rivals that are not installed are left out, with a line.
"""

import json
import statistics
import sys

import torch
import torch.nn.functional as F

DEVICE = "cuda"


def milliseconds(work, rounds=9, batch_ms=6.0):
    """The median time of one call, in batches long enough that the host runs ahead of the GPU."""
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)

    def batch(count):
        start.record()
        for _ in range(count):
            work()
        end.record()
        end.synchronize()
        return start.elapsed_time(end) / count

    batch(2)
    guess = batch(3)
    count = int(min(200, max(2, batch_ms / guess + 1)))
    return statistics.median(batch(count) for _ in range(rounds))


def uniform(*shape, dtype=torch.float32):
    return (torch.rand(*shape, device=DEVICE, dtype=torch.float32) * 2 - 1).to(dtype)


def compiled(function):
    return torch.compile(function, dynamic=False)


def moves(rows=16384, columns=4096):
    n = 1 << 26
    x, y = uniform(n), uniform(n)
    yield ("saxpy", "saxpy4"), "PyTorch", lambda: torch.add(y, x, alpha=0.5, out=y)
    yield ("sum", "sum of everything"), "PyTorch", lambda: torch.sum(x)
    a, z, out = uniform(rows, columns), uniform(rows, columns), torch.empty(rows, columns, device=DEVICE)
    turned = torch.empty(columns, rows, device=DEVICE)
    yield ("transpose",), "PyTorch", lambda: turned.copy_(a.t())
    yield ("softmax", "softmax online", "softmax tiles", "array softmax"), "PyTorch", lambda: torch.softmax(a, 1)
    w, b = uniform(columns), uniform(columns)
    yield ("array LayerNorm",), "PyTorch", lambda: F.layer_norm(a, (columns,), w, b)
    yield ("x * a + z",), "PyTorch", lambda: torch.add(z, a, alpha=0.5, out=out)
    yield ("relu(x * w + b)",), "PyTorch eager", lambda: torch.relu(a * w + b)
    relu = compiled(lambda: torch.relu(a * w + b))
    yield ("relu(x * w + b)",), "torch.compile", relu
    gelu = compiled(lambda: F.gelu(a * w + b) + z)
    yield ("gelu(x * w + b) + z",), "torch.compile", gelu
    yield ("sum of rows",), "PyTorch", lambda: torch.sum(a, 1)
    yield ("sum of columns",), "PyTorch", lambda: torch.sum(a, 0)
    yield ("mean and variance of rows",), "PyTorch", lambda: torch.var_mean(a, 1)


def halves(rows=16384, columns=4096):
    half = torch.bfloat16
    a, r, w, b = uniform(rows, columns, dtype=half), uniform(rows, columns, dtype=half), uniform(columns, dtype=half), uniform(columns, dtype=half)
    yield ("softmax bf16",), "PyTorch", lambda: torch.softmax(a, 1)
    yield ("layer norm bf16",), "PyTorch", lambda: F.layer_norm(a, (columns,), w, b)

    def residual():
        s = a + r
        return s, F.rms_norm(s, (columns,), w)

    yield ("residual RMS norm bf16",), "torch.compile", compiled(residual)
    logits = uniform(8192, 32000, dtype=half)
    targets = torch.full((8192,), 77, device=DEVICE)
    yield ("cross-entropy bf16",), "PyTorch", lambda: F.cross_entropy(logits, targets, reduction="none")
    yield ("cross-entropy bf16",), "torch.compile", compiled(lambda: F.cross_entropy(logits, targets, reduction="none"))


def optimisers():
    n = 1 << 26
    w, m, v, g = uniform(n), uniform(n), uniform(n).abs(), uniform(n)

    def adam():
        m.mul_(0.9).add_(g, alpha=0.1)
        v.mul_(0.999).addcmul_(g, g, value=0.001)
        w.sub_(m * 10 / ((v * 1000).sqrt() + 1e-8) * 1e-4)

    yield ("Adam",), "torch.compile", compiled(adam)
    weights = torch.nn.Parameter(uniform(n))
    weights.grad = uniform(n)
    fused = torch.optim.Adam([weights], fused=True)
    yield ("Adam",), "PyTorch's fused Adam", fused.step
    spot, strike = uniform(n) * 20 + 100, uniform(n) * 20 + 100

    def option():
        normal = lambda t: 0.5 * (1 + torch.erf(t * 0.70710678))
        d = (torch.log(spot / strike) + 0.06) / 0.4
        return spot * normal(d) - strike * 0.98 * normal(d - 0.4)

    yield ("Black-Scholes",), "torch.compile", compiled(option)
    out = torch.empty(n, device=DEVICE)
    yield ("normal random numbers",), "PyTorch", lambda: out.normal_()


def products():
    for side in (4096, 8192):
        a, b = uniform(side, side, dtype=torch.bfloat16), uniform(side, side, dtype=torch.bfloat16)
        names = tuple(f"gemm bf16 {how} {side}"
                      for how in ("sm_80", "sm_80 band 8", "sm_90a", "sm_90a band 8", "sm_90a 128 x 256"))
        yield names, "cuBLAS", lambda a=a, b=b: torch.mm(a, b)
        if hasattr(torch, "_scaled_mm"):
            qa, qb = a.to(torch.float8_e4m3fn), b.to(torch.float8_e4m3fn).t()
            one = torch.tensor(1.0, device=DEVICE)
            yield tuple(f"gemm f8 sm_90a {how} {side}" for how in ("band 8", "128 x 256")), "cuBLAS", lambda qa=qa, qb=qb: torch._scaled_mm(
                qa, qb, scale_a=one, scale_b=one, out_dtype=torch.bfloat16)
    torch.backends.cuda.matmul.allow_tf32 = False
    x, y = uniform(4096, 4096), uniform(4096, 4096)
    yield ("gemm float 4096", "sgemm 128 x 128 4096", "sgemm 128 x 256 4096"), "cuBLAS", lambda: torch.mm(x, y)
    n, k = 8192, 8192
    weights = uniform(n, k, dtype=torch.bfloat16)
    for m in (16, 64, 4096):
        tokens = uniform(m, k, dtype=torch.bfloat16)
        ways = ("", " sm_90a", " in 4 parts", " in 8 parts")
        yield tuple(f"W4A16 of {m} tokens{way}" for way in ways), "cuBLAS with bf16 weights", lambda tokens=tokens: torch.mm(tokens, weights.t())


def attention():
    for size, causal in ((128, True), (128, False), (64, True)):
        heads = 2048 // size
        q, k, v = (uniform(4, heads, 4096, size, dtype=torch.bfloat16).requires_grad_(causal) for _ in range(3))
        name = f"attention {size}" + (" causal" if causal else "")
        names = tuple(f"{name} {arch}" for arch in ("sm_80", "sm_90a")) + ((f"{name} lanes",) if causal and size == 128 else ())
        from torch.nn.attention import SDPBackend, sdpa_kernel
        for backend, said in ((SDPBackend.FLASH_ATTENTION, "PyTorch's FlashAttention 2"), (SDPBackend.CUDNN_ATTENTION, "cuDNN")):
            def forward(q=q, k=k, v=v, backend=backend):
                with sdpa_kernel(backend), torch.no_grad():
                    return F.scaled_dot_product_attention(q, k, v, is_causal=causal)
            yield names, said, forward
            if causal:
                with sdpa_kernel(backend):
                    out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
                gradient = torch.randn_like(out)

                def backward(out=out, gradient=gradient, q=q, k=k, v=v):
                    torch.autograd.grad(out, (q, k, v), gradient, retain_graph=True)
                yield tuple(f"{name} backward {arch}" for arch in ("sm_80", "sm_90a")), said, backward


def cupy_tasks(rows=16384, columns=4096):
    import cupy

    a, z = cupy.random.rand(rows, columns, dtype=cupy.float32), cupy.random.rand(rows, columns, dtype=cupy.float32)
    w, b, out = cupy.random.rand(columns, dtype=cupy.float32), cupy.random.rand(columns, dtype=cupy.float32), cupy.empty_like(a)
    relu = cupy.ElementwiseKernel("float32 x, float32 w, float32 b", "float32 y", "y = fmaxf(x * w + b, 0)", "relu_rows")
    sum_up = cupy.ElementwiseKernel("float32 x, float32 z", "float32 y", "y = x * 0.5f + z", "scaled_sum")
    stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)

    def on_stream(work):
        def run():
            with stream:
                work()
        return run

    yield ("relu(x * w + b)",), "CuPy's ElementwiseKernel", on_stream(lambda: relu(a, w, b, out))
    yield ("x * a + z",), "CuPy's ElementwiseKernel", on_stream(lambda: sum_up(a, z, out))
    yield ("sum of columns",), "CuPy", on_stream(lambda: a.sum(axis=0))
    yield ("sum of rows",), "CuPy", on_stream(lambda: a.sum(axis=1))


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        ours = {row["name"]: row["ours"] for row in json.load(file)["rows"]}
    rows = []
    for tasks in (moves, halves, optimisers, products, attention, cupy_tasks):
        try:
            for names, said, work in tasks():
                wanted = [name for name in names if name in ours]
                if not wanted:
                    continue
                try:
                    time = milliseconds(work)
                except Exception as failure:  # a rival that cannot do it here has no row
                    print(f"{names[0]}: {said}: {failure}"[:300])
                    continue
                for name in wanted:
                    rows.append({"name": name, "ours": ours[name], "other": time, "other_name": said, "unit": "ms",
                                 "ratio": ours[name] / time, "better": "lower"})
                    print(f"{name:36} {ours[name]:9.4g} {time:9.4g} ms {ours[name] / time:7.3g}  other: {said}", flush=True)
        except Exception as failure:
            print(f"{tasks.__name__}: {failure}"[:300])
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        machine = f"{torch.cuda.get_device_name()}, PyTorch {torch.__version__}"
        json.dump({"bench": "gpu, rivals", "machine": machine, "rows": rows}, file, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
