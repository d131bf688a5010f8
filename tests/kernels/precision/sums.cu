// Sums in several formats, for the reports and rules of precision: see tests/driver/test_driver_precision.py, which counts the
// additions by hand.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

constexpr int K = 16;  // terms of a row

// y = the dot product of two rows of halves, summed in half.
extern "C" __global__ void dot_half(const __half* a, const __half* b, __half* y) {
    const int row = threadIdx.x;
    __half sum = __float2half(0.0f);
    #pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum = __hfma(a[row * K + k], b[row * K + k], sum);
    y[row] = sum;
}

// The same in float.
extern "C" __global__ void dot_float(const __half* a, const __half* b, __half* y) {
    const int row = threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __half2float(a[row * K + k]) * __half2float(b[row * K + k]);
    y[row] = __float2half(sum);
}

// Each step is computed in float, and the sum is kept in half between them.
extern "C" __global__ void dot_kept_in_half(const __half* a, const __half* b, __half* y) {
    const int row = threadIdx.x;
    __half sum = __float2half(0.0f);
    #pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum = __float2half(__half2float(sum) + __half2float(a[row * K + k]) * __half2float(b[row * K + k]));
    y[row] = sum;
}

// Two terms at a time, in the halves of a register, which are added at the end.
extern "C" __global__ void dot_half2(const __half2* a, const __half2* b, __half* y) {
    const int row = threadIdx.x;
    __half2 sum = __float2half2_rn(0.0f);
    #pragma unroll 1
    for (int k = 0; k < K / 2; ++k)
        sum = __hfma2(a[row * K / 2 + k], b[row * K / 2 + k], sum);
    y[row] = __hadd(__low2half(sum), __high2half(sum));
}

// A dot product in float, to which a bias is added in half.
extern "C" __global__ void dot_bias_in_half(const __half* a, const __half* b, const __half* bias, __half* y) {
    const int row = threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __half2float(a[row * K + k]) * __half2float(b[row * K + k]);
    y[row] = __hadd(__float2half(sum), bias[row]);
}

// A running sum that is scaled at each step, as an online softmax does: T is the format of the sum.
template <typename T>
__device__ void decayed(const __half* a, const __half* b, __half* y) {
    const int row = threadIdx.x;
    T sum = T(0.0f);
    #pragma unroll 1
    for (int k = 0; k < K; ++k) {
        const T scale = b[row * K + k], term = a[row * K + k];
        sum = sum * scale + term;
    }
    y[row] = sum;
}
extern "C" __global__ void decayed_half(const __half* a, const __half* b, __half* y) { decayed<__half>(a, b, y); }
extern "C" __global__ void decayed_float(const __half* a, const __half* b, __half* y) { decayed<float>(a, b, y); }

// y = the sum of 64 terms: a tree through shared memory, then through shuffles.
template <typename T>
__device__ void tree(const __nv_bfloat16* x, __nv_bfloat16* y) {
    __shared__ T part[64];
    const int t = threadIdx.x;
    part[t] = x[t];
    __syncthreads();
    if (t < 32) {
        T sum = part[t] + part[t + 32];
        #pragma unroll 1
        for (int offset = 16; offset > 0; offset /= 2)
            sum = sum + __shfl_down_sync(0xffffffffu, sum, offset);
        if (t == 0)
            y[0] = sum;
    }
}
extern "C" __global__ void tree_bf16(const __nv_bfloat16* x, __nv_bfloat16* y) { tree<__nv_bfloat16>(x, y); }
extern "C" __global__ void tree_float(const __nv_bfloat16* x, __nv_bfloat16* y) { tree<float>(x, y); }

// z = x + y: one addition an element, and no sum of sums.
extern "C" __global__ void add_half(const __half* x, const __half* y, __half* z) {
    z[threadIdx.x] = __hadd(x[threadIdx.x], y[threadIdx.x]);
}

// All threads add to one element.
extern "C" __global__ void atomic_half(const __half* x, __half* y) { atomicAdd(y, x[threadIdx.x]); }
extern "C" __global__ void atomic_float(const __half* x, float* y) { atomicAdd(y, __half2float(x[threadIdx.x])); }

// c = a b of 16 x 16 matrices on the tensor cores, with accumulators of type T.
template <typename T>
__device__ void matmul(const __half* a, const __half* b, T* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, T> fc;
    wmma::fill_fragment(fc, T(0.0f));
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}
extern "C" __global__ void wmma_half(const __half* a, const __half* b, __half* c) { matmul(a, b, c); }
extern "C" __global__ void wmma_float(const __half* a, const __half* b, float* c) { matmul(a, b, c); }

// Two products one after the other: what is between them is kept in half, but each is summed in float.
extern "C" __global__ void two_layers(const __half* x, const __half* v, const __half* w, __half* y) {
    __shared__ __half hidden[K];
    const int t = threadIdx.x;
    float sum = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __half2float(x[k]) * __half2float(v[k * K + t]);
    hidden[t] = __float2half(fmaxf(sum, 0.0f));
    __syncthreads();
    sum = 0.0f;
    #pragma unroll 1
    for (int k = 0; k < K; ++k)
        sum += __half2float(hidden[k]) * __half2float(w[k * K + t]);
    y[t] = __float2half(sum);
}
