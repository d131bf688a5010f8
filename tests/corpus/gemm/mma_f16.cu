// c = a b; a warp a 16x16 tile: cp.async into two buffers, ldmatrix (b transposed), two mma.sync a step.
#include <cuda_fp16.h>

__device__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy16(void *to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

__device__ void mma(float *d, const unsigned *a, const unsigned *b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

extern "C" __global__ void mma_f16(const __half *a, const __half *b, float *c, int m, int n, int k) {
    __shared__ __align__(16) __half ta[2][16][16];
    __shared__ __align__(16) __half tb[2][16][16];
    int t = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 16;
    float d[2][4] = {};
    auto fetch = [&](int step, int to) {
        copy16(&ta[to][t / 2][t % 2 * 8], a + (row + t / 2) * k + step + t % 2 * 8);
        copy16(&tb[to][t / 2][t % 2 * 8], b + (step + t / 2) * n + col + t % 2 * 8);
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    fetch(0, 0);
    for (int step = 0, now = 0; step < k; step += 16, now ^= 1) {
        if (step + 16 < k) {
            fetch(step + 16, now ^ 1);
            asm volatile("cp.async.wait_group 1;" ::: "memory");
        } else {
            asm volatile("cp.async.wait_group 0;" ::: "memory");
        }
        __syncthreads();
        unsigned fa[4], fb[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fa[0]), "=r"(fa[1]), "=r"(fa[2]), "=r"(fa[3])
                     : "r"(shared_address(&ta[now][t % 16][t / 16 * 8])) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fb[0]), "=r"(fb[1]), "=r"(fb[2]), "=r"(fb[3])
                     : "r"(shared_address(&tb[now][t % 16][t / 16 * 8])) : "memory");
        mma(d[0], fa, fb);
        mma(d[1], fa, fb + 2);
        __syncthreads();
    }
    for (int h = 0; h < 2; h++) {
        float *p = c + (row + t / 4) * n + col + h * 8 + t % 4 * 2;
        *reinterpret_cast<float2 *>(p) = make_float2(d[h][0], d[h][1]);
        *reinterpret_cast<float2 *>(p + 8 * n) = make_float2(d[h][2], d[h][3]);
    }
}
