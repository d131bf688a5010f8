// c = a b^T; four warps share a 32x16 tile, each computes 16x8 of it.
#include <cuda_bf16.h>

__device__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

extern "C" __global__ void mma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, int m, int n, int k) {
    __shared__ __align__(16) __nv_bfloat16 ta[32][24], tb[16][24];
    int t = threadIdx.x % 32, warp = threadIdx.x / 32, y = warp / 2 * 16, x = warp % 2 * 8;
    int row = blockIdx.y * 32, col = blockIdx.x * 16;
    float d[4] = {};
    for (int step = 0; step < k; step += 16) {
        if (threadIdx.x < 64) {
            int r = threadIdx.x / 2, s = threadIdx.x % 2 * 8;
            *reinterpret_cast<uint4 *>(&ta[r][s]) = *reinterpret_cast<const uint4 *>(a + (row + r) * k + step + s);
        } else if (threadIdx.x < 96) {
            int r = (threadIdx.x - 64) / 2, s = threadIdx.x % 2 * 8;
            *reinterpret_cast<uint4 *>(&tb[r][s]) = *reinterpret_cast<const uint4 *>(b + (col + r) * k + step + s);
        }
        __syncthreads();
        unsigned fa[4], fb[2];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                     : "r"(shared_address(&ta[y + t % 16][t / 16 * 8])) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(fb[0]), "=r"(fb[1]) : "r"(shared_address(&tb[x + t % 8][t / 8 % 2 * 8])) : "memory");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
                     "{%0,%1,%2,%3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(fa[0]), "r"(fa[1]), "r"(fa[2]), "r"(fa[3]), "r"(fb[0]), "r"(fb[1]));
        __syncthreads();
    }
    __nv_bfloat162 *p = reinterpret_cast<__nv_bfloat162 *>(c + (row + y + t / 4) * n + col + x + t % 4 * 2);
    p[0] = __floats2bfloat162_rn(d[0], d[1]);
    p[4 * n] = __floats2bfloat162_rn(d[2], d[3]);
}
