// c = a @ b for row-major matrices of f32 through tf32: a CTA of 128 threads makes a 32 x 32 tile of c, each warp 16 x 16 by two
// mma.m16n8k8 a step. The tile of a is read by ldmatrix (four bytes are two of its elements), that of b word by word.
// BUG: 0 none, else what the entry's name says.
#define PAD 36

template <int BUG>
static __device__ __forceinline__ void gemm(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ __align__(16) float as[32 * PAD];
    __shared__ __align__(16) float bs[32 * PAD];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    int wr = warp / 2 * 16, wc = warp % 2 * 16;
    int group = lane / 4, thread = lane % 4;
    float acc[2][4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        for (int i = tid; i < 256; i += 128) {
            int r = i / 8, q = i % 8 * 4;
            *(float4 *)&as[r * PAD + q] = *(const float4 *)&a[(row0 + r) * k + k0 + q];
            *(float4 *)&bs[r * PAD + q] = *(const float4 *)&b[(k0 + r) * n + col0 + q];
        }
        if (BUG != 3)
            __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 8) {
            unsigned fa[4];
            unsigned pa = (unsigned)__cvta_generic_to_shared(&as[(wr + lane % 16) * PAD + kk + lane / 16 * 4]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(pa) : "memory");
#pragma unroll
            for (int half = 0; half < 2; half++) {
                int col = wc + half * 8 + group;
                unsigned low = __float_as_uint(bs[(kk + thread) * PAD + col]);
                unsigned high = __float_as_uint(bs[(kk + thread + 4) * PAD + col]);
                if (BUG == 2) {
                    unsigned other = low;
                    low = high;
                    high = other;
                }
                asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                             "{%0,%1,%2,%3};"
                             : "+f"(acc[half][0]), "+f"(acc[half][1]), "+f"(acc[half][2]), "+f"(acc[half][3])
                             : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(low), "r"(high));
            }
        }
        __syncthreads();
    }
#pragma unroll
    for (int half = 0; half < 2; half++) {
#pragma unroll
        for (int i = 0; i < 4; i++) {
            int r = group + (BUG == 1 ? i % 2 : i / 2) * 8;
            int q = thread * 2 + (BUG == 1 ? i / 2 : i % 2);
            c[(row0 + wr + r) * n + col0 + wc + half * 8 + q] = acc[half][i];
        }
    }
}

#define ENTRY(name, bug)                                                                                                     \
    extern "C" __global__ void name(const float *a, const float *b, float *c, int m, int n, int k)                           \
    {                                                                                                                        \
        gemm<bug>(a, b, c, m, n, k);                                                                                         \
    }
ENTRY(gemm_tf32, 0)
ENTRY(gemm_tf32_wrong_index, 1)
ENTRY(gemm_tf32_swapped_b, 2)
ENTRY(gemm_tf32_missing_barrier, 3)
