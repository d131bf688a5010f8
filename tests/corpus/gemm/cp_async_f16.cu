// c = a b; 16x8 tiles of c, k in steps of 8, two buffers filled by cp.async.ca.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

extern "C" __global__ void cp_async_f16(const __half *a, const __half *b, float *c, int m, int n, int k) {
    __shared__ __align__(16) __half ta[2][16][8];
    __shared__ __align__(16) __half tb[2][8][8];
    int t = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 8;
    float sum[4] = {};
    auto fetch = [&](int step, int to) {
        if (t < 16) __pipeline_memcpy_async(ta[to][t], a + (row + t) * k + step, 16);
        else __pipeline_memcpy_async(&tb[to][(t - 16) / 2][(t - 16) % 2 * 4],
                                     b + (step + (t - 16) / 2) * n + col + (t - 16) % 2 * 4, 8);
        __pipeline_commit();
    };
    fetch(0, 0);
    for (int step = 0, now = 0; step < k; step += 8, now ^= 1) {
        if (step + 8 < k) {
            fetch(step + 8, now ^ 1);
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 4; j++) {
                sum[j] += __half2float(ta[now][t / 2][i]) * __half2float(tb[now][i][t % 2 * 4 + j]);
            }
        __syncthreads();
    }
    for (int j = 0; j < 4; j++) c[(row + t / 2) * n + col + t % 2 * 4 + j] = sum[j];
}
