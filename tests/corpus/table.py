"""What is compiled how: for each family its kernels, and for each kernel its makers (TOOL-ARCHITECTURE[-fast])."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

NVCC = (
    "nvcc-sm80",
    "nvcc-sm90a",
)
NVCC_FAST = (
    "nvcc-sm80",
    "nvcc-sm90a",
    "nvcc-sm80-fast",
    "nvcc-sm90a-fast",
)
NVRTC = (
    "nvcc-sm80",
    "nvcc-sm90a",
    "nvrtc-sm80",
)
ALL_CUDA = (
    "nvcc-sm80",
    "nvcc-sm90a",
    "nvcc-sm80-fast",
    "nvcc-sm90a-fast",
    "nvrtc-sm80",
)
TRITON = ("triton-sm80",)
NUMBA = ("numba-sm80",)
TILELANG = ("tilelang-sm80",)
NVCC_90 = ("nvcc-sm90a",)

TABLE: dict[str, dict[str, tuple[str, ...]]] = {
    "atomics": {
        "histogram_known": NVRTC,
        "histogram": NVCC,
        "scatter_add": NVCC,
        "add_double_half": NVCC,
        "integer_operations": NVRTC,
        "tickets": NVCC,
        "float_max_cas": NVCC,
        "float_max_bits": NVCC,
        "last_block": NVCC,
    },
    "attention": {
        "attention_naive": ALL_CUDA,
        "attention_online": NVCC_FAST,
        "attention_causal": NVCC_FAST,
        "attention_decode": NVCC_FAST,
        "flash_mma": NVCC_FAST,
    },
    "bits": {
        "count_reverse": NVRTC,
        "count_reverse_known": NVCC,
        "crc32": NVCC,
        "mul_wide": NVRTC,
        "add_int128": NVCC,
        "carry_chain": NVCC,
        "shifts_known": NVRTC,
        "byte_permute": NVCC,
        "byte_swap": NVCC,
        "divide_constants": NVRTC,
        "divide_constants_known": NVCC,
        "divide_any": NVCC,
        "lcg_monte_carlo": NVRTC,
        "xorshift": NVCC,
        "philox": NVCC,
        "hash_mix": NVCC,
        "morton_known": NVCC,
        "bit_fields": NVCC,
        "saturating": NVCC,
        "compare_select": NVCC,
        "gcd": NVCC,
        "narrow_widths": NVCC,
    },
    "control": {
        "diverged_entry": NVRTC,
        "uneven_loops": NVCC,
        "switch_table": NVRTC,
        "branch_index": NVCC,
        "device_function": NVRTC,
        "recursion": NVCC,
        "function_pointers": NVCC,
        "local_array": NVCC,
        "named_barriers": NVCC,
        "votes": NVCC,
        "active_mask": NVCC,
        "mbarrier_copy": NVCC,
        "mbarrier_tokens": NVCC,
        "bulk_expect": NVCC_90,
        "assert_print": NVCC,
        "exit_early": NVCC,
        "three_dimensions": NVCC,
        "generic_address": NVCC,
        "module_variables": NVCC,
    },
    "conv": {
        "conv1d": NVRTC,
        "conv1d_shared": NVCC,
        "conv2d": NVRTC,
        "conv2d_tiled": NVCC,
        "depthwise_half": NVCC,
        "max_pool": NVCC_FAST,
        "avg_pool": NVCC_FAST,
        "upsample_nearest": NVCC,
        "upsample_bilinear": NVCC_FAST,
        "im2col": NVCC,
    },
    "elementwise": {
        "add_f32": NVRTC,
        "axpy_strided": NVCC,
        "mul_add_float4": NVRTC,
        "fma_half2": NVRTC,
        "relu_half2": NVCC,
        "half_to_float": NVCC,
        "bf16_mul": NVRTC,
        "bf16_fma_float": NVCC,
        "fp8_e4m3_scale": NVCC_90,
        "fp8_e5m2_scale": NVCC_90,
        "fp8_pack": NVCC_90,
        "fp8_bits_to_float": NVCC,
        "gelu_tanh": ALL_CUDA,
        "gelu_exp": NVCC_FAST,
        "gelu_erf": NVCC,
        "silu": ALL_CUDA,
        "swiglu_half2": NVCC_FAST,
        "sigmoid_backward": NVCC_FAST,
        "tanh_exp": NVCC_FAST,
        "tanh_approx": NVCC,
        "activations": NVCC_FAST,
        "roots": ALL_CUDA,
        "roots_f64": NVCC,
        "powers_fast": NVCC,
        "log_precise": NVCC,
        "sincos_precise": NVCC,
        "pow_precise": NVCC,
        "horner": NVCC,
        "polynomial_constant": NVCC,
        "complex_mul": NVRTC,
        "select_mask": NVCC,
        "int_to_float": NVCC,
        "float_to_int": NVCC,
        "round_float": NVCC,
        "copysign_minmax": NVCC,
        "rounding_modes": NVCC,
        "double_poly": NVCC,
        "volatile_cached": NVRTC,
        "lookup_index": NVCC,
    },
    "gemm": {
        "naive_f32": NVRTC,
        "naive_f16": NVCC,
        "naive_f64": NVCC,
        "tiled_f32": NVRTC,
        "tiled_f64": NVCC,
        "register_tile_f32": NVCC,
        "double_buffer_float4": NVCC_FAST,
        "cp_async_f32": NVRTC,
        "cp_async_f16": NVCC,
        "wmma_f16": NVRTC,
        "wmma_f16_shared": NVCC,
        "wmma_bf16": NVCC,
        "wmma_tf32": NVCC,
        "wmma_f64": NVCC,
        "wmma_s8": NVCC,
        "mma_f16": ALL_CUDA,
        "mma_f16_half_sum": NVCC,
        "mma_bf16": NVCC,
        "mma_tf32": NVCC,
        "mma_f64": NVCC,
        "mma_f64_k16": NVCC_90,
        "gemv": NVRTC,
        "split_k": NVCC,
        "batched_bias_relu": NVCC,
        "complex_gemm": NVCC,
    },
    "move": {
        "transpose_naive": NVCC,
        "transpose_tile": NVRTC,
        "transpose_float4": NVCC,
        "transpose_half2": NVCC,
        "transpose_movmatrix": NVCC,
        "stmatrix_tile": NVCC_90,
        "permute3d": NVCC,
        "reverse_shared": NVCC,
        "concat_split": NVCC,
        "embedding_gather": NVRTC,
        "embedding_bag": NVCC,
        "gather_symbolic": NVCC,
        "rotary": NVRTC,
        "rotary_fast_half": NVCC,
    },
    "norm": {
        "layernorm_warp": ALL_CUDA,
        "layernorm_one_pass": NVCC,
        "layernorm_float4": NVCC_FAST,
        "rmsnorm": ALL_CUDA,
        "rmsnorm_residual_bf16": NVCC,
        "batchnorm_inference": NVCC_FAST,
        "groupnorm": NVCC,
        "normalize_l2": NVCC_FAST,
        "layernorm_backward": NVCC,
    },
    "numba": {
        "axpy": NUMBA,
        "sum_shared": NUMBA,
        "matmul_tiled": NUMBA,
        "softmax": NUMBA,
        "transpose": NUMBA,
        "histogram": NUMBA,
        "local_sort": NUMBA,
    },
    "quant": {
        "gemm_dp4a": NVRTC,
        "gemm_dp4a_known": NVCC,
        "dot_dp2a": NVCC,
        "gemm_mma_s8": NVCC,
        "gemm_mma_u8_s8": NVCC,
        "gemm_mma_s8_known": NVCC,
        "quantize_s8": NVCC,
        "dequantize_s8": NVCC,
        "dequantize_u4_known": NVCC,
        "dequantize_e4m3_row": NVCC_90,
        "absmax_scale": NVCC_FAST,
        "mma_fp8": NVCC_90,
    },
    "reduce": {
        "sum_tree": NVRTC,
        "sum_shuffle": NVRTC,
        "sum_two_level": NVCC,
        "sum_partial_warp": NVCC,
        "sum_atomic": NVCC,
        "sum_atomic_shared": NVCC,
        "max_shuffle": NVCC_FAST,
        "redux_int": NVCC,
        "redux_known": NVCC,
        "dot_float4": NVCC,
        "norm_half2": NVCC_FAST,
        "sum_half2_tree": NVCC,
        "argmax_shuffle": NVRTC,
        "count_ballot": NVCC,
        "barrier_votes": NVCC,
        "welford": NVCC_FAST,
        "column_sums": NVCC,
        "sum_cooperative_groups": NVCC,
        "match_groups": NVCC,
        "logsumexp": NVCC_FAST,
    },
    "scan": {
        "hillis_steele": NVRTC,
        "blelloch": NVCC,
        "warp_scan": NVCC,
        "block_scan": NVCC,
        "int_scan": NVCC,
        "prefix_product": NVCC,
        "linear_recurrence": NVCC,
    },
    "softmax": {
        "softmax_warp": ALL_CUDA,
        "softmax_block": ALL_CUDA,
        "softmax_online": NVCC_FAST,
        "softmax_registers": NVCC_FAST,
        "softmax_half": NVCC_FAST,
        "log_softmax": NVCC_FAST,
        "softmax_causal": NVCC,
        "softmax_backward": NVCC,
        "cross_entropy": NVCC_FAST,
    },
    "tilelang": {
        "add": TILELANG,
        "gemm_f16": TILELANG,
        "gemm_s8": TILELANG,
        "softmax": TILELANG,
        "rmsnorm": TILELANG,
        "flash_attention": TILELANG,
    },
    "triton": {
        "add": TRITON,
        "add_vector": TRITON,
        "silu_mul": TRITON,
        "softmax": TRITON,
        "layernorm": TRITON,
        "rmsnorm_bf16": TRITON,
        "cross_entropy": TRITON,
        "matmul_f16": TRITON,
        "matmul_tf32": TRITON,
        "matmul_f32": TRITON,
        "matmul_s8": TRITON,
        "flash_attention": TRITON,
        "cumulative_sum": TRITON,
        "transpose": TRITON,
        "embedding": TRITON,
        "atomic_sum": TRITON,
    },
}


@dataclass(frozen=True)
class Entry:
    """One PTX file: a kernel compiled by one maker."""

    family: str
    kernel: str
    maker: str

    @property
    def tool(self) -> str:
        return self.maker.split("-")[0]

    @property
    def source(self) -> Path:
        suffix = ".cu" if self.tool in ("nvcc", "nvrtc") else ".py"
        return HERE / self.family / f"{self.kernel}{suffix}"

    @property
    def contract(self) -> Path:
        """The contract of the kernel. Its source line names the first maker's file; the others are run with theirs instead."""
        return HERE / self.family / f"{self.kernel}.toml"

    @property
    def ptx(self) -> Path:
        return HERE / self.family / f"{self.kernel}.{self.maker}.ptx"

    def contract_text(self) -> str:
        """The contract with this maker's PTX as the candidate's source."""
        first = TABLE[self.family][self.kernel][0]
        return self.contract.read_text().replace(f'"{self.kernel}.{first}.ptx"', f'"{self.ptx.name}"')


def entries() -> Iterator[Entry]:
    """Every PTX file of the corpus."""
    for family, kernels in TABLE.items():
        for kernel, makers in kernels.items():
            for maker in makers:
                yield Entry(family, kernel, maker)
