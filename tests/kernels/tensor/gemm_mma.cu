// c = a @ b for row-major matrices of f16, sums of f32. A CTA of 128 threads makes a 32 x 32 tile of c, each of its four warps
// 16 x 16 by two mma.m16n8k16 a step; ldmatrix takes a as it lies and b transposed. BUG: 0 none, else what the entry's name says.
#include <cuda_fp16.h>
#define PAD 40

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

template <int BUG>
static __device__ __forceinline__ void gemm(const __half *a, const __half *b, float *c, int m, int n, int k)
{
    __shared__ __align__(16) __half as[32 * PAD];
    __shared__ __align__(16) __half bs[32 * PAD];
    int tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 32;
    int wr = warp / 2 * 16, wc = warp % 2 * 16;
    float acc[2][4] = {};
    for (int k0 = 0; k0 < k; k0 += 32) {
        int r = tid / 4, q = tid % 4 * 8;
        *(uint4 *)&as[r * PAD + q] = *(const uint4 *)&a[(row0 + r) * k + k0 + q];
        *(uint4 *)&bs[r * PAD + q] = *(const uint4 *)&b[(k0 + r) * n + col0 + q];
        if (BUG != 3)
            __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 32; kk += 16) {
            unsigned fa[4], fb[4];
            unsigned pa = shared_address(&as[(wr + lane % 16) * PAD + kk + lane / 16 * 8]);
            unsigned pb = shared_address(&bs[(kk + lane % 16) * PAD + wc + lane / 16 * 8]);
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3]) : "r"(pa) : "memory");
            if (BUG == 4)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]) : "r"(pb) : "memory");
            else
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                             : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3]) : "r"(pb) : "memory");
#pragma unroll
            for (int half = 0; half < 2; half++) {
                unsigned low = fb[2 * half], high = fb[2 * half + 1];
                if (BUG == 2) {
                    low = fb[2 * half + 1];
                    high = fb[2 * half];
                }
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                             "{%0,%1,%2,%3};"
                             : "+f"(acc[half][0]), "+f"(acc[half][1]), "+f"(acc[half][2]), "+f"(acc[half][3])
                             : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(low), "r"(high));
            }
        }
        __syncthreads();
    }
    int group = lane / 4, thread = lane % 4;
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
    extern "C" __global__ void name(const __half *a, const __half *b, float *c, int m, int n, int k)                         \
    {                                                                                                                        \
        gemm<bug>(a, b, c, m, n, k);                                                                                         \
    }
ENTRY(gemm_mma, 0)
ENTRY(gemm_mma_wrong_index, 1)
ENTRY(gemm_mma_swapped_b, 2)
ENTRY(gemm_mma_missing_barrier, 3)
ENTRY(gemm_mma_no_trans, 4)
