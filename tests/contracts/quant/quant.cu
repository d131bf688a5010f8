// Integers and quantities of few bits.
#include "../wrong.cuh"

// y = scale[row] (q - zero[row]).
template <Wrong wrong> __device__ void dequantize(const signed char *q, const float *scale, const signed char *zero, float *y, int n)
{
    int column = threadIdx.x, row = blockIdx.x;
    if (column >= (wrong == MISSING_TAIL ? n / 4 * 4 : n)) return;
    int value = q[row * n + column] - zero[row];
    y[row * n + column] = wrong == MISSING_SCALE ? value : scale[wrong == WRONG_AXIS ? column : row] * value;
}
#define DEQUANTIZE(name, wrong) \
    ENTRY name(const signed char *q, const float *scale, const signed char *zero, float *y, int n) \
    { \
        dequantize<wrong>(q, scale, zero, y, n); \
    }
DEQUANTIZE(dequantize_right, RIGHT)
DEQUANTIZE(dequantize_wrong_axis, WRONG_AXIS)
DEQUANTIZE(dequantize_missing_scale, MISSING_SCALE)
DEQUANTIZE(dequantize_missing_tail, MISSING_TAIL)

// q = clamp(round(x / scale), -128, 127). The wrong mask: the clamp is one too narrow.
template <Wrong wrong> __device__ void quantize(const float *x, signed char *q, float scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float value = wrong == MISSING_SCALE ? x[i] : x[i] / scale;
    q[i] = (signed char)min(max(__float2int_rn(value), wrong == WRONG_MASK ? -127 : -128), 127);
}
ENTRY quantize_right(const float *x, signed char *q, float scale, int n) { quantize<RIGHT>(x, q, scale, n); }
ENTRY quantize_missing_scale(const float *x, signed char *q, float scale, int n) { quantize<MISSING_SCALE>(x, q, scale, n); }
ENTRY quantize_wrong_mask(const float *x, signed char *q, float scale, int n) { quantize<WRONG_MASK>(x, q, scale, n); }

// c = scale[row] other[column] (a b^T), bytes summed as integers four by four.
template <Wrong wrong>
__device__ void product(const int *a, const int *b, const float *scale, const float *other, float *c, int n, int words)
{
    int column = threadIdx.x, row = blockIdx.x, sum = 0;
    if (column >= n) return;
    LOOP(i, wrong == MISSING_TAIL ? words - 1 : words) sum = __dp4a(a[row * words + i], b[column * words + i], sum);
    float factor = wrong == MISSING_SCALE ? scale[row] : scale[row] * other[wrong == WRONG_AXIS ? row : column];
    c[wrong == TRANSPOSED ? column * gridDim.x + row : row * n + column] = factor * sum;
}
#define PRODUCT(name, wrong) \
    ENTRY name(const int *a, const int *b, const float *scale, const float *other, float *c, int n, int words) \
    { \
        product<wrong>(a, b, scale, other, c, n, words); \
    }
PRODUCT(product_right, RIGHT)
PRODUCT(product_wrong_axis, WRONG_AXIS)
PRODUCT(product_missing_scale, MISSING_SCALE)
PRODUCT(product_transposed, TRANSPOSED)
PRODUCT(product_missing_tail, MISSING_TAIL)

// Eight numbers of four bits in a word, the lowest first, with a scale a group of `group` words.
template <Wrong wrong> __device__ void unpack(const unsigned *q, const float *scale, float *y, int words, int group)
{
    int i = threadIdx.x;
    if (i >= words) return;
    unsigned word = q[i];
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int value = (int)((word >> (wrong == TRANSPOSED ? 28 - 4 * k : 4 * k)) & 15) - 8;
        y[8 * i + k] = scale[wrong == WRONG_AXIS ? i % (words / group) : i / group] * value;
    }
}
#define UNPACK(name, wrong) \
    ENTRY name(const unsigned *q, const float *scale, float *y, int words, int group) { unpack<wrong>(q, scale, y, words, group); }
UNPACK(unpack_right, RIGHT)
UNPACK(unpack_wrong_axis, WRONG_AXIS)
UNPACK(unpack_transposed, TRANSPOSED)

// Running sums of integers that wrap, one warp.
template <Wrong wrong> __device__ void integer_scan(const int *x, int *y, int n)
{
    int lane = threadIdx.x, value = lane < n ? x[lane] : 0;
    for (int step = 1; step < 32; step *= 2) {
        int before = __shfl_up_sync(0xffffffff, value, step);
        if (lane >= step) value += before;
    }
    if (wrong == WRONG_MASK && lane < n) value -= x[lane];
    if (lane < (wrong == MISSING_TAIL ? n - 1 : n)) y[lane] = value;
}
ENTRY integer_scan_right(const int *x, int *y, int n) { integer_scan<RIGHT>(x, y, n); }
ENTRY integer_scan_wrong_mask(const int *x, int *y, int n) { integer_scan<WRONG_MASK>(x, y, n); }
ENTRY integer_scan_missing_tail(const int *x, int *y, int n) { integer_scan<MISSING_TAIL>(x, y, n); }
