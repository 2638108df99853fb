"""tinygrad's operations on the emulated libcuda, compared with numpy: each with the renderer that writes CUDA C++ for NVRTC and
with the one that writes PTX. tinygrad's package has no tests of its own; this is what its test_ops.py is about.

    python tinygrad_client.py [CUDA] [PTX]
"""
import os
import subprocess
import sys

RENDERERS = {"CUDA": "CUDA", "PTX": "CUDA:PTX"}
KNOWN = {("PTX", "double"): "tinygrad writes sqrt.approx.f64, which PTX does not have"}


def cases():
    """Name, operation, reference, the shapes of the arguments of both, tolerance."""
    import numpy as np
    from tinygrad import Tensor, dtypes
    erf = np.vectorize(__import__("math").erf)
    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    softmax = lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True)
    usual = 1e-4
    for name, op, of, *limit in [
        ("neg", lambda x: -x, lambda x: -x), ("abs", lambda x: x.abs(), np.abs), ("exp", lambda x: x.exp(), np.exp),
        ("exp2", lambda x: x.exp2(), np.exp2), ("log", lambda x: (x.abs() + 1).log(), lambda x: np.log(np.abs(x) + 1)),
        ("log2", lambda x: (x.abs() + 1).log2(), lambda x: np.log2(np.abs(x) + 1)), ("sin", lambda x: x.sin(), np.sin),
        ("cos", lambda x: x.cos(), np.cos),
        ("tan", lambda x: x.clip(-1.4, 1.4).tan(), lambda x: np.tan(np.clip(x, -1.4, 1.4))),
        ("large sin", lambda x: (x * 1000).sin(), lambda x: np.sin(x * np.float32(1000))),
        ("sqrt", lambda x: x.abs().sqrt(), lambda x: np.sqrt(np.abs(x))),
        ("rsqrt", lambda x: (x.abs() + 1).rsqrt(), lambda x: 1 / np.sqrt(np.abs(x) + 1)),
        ("reciprocal", lambda x: (x.abs() + 1).reciprocal(), lambda x: 1 / (np.abs(x) + 1)),
        ("tanh", lambda x: x.tanh(), np.tanh), ("sinh", lambda x: x.sinh(), np.sinh), ("cosh", lambda x: x.cosh(), np.cosh),
        ("asin", lambda x: x.clip(-0.9, 0.9).asin(), lambda x: np.arcsin(np.clip(x, -0.9, 0.9))),
        ("acos", lambda x: x.clip(-0.9, 0.9).acos(), lambda x: np.arccos(np.clip(x, -0.9, 0.9))),
        ("atan", lambda x: x.atan(), np.arctan), ("erf", lambda x: x.erf(), erf),
        ("sigmoid", lambda x: x.sigmoid(), sigmoid), ("relu", lambda x: x.relu(), lambda x: np.maximum(x, 0)),
        ("leaky relu", lambda x: x.leaky_relu(0.1), lambda x: np.where(x > 0, x, x * np.float32(0.1))),
        ("elu", lambda x: x.elu(), lambda x: np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)),
        ("silu", lambda x: x.silu(), lambda x: x * sigmoid(x)),
        ("softplus", lambda x: x.softplus(), lambda x: np.log1p(np.exp(x))),
        ("gelu", lambda x: x.gelu(), lambda x: 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x ** 3)))),
        ("hardswish", lambda x: x.hardswish(), lambda x: x * np.clip(x + 3, 0, 6) / 6),
        ("mish", lambda x: x.mish(), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
        ("floor", lambda x: x.floor(), np.floor), ("ceil", lambda x: x.ceil(), np.ceil), ("trunc", lambda x: x.trunc(), np.trunc),
        ("round", lambda x: x.round(), np.round), ("sign", lambda x: x.sign(), np.sign),
        ("square", lambda x: x.square(), np.square),
        ("clip", lambda x: x.clip(-1, 1), lambda x: np.clip(x, -1, 1)), ("pow 3", lambda x: x ** 3, lambda x: x ** 3),
        ("pow 0.5", lambda x: x.abs() ** 0.5, lambda x: np.abs(x) ** 0.5),
        ("2 ** x", lambda x: 2 ** x, lambda x: np.float32(2) ** x),
        ("isnan", lambda x: (x.log()).isnan(), lambda x: x < 0),
        ("sum", lambda x: x.sum(), np.sum), ("sum of rows", lambda x: x.sum(1), lambda x: x.sum(1)),
        ("sum of columns", lambda x: x.sum(0), lambda x: x.sum(0)), ("mean", lambda x: x.mean(1), lambda x: x.mean(1)),
        ("max", lambda x: x.max(), np.max), ("max of rows", lambda x: x.max(1), lambda x: x.max(1)),
        ("min", lambda x: x.min(0), lambda x: x.min(0)),
        ("argmax", lambda x: x.argmax(1), lambda x: x.argmax(1)), ("argmin", lambda x: x.argmin(0), lambda x: x.argmin(0)),
        ("var", lambda x: x.var(1), lambda x: x.var(1, ddof=1)), ("std", lambda x: x.std(0), lambda x: x.std(0, ddof=1)),
        ("prod", lambda x: (x * 0.1 + 1).prod(1), lambda x: (x * np.float32(0.1) + 1).prod(1)),
        ("any", lambda x: (x > 2).any(1), lambda x: (x > 2).any(1)),
        ("all", lambda x: (x > -2).all(1), lambda x: (x > -2).all(1)),
        ("softmax", lambda x: x.softmax(), softmax), ("log softmax", lambda x: x.log_softmax(), lambda x: np.log(softmax(x))),
        ("logsumexp", lambda x: x.logsumexp(1), lambda x: np.log(np.exp(x).sum(1))),
        ("layer norm", lambda x: x.layernorm(),
         lambda x: (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)),
        ("cumsum", lambda x: x.cumsum(1), lambda x: x.cumsum(1)),
        ("cummax", lambda x: x.cummax(0)[0], lambda x: np.maximum.accumulate(x, 0)),
        ("sort", lambda x: x.sort(1)[0], lambda x: np.sort(x, 1)),
        ("topk", lambda x: x.topk(5, 1)[0], lambda x: -np.sort(-x, 1)[:, :5]),
        ("transpose", lambda x: x.transpose().contiguous(), lambda x: x.T),
        ("flip", lambda x: x.flip(1).contiguous(), lambda x: x[:, ::-1]),
        ("reshape", lambda x: x.reshape(65, 45) + 1, lambda x: x.reshape(65, 45) + 1),
        ("slice", lambda x: x[3:40:2, ::-3].contiguous(), lambda x: x[3:40:2, ::-3]),
        ("pad", lambda x: x.pad(((1, 2), (3, 4))).contiguous(), lambda x: np.pad(x, ((1, 2), (3, 4)))),
        ("roll", lambda x: x.roll(7, 1).contiguous(), lambda x: np.roll(x, 7, 1)),
        ("repeat", lambda x: x.repeat((2, 3)).contiguous(), lambda x: np.tile(x, (2, 3))),
        ("triu", lambda x: x.triu(2), lambda x: np.triu(x, 2)), ("tril", lambda x: x.tril(-1), lambda x: np.tril(x, -1)),
        ("gather", lambda x: x[Tensor([3, 1, 44])].contiguous(), lambda x: x[[3, 1, 44]]),
        ("half", lambda x: (x.half() * 2).float(), lambda x: (x.astype(np.float16) * np.float16(2)).astype(np.float32)),
        ("half sum", lambda x: x.half().sum(1).float(), lambda x: x.astype(np.float16).astype(np.float32).sum(1), 2e-2),
        ("bfloat16", lambda x: x.cast(dtypes.bfloat16).float(), lambda x: x, 1e-2),
        ("double", lambda x: (x.double() * 3).sqrt().isnan(), lambda x: x < 0),
        ("int", lambda x: (x * 100).int() // 7, lambda x: (x * np.float32(100)).astype(np.int32) // 7),
        ("int mod", lambda x: (x * 100).int() % 7, lambda x: (x * np.float32(100)).astype(np.int32) % 7),
        ("shifts", lambda x: ((x.abs() * 100).int() << 3) >> 1,
         lambda x: ((np.abs(x) * np.float32(100)).astype(np.int32) << 3) >> 1),
        ("bits", lambda x: ((x * 100).int() & 12) | ((x * 100).int() ^ 5),
         lambda x: ((x * np.float32(100)).astype(np.int32) & 12) | ((x * np.float32(100)).astype(np.int32) ^ 5)),
        ("int8", lambda x: (x * 20).cast(dtypes.int8).int() * 3,
         lambda x: (x * np.float32(20)).astype(np.int8).astype(np.int32) * 3),
        ("uint8", lambda x: (x.abs() * 20).cast(dtypes.uint8).int(),
         lambda x: (np.abs(x) * np.float32(20)).astype(np.uint8).astype(np.int32)),
        ("int64", lambda x: (x * 1e6).cast(dtypes.int64) * 1000003, lambda x: (x * np.float32(1e6)).astype(np.int64) * 1000003),
        ("one hot", lambda x: x.argmax(1).one_hot(65), lambda x: np.eye(65, dtype=np.int32)[x.argmax(1)]),
        ("avg pool", lambda x: x.reshape(1, 1, 45, 65).avg_pool2d((3, 3)),
         lambda x: x[:45, :63].reshape(15, 3, 21, 3).mean((1, 3)).reshape(1, 1, 15, 21)),
        ("max pool", lambda x: x.reshape(1, 1, 45, 65).max_pool2d((3, 3)),
         lambda x: x[:45, :63].reshape(15, 3, 21, 3).max((1, 3)).reshape(1, 1, 15, 21)),
        ("gradient of tanh", lambda x: gradient(x, lambda t: t.tanh().sum()), lambda x: 1 - np.tanh(x) ** 2),
        ("gradient of softmax", lambda x: gradient(x, lambda t: (t.softmax() ** 2).sum()),
         lambda x: softmax_gradient(softmax(x))),
    ]:
        yield name, op, of, [(45, 65)], limit[0] if limit else usual
    for name, op, of in [
        ("add", lambda x, y: x + y, lambda x, y: x + y), ("sub", lambda x, y: x - y, lambda x, y: x - y),
        ("mul", lambda x, y: x * y, lambda x, y: x * y),
        ("div", lambda x, y: x / (y.abs() + 1), lambda x, y: x / (np.abs(y) + 1)),
        ("maximum", lambda x, y: x.maximum(y), np.maximum),
        ("minimum", lambda x, y: x.minimum(y), np.minimum), ("less", lambda x, y: x < y, lambda x, y: x < y),
        ("equal", lambda x, y: x.round() == y.round(), lambda x, y: np.round(x) == np.round(y)),
        ("where", lambda x, y: (x > 0).where(x, y), lambda x, y: np.where(x > 0, x, y)),
        ("pow", lambda x, y: x.abs() ** y, lambda x, y: np.abs(x) ** y),
        ("cat", lambda x, y: x.cat(y, dim=1).contiguous(), lambda x, y: np.concatenate([x, y], 1)),
        ("stack", lambda x, y: x.stack(y).contiguous(), lambda x, y: np.stack([x, y])),
        ("lerp", lambda x, y: x.lerp(y, 0.3), lambda x, y: x + (y - x) * np.float32(0.3)),
        ("dot of rows", lambda x, y: (x * y).sum(1), lambda x, y: (x * y).sum(1)),
        ("cross entropy", lambda x, y: -(x.log_softmax() * y.softmax()).sum(1).mean(),
         lambda x, y: -(np.log(softmax(x)) * softmax(y)).sum(1).mean()),
        ("xor of signs", lambda x, y: (x > 0) ^ (y > 0), lambda x, y: (x > 0) ^ (y > 0)),
    ]:
        yield name, op, of, [(45, 65), (45, 65)], usual
    matmul = lambda x, y: x @ y
    for shapes in ([(64, 64), (64, 64)], [(33, 17), (17, 9)], [(1, 65), (65, 1)], [(8, 16, 32), (8, 32, 24)], [(65,), (65, 45)]):
        yield "matmul " + " by ".join(map(str, shapes)), matmul, matmul, shapes, usual
    yield ("half matmul", lambda x, y: (x.half() @ y.half()).float(),
     lambda x, y: (x.astype(np.float16).astype(np.float32) @ y.astype(np.float16).astype(np.float32)), [(64, 64), (64, 64)], 2e-2)
    yield "broadcast", lambda x, y: x + y, lambda x, y: x + y, [(4, 1, 65), (45, 1)], usual
    yield ("einsum", lambda x, y: Tensor.einsum("ij,kj->ki", x, y),
           lambda x, y: np.einsum("ij,kj->ki", x, y), [(20, 30), (25, 30)], usual)

    def convolution(x, w):
        out = np.zeros((x.shape[0], w.shape[0], x.shape[2] - w.shape[2] + 1, x.shape[3] - w.shape[3] + 1), np.float32)
        for i in range(w.shape[2]):
            for j in range(w.shape[3]):
                out += np.einsum("nchw,oc->nohw", x[:, :, i:i + out.shape[2], j:j + out.shape[3]], w[:, :, i, j])
        return out
    yield "conv2d", lambda x, w: x.conv2d(w), convolution, [(2, 4, 11, 13), (6, 4, 3, 3)], usual
    yield ("padded conv2d", lambda x, w: x.conv2d(w, padding=1),
     lambda x, w: convolution(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), w), [(1, 3, 9, 9), (5, 3, 3, 3)], usual)

    def attention(q, k, v):
        return softmax(q @ k.swapaxes(-1, -2) / np.sqrt(np.float32(q.shape[-1]))) @ v
    yield ("attention", lambda q, k, v: q.scaled_dot_product_attention(k, v), attention, [(2, 4, 16, 8)] * 3, usual)


