"""Functions of deep learning as readable NumPy, to compare kernels with: `spec = "volta_pipe.spec:softmax"` in a contract.

Each is an ordinary function: it takes arrays by keyword, returns one array, and runs on plain NumPy arrays as on the symbolic
ones that a proof is made of. Floats narrower than float32 are taken as float32, so that a literal (an eps) is not rounded to a
format that no kernel computes in. What is not imported here cannot be named by a contract."""

from volta_pipe.spec.pointwise import erf, gelu, relu, silu
from volta_pipe.spec.products import attention, conv2d, matmul, rope
from volta_pipe.spec.rows import cross_entropy, layer_norm, log_softmax, rms_norm, softmax

__all__ = [
    "attention",
    "conv2d",
    "cross_entropy",
    "erf",
    "gelu",
    "layer_norm",
    "log_softmax",
    "matmul",
    "relu",
    "rms_norm",
    "rope",
    "silu",
    "softmax",
]
