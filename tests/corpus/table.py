"""What is compiled how: for each family its kernels, and for each kernel its makers (TOOL-ARCHITECTURE[-fast])."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent

NVCC = ("nvcc-sm80", "nvcc-sm90a")
NVCC_FAST = (*NVCC, "nvcc-sm80-fast", "nvcc-sm90a-fast")
NVRTC = (*NVCC, "nvrtc-sm80")
ALL_CUDA = (*NVCC_FAST, "nvrtc-sm80")
TRITON = ("triton-sm80",)
NUMBA = ("numba-sm80",)
TILELANG = ("tilelang-sm80",)
NVCC_90 = ("nvcc-sm90a",)

# (family, makers, its kernels that they compile); the first maker's file is the one that the contract names.
ROWS: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("atomics", NVRTC, "histogram_known integer_operations"),
    ("atomics", NVCC, "histogram scatter_add add_double_half tickets float_max_cas float_max_bits last_block"),
    ("attention", ALL_CUDA, "attention_naive"),
    ("attention", NVCC_FAST, "attention_online attention_causal attention_decode flash_mma"),
    ("bits", NVRTC, "count_reverse mul_wide shifts_known divide_constants lcg_monte_carlo"),
    (
        "bits",
        NVCC,
        """
        count_reverse_known crc32 add_int128 carry_chain byte_permute byte_swap divide_constants_known divide_any
        xorshift philox hash_mix morton_known bit_fields saturating compare_select gcd narrow_widths
        """,
    ),
    ("control", NVRTC, "diverged_entry switch_table device_function"),
    (
        "control",
        NVCC,
        """
        uneven_loops branch_index recursion function_pointers local_array named_barriers votes active_mask
        mbarrier_copy mbarrier_tokens assert_print exit_early three_dimensions generic_address module_variables
        """,
    ),
    ("control", NVCC_90, "bulk_expect"),
    ("conv", NVRTC, "conv1d conv2d"),
    ("conv", NVCC, "conv1d_shared conv2d_tiled depthwise_half upsample_nearest im2col"),
    ("conv", NVCC_FAST, "max_pool avg_pool upsample_bilinear"),
    ("elementwise", NVRTC, "add_f32 mul_add_float4 fma_half2 bf16_mul complex_mul volatile_cached"),
    (
        "elementwise",
        NVCC,
        """
        axpy_strided relu_half2 half_to_float bf16_fma_float fp8_bits_to_float gelu_erf tanh_approx roots_f64
        powers_fast log_precise sincos_precise pow_precise horner polynomial_constant select_mask int_to_float
        float_to_int round_float copysign_minmax rounding_modes double_poly lookup_index
        """,
    ),
    ("elementwise", NVCC_90, "fp8_e4m3_scale fp8_e5m2_scale fp8_pack"),
    ("elementwise", ALL_CUDA, "gelu_tanh silu roots"),
    ("elementwise", NVCC_FAST, "gelu_exp swiglu_half2 sigmoid_backward tanh_exp activations"),
    ("gemm", NVRTC, "naive_f32 tiled_f32 cp_async_f32 wmma_f16 gemv"),
    (
        "gemm",
        NVCC,
        """
        naive_f16 naive_f64 tiled_f64 register_tile_f32 cp_async_f16 wmma_f16_shared wmma_bf16 wmma_tf32 wmma_f64
        wmma_s8 mma_f16_half_sum mma_bf16 mma_tf32 mma_f64 split_k batched_bias_relu complex_gemm
        """,
    ),
    ("gemm", NVCC_FAST, "double_buffer_float4"),
    ("gemm", ALL_CUDA, "mma_f16"),
    ("gemm", NVCC_90, "mma_f64_k16"),
    (
        "move",
        NVCC,
        """
        transpose_naive transpose_float4 transpose_half2 transpose_movmatrix permute3d reverse_shared concat_split
        embedding_bag gather_symbolic rotary_fast_half
        """,
    ),
    ("move", NVRTC, "transpose_tile embedding_gather rotary"),
    ("move", NVCC_90, "stmatrix_tile"),
    ("norm", ALL_CUDA, "layernorm_warp rmsnorm"),
    ("norm", NVCC, "layernorm_one_pass rmsnorm_residual_bf16 groupnorm layernorm_backward"),
    ("norm", NVCC_FAST, "layernorm_float4 batchnorm_inference normalize_l2"),
    ("numba", NUMBA, "axpy sum_shared matmul_tiled softmax transpose histogram local_sort"),
    ("quant", NVRTC, "gemm_dp4a"),
    (
        "quant",
        NVCC,
        """
        gemm_dp4a_known dot_dp2a gemm_mma_s8 gemm_mma_u8_s8 gemm_mma_s8_known quantize_s8 dequantize_s8
        dequantize_u4_known
        """,
    ),
    ("quant", NVCC_90, "dequantize_e4m3_row mma_fp8"),
    ("quant", NVCC_FAST, "absmax_scale"),
    ("reduce", NVRTC, "sum_tree sum_shuffle argmax_shuffle"),
    (
        "reduce",
        NVCC,
        """
        sum_two_level sum_partial_warp sum_atomic sum_atomic_shared redux_int redux_known dot_float4 sum_half2_tree
        count_ballot barrier_votes column_sums sum_cooperative_groups match_groups
        """,
    ),
    ("reduce", NVCC_FAST, "max_shuffle norm_half2 welford logsumexp"),
    ("scan", NVRTC, "hillis_steele"),
    ("scan", NVCC, "blelloch warp_scan block_scan int_scan prefix_product linear_recurrence"),
    ("softmax", ALL_CUDA, "softmax_warp softmax_block"),
    ("softmax", NVCC_FAST, "softmax_online softmax_registers softmax_half log_softmax cross_entropy"),
    ("softmax", NVCC, "softmax_causal softmax_backward"),
    ("tilelang", TILELANG, "add gemm_f16 gemm_s8 softmax rmsnorm flash_attention"),
    (
        "triton",
        TRITON,
        """
        add add_vector silu_mul softmax layernorm rmsnorm_bf16 cross_entropy matmul_f16 matmul_tf32 matmul_f32
        matmul_s8 flash_attention cumulative_sum transpose embedding atomic_sum
        """,
    ),
)
TABLE: dict[str, dict[str, tuple[str, ...]]] = {}
for _family, _makers, _kernels in ROWS:
    TABLE.setdefault(_family, {}).update(dict.fromkeys(sorted(_kernels.split()), _makers))


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