def gradient(x, of):
    t = x.detach()
    t.requires_grad = True
    return of(t).gradient(t)[0]


def softmax_gradient(s):
    return 2 * s * (s - (s * s).sum(-1, keepdims=True))


def run_here(renderer: str) -> int:
    import numpy as np
    from tinygrad import Tensor
    random = np.random.default_rng(7)
    passed, failed, known = 0, 0, 0
    for name, op, of, shapes, limit in cases():
        arrays = [random.normal(size=s).astype(np.float32) for s in shapes]
        try:
            got = op(*[Tensor(a) for a in arrays]).numpy()
            with np.errstate(all="ignore"):
                wanted = of(*arrays)
            np.testing.assert_allclose(np.asarray(got, np.float64), np.asarray(wanted, np.float64), rtol=limit, atol=limit)
            passed += 1
            if (renderer, name) in KNOWN:
                print(f"NOT FAILING: {renderer}: {name}: take it out of the list of known failures", flush=True)
                failed += 1
        except Exception as why:
            if (renderer, name) in KNOWN:
                known += 1
                continue
            failed += 1
            print(f"FAILED: {renderer}: {name}: {type(why).__name__}: {(str(why).strip().splitlines() or [''])[0][:200]}", flush=True)
    print(f"tinygrad, {renderer} renderer: {passed} passed, {failed + known} failed ({known} known)", flush=True)
    return 1 if failed or passed == 0 else 0


def main() -> int:
    if sys.argv[1:2] == ["--here"]:
        return run_here(sys.argv[2])
    status = 0
    for renderer in sys.argv[1:] or RENDERERS:
        run = [sys.executable, __file__, "--here", renderer]
        status |= subprocess.run(run, env=dict(os.environ, DEV=RENDERERS[renderer], CACHELEVEL="0")).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
