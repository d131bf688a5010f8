// o = softmax(q k^T / 4) v; a warp 16 queries, keys in tiles of 16; the weights go from sums to fragments in registers.
#include <math_constants.h>
#include <cuda_fp16.h>

__device__ unsigned shared_address(const void *p) { return static_cast<unsigned>(__cvta_generic_to_shared(p)); }

__device__ void copy16(void *to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

__device__ void mma(float *d, const unsigned *a, unsigned b0, unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ unsigned pack(float low, float high) {
    __half2 h = __floats2half2_rn(low, high);
    return *reinterpret_cast<unsigned *>(&h);
}

extern "C" __global__ void flash_mma(const __half *q, const __half *k, const __half *v, float *o, int n) {
    __shared__ __align__(16) __half tq[16][16], tk[16][16], tv[16][16];
    int t = threadIdx.x, y = t / 2, x = t % 2 * 8, first = blockIdx.x * 16;
    copy16(&tq[y][x], q + (first + y) * 16 + x);
    unsigned fq[4];
    float top[2] = {-CUDART_INF_F, -CUDART_INF_F}, sum[2] = {}, acc[2][4] = {};
    for (int j = 0; j < n; j += 16) {
        copy16(&tk[y][x], k + (j + y) * 16 + x);
        copy16(&tv[y][x], v + (j + y) * 16 + x);
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        if (j == 0) {
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                         : "=r"(fq[0]), "=r"(fq[1]), "=r"(fq[2]), "=r"(fq[3])
                         : "r"(shared_address(&tq[t % 16][t / 16 * 8])) : "memory");
        }
        unsigned fk[4], fv[4];
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fk[0]), "=r"(fk[1]), "=r"(fk[2]), "=r"(fk[3])
                     : "r"(shared_address(&tk[t % 8 + t / 16 * 8][t / 8 % 2 * 8])) : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(fv[0]), "=r"(fv[1]), "=r"(fv[2]), "=r"(fv[3])
                     : "r"(shared_address(&tv[t % 16][t / 16 * 8])) : "memory");
        float s[2][4] = {};
        mma(s[0], fq, fk[0], fk[1]);
        mma(s[1], fq, fk[2], fk[3]);
        for (int h = 0; h < 2; h++) {
            float m = fmaxf(fmaxf(s[0][2 * h], s[0][2 * h + 1]), fmaxf(s[1][2 * h], s[1][2 * h + 1]));
            m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 1));
            m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, 2));
            float next = fmaxf(top[h], m), old = __expf(0.25f * (top[h] - next)), part = 0.0f;
            for (int c = 0; c < 2; c++)
                for (int e = 2 * h; e < 2 * h + 2; e++) part += s[c][e] = __expf(0.25f * (s[c][e] - next));
            sum[h] = sum[h] * old + part;
            for (int c = 0; c < 2; c++) acc[c][2 * h] *= old, acc[c][2 * h + 1] *= old;
            top[h] = next;
        }
        unsigned p[4] = {pack(s[0][0], s[0][1]), pack(s[0][2], s[0][3]), pack(s[1][0], s[1][1]), pack(s[1][2], s[1][3])};
        mma(acc[0], p, fv[0], fv[1]);
        mma(acc[1], p, fv[2], fv[3]);
        __syncthreads();
    }
    for (int h = 0; h < 2; h++) {
        sum[h] += __shfl_xor_sync(0xffffffff, sum[h], 1);
        sum[h] += __shfl_xor_sync(0xffffffff, sum[h], 2);
        for (int c = 0; c < 2; c++) {
            float2 r = make_float2(acc[c][2 * h] / sum[h], acc[c][2 * h + 1] / sum[h]);
            *reinterpret_cast<float2 *>(o + (first + t / 4 + 8 * h) * 16 + 8 * c + t % 4 * 2) = r;
        }
    }
}
