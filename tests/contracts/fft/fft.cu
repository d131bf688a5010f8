// Complex numbers and transforms.
#include "../wrong.cuh"

__device__ __forceinline__ float2 operator+(float2 a, float2 b)
{
    return make_float2(a.x + b.x, a.y + b.y);
}

__device__ __forceinline__ float2 operator-(float2 a, float2 b)
{
    return make_float2(a.x - b.x, a.y - b.y);
}

__device__ __forceinline__ float2 operator*(float2 a, float2 b)
{
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// z = x times the conjugate of y. Transposed: the other one is conjugated.
template <Wrong wrong> __device__ void times_conjugate(const float2 *x, const float2 *y, float2 *z, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (wrong == MISSING_TAIL ? n - 1 : n)) return;
    float2 a = wrong == TRANSPOSED ? y[i] : x[i], b = wrong == TRANSPOSED ? x[i] : y[i];
    z[i] = a * make_float2(b.x, -b.y);
}
ENTRY times_conjugate_right(const float2 *x, const float2 *y, float2 *z, int n) { times_conjugate<RIGHT>(x, y, z, n); }
ENTRY times_conjugate_transposed(const float2 *x, const float2 *y, float2 *z, int n) { times_conjugate<TRANSPOSED>(x, y, z, n); }
ENTRY times_conjugate_missing_tail(const float2 *x, const float2 *y, float2 *z, int n)
{
    times_conjugate<MISSING_TAIL>(x, y, z, n);
}

// The inverse transform of eight points by radix 2, a thread a row, with its eighth. The wrong axis: the results are left in
// the order of their reversed bits. Transposed: the forward transform.
template <Wrong wrong> __device__ void inverse_fft8(const float2 *x, float2 *y, int rows)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    const float sign = wrong == TRANSPOSED ? -1.0f : 1.0f, r = 0.70710678f;
    const float2 turns[4] = {{1.0f, 0.0f}, {r, sign * r}, {0.0f, sign}, {-r, sign * r}};
    float2 v[8];
#pragma unroll
    for (int i = 0; i < 8; i++) v[i] = x[row * 8 + i];
#pragma unroll
    for (int half = 4; half > 0; half /= 2) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            if (i & half) continue;
            float2 a = v[i], b = v[i + half];
            v[i] = a + b;
            v[i + half] = (a - b) * turns[i % half * (4 / half)];
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++) {
        int reversed = wrong == WRONG_AXIS ? i : (i & 1) * 4 + (i & 2) + (i & 4) / 4;
        float share = wrong == MISSING_SCALE ? 1.0f : 0.125f;
        y[row * 8 + i] = make_float2(share * v[reversed].x, share * v[reversed].y);
    }
}
ENTRY inverse_fft8_right(const float2 *x, float2 *y, int rows) { inverse_fft8<RIGHT>(x, y, rows); }
ENTRY inverse_fft8_wrong_axis(const float2 *x, float2 *y, int rows) { inverse_fft8<WRONG_AXIS>(x, y, rows); }
ENTRY inverse_fft8_missing_scale(const float2 *x, float2 *y, int rows) { inverse_fft8<MISSING_SCALE>(x, y, rows); }
ENTRY inverse_fft8_transposed(const float2 *x, float2 *y, int rows) { inverse_fft8<TRANSPOSED>(x, y, rows); }

// A complex product with three real ones for each; real and imaginary parts apart. c = a b.
template <Wrong wrong>
__device__ void three_products(const float *ar, const float *ai, const float *br, const float *bi, float *cr, float *ci, int n, int k)
{
    int column = threadIdx.x, row = blockIdx.x;
    if (column >= n) return;
    float first = 0.0f, second = 0.0f, third = 0.0f;
    LOOP(i, wrong == MISSING_TAIL ? k / 2 * 2 : k)
    {
        int at = row * k + i, other = wrong == TRANSPOSED ? column * k + i : i * n + column;
        first += ar[at] * br[other];
        second += ai[at] * bi[other];
        third += (ar[at] + ai[at]) * (br[other] + bi[other]);
    }
    cr[row * n + column] = first - second;
    ci[row * n + column] = third - first - second;
}
#define THREE_PRODUCTS(name, wrong) \
    ENTRY name(const float *ar, const float *ai, const float *br, const float *bi, float *cr, float *ci, int n, int k) \
    { \
        three_products<wrong>(ar, ai, br, bi, cr, ci, n, k); \
    }
THREE_PRODUCTS(three_products_right, RIGHT)
THREE_PRODUCTS(three_products_transposed, TRANSPOSED)
THREE_PRODUCTS(three_products_missing_tail, MISSING_TAIL)

// The fast Hadamard transform of 32 numbers by shuffles, a warp a row, scaled so that it is its own inverse.
template <Wrong wrong> __device__ void hadamard(const float *x, float *y, float scale)
{
    float value = x[blockIdx.x * 32 + threadIdx.x];
    for (int half = 1; half < (wrong == MISSING_TAIL ? 16 : 32); half *= 2) {
        float other = __shfl_xor_sync(0xffffffff, value, half);
        value = threadIdx.x & half ? other - value : value + other;
    }
    y[blockIdx.x * 32 + threadIdx.x] = wrong == MISSING_SCALE ? value : scale * value;
}
ENTRY hadamard_right(const float *x, float *y, float scale) { hadamard<RIGHT>(x, y, scale); }
ENTRY hadamard_missing_scale(const float *x, float *y, float scale) { hadamard<MISSING_SCALE>(x, y, scale); }
ENTRY hadamard_missing_step(const float *x, float *y, float scale) { hadamard<MISSING_TAIL>(x, y, scale); }

// Power of a windowed frame of 8 points at the frequencies 0, 2 and 4, whose turns are 1, -i and -1; frames start `hop` apart.
template <Wrong wrong> __device__ void spectrum(const float *x, const float *window, float *y, int frames, int hop)
{
    int frame = threadIdx.x;
    if (frame >= frames) return;
    float even = 0.0f, odd = 0.0f, real = 0.0f, imaginary = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        float value = x[frame * hop + i] * (wrong == MISSING_SCALE ? 1.0f : window[wrong == TRANSPOSED ? (i + 4) % 8 : i]);
        (i % 2 ? odd : even) += value;
        (i % 2 ? imaginary : real) += i & 2 ? -value : value;
    }
    y[frame * 3] = (even + odd) * (even + odd);
    y[frame * 3 + 1] = real * real + imaginary * imaginary;
    y[frame * 3 + 2] = (even - odd) * (even - odd);
}
ENTRY spectrum_right(const float *x, const float *window, float *y, int frames, int hop) { spectrum<RIGHT>(x, window, y, frames, hop); }
ENTRY spectrum_missing_scale(const float *x, const float *window, float *y, int frames, int hop)
{
    spectrum<MISSING_SCALE>(x, window, y, frames, hop);
}
ENTRY spectrum_transposed(const float *x, const float *window, float *y, int frames, int hop)
{
    spectrum<TRANSPOSED>(x, window, y, frames, hop);
}
