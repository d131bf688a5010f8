// Convolutions and pooling.
#include "../wrong.cuh"

// y = x * w of one channel with a dilation, and as many zeros at each end as keep the length; an odd number of taps.
template <Wrong wrong> __device__ void conv1d(const float *x, const float *w, float *y, int n, int taps, int dilation)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (wrong == MISSING_TAIL ? n / 32 * 32 : n)) return;
    float sum = 0.0f;
    LOOP(t, taps)
    {
        int at = i + (t - taps / 2) * (wrong == WRONG_AXIS ? 1 : dilation);
        float value = wrong == WRONG_MASK ? x[min(max(at, 0), n - 1)] : at >= 0 && at < n ? x[at] : 0.0f;
        sum += value * w[wrong == TRANSPOSED ? taps - 1 - t : t];
    }
    y[i] = sum;
}
#define CONV1D(name, wrong) \
    ENTRY name(const float *x, const float *w, float *y, int n, int taps, int dilation) { conv1d<wrong>(x, w, y, n, taps, dilation); }
CONV1D(conv1d_right, RIGHT)
CONV1D(conv1d_wrong_mask, WRONG_MASK)
CONV1D(conv1d_transposed, TRANSPOSED)
CONV1D(conv1d_missing_tail, MISSING_TAIL)

// 3 by 3, no border, channels last; filters are [f][3][3][c]. A thread an output. The wrong axis: x with its channels first.
template <Wrong wrong>
__device__ void conv_last(const float *x, const float *w, const float *bias, float *y, int c, int f, int height, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, filter = i % f, column = i / f;
    if (column >= width - 2) return;
    float sum = bias[filter];
#pragma unroll 1
    for (int t = 0; t < 9 * c; t++) {
        int ky = t / c / 3, kx = t / c % 3, channel = t % c;
        int at = ((row + ky) * width + column + kx) * c + channel;
        if (wrong == WRONG_AXIS) at = (channel * height + row + ky) * width + column + kx;
        sum += x[at] * w[(filter * 9 + (wrong == TRANSPOSED ? kx * 3 + ky : ky * 3 + kx)) * c + channel];
    }
    y[(row * (width - 2) + column) * f + filter] = sum;
}
#define CONV_LAST(name, wrong) \
    ENTRY name(const float *x, const float *w, const float *bias, float *y, int c, int f, int height, int width) \
    { \
        conv_last<wrong>(x, w, bias, y, c, f, height, width); \
    }
CONV_LAST(conv_last_right, RIGHT)
CONV_LAST(conv_last_wrong_axis, WRONG_AXIS)
CONV_LAST(conv_last_transposed, TRANSPOSED)

// Each channel with its own filter of 3 by 3, stride 2, a border of zeros.
template <Wrong wrong> __device__ void depthwise(const float *x, const float *w, float *y, int height, int width)
{
    int column = threadIdx.x, row = blockIdx.x, channel = blockIdx.y, columns = (width + 1) / 2;
    if (column >= columns) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int t = 0; t < 9; t++) {
        int at_row = 2 * row + t / 3 - 1, at = 2 * column + t % 3 - 1;
        bool inside = at_row >= 0 && at_row < height && at >= 0 && at < width;
        if (wrong == WRONG_MASK) inside = at_row >= 0 && at_row < height - 1 && at >= 0 && at < width - 1;
        float value = inside ? x[(channel * height + at_row) * width + at] : 0.0f;
        sum += value * w[wrong == WRONG_AXIS ? t * gridDim.y + channel : channel * 9 + t];
    }
    y[(channel * gridDim.x + row) * columns + column] = sum;
}
ENTRY depthwise_right(const float *x, const float *w, float *y, int height, int width) { depthwise<RIGHT>(x, w, y, height, width); }
ENTRY depthwise_wrong_axis(const float *x, const float *w, float *y, int height, int width)
{
    depthwise<WRONG_AXIS>(x, w, y, height, width);
}
ENTRY depthwise_wrong_mask(const float *x, const float *w, float *y, int height, int width)
{
    depthwise<WRONG_MASK>(x, w, y, height, width);
}

// Winograd's F(2, 3): two outputs of a filter of three taps by four products. n: outputs, n + 2 inputs.
template <Wrong wrong> __device__ void winograd(const float *x, const float *w, float *y, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= (wrong == MISSING_TAIL ? n / 2 * 2 : n)) return;
    float x3 = i + 1 < n ? x[i + 3] : 0.0f, half = wrong == MISSING_SCALE ? 1.0f : 0.5f;
    float w0 = w[wrong == TRANSPOSED ? 2 : 0], w2 = w[wrong == TRANSPOSED ? 0 : 2];
    float p = (x[i] - x[i + 2]) * w0, s = (x[i + 1] - x3) * w2;
    float q = (x[i + 1] + x[i + 2]) * (w0 + w[1] + w2) * half, r = (x[i + 2] - x[i + 1]) * (w0 - w[1] + w2) * half;
    y[i] = p + q + r;
    if (i + 1 < n) y[i + 1] = q - r - s;
}
ENTRY winograd_right(const float *x, const float *w, float *y, int n) { winograd<RIGHT>(x, w, y, n); }
ENTRY winograd_missing_scale(const float *x, const float *w, float *y, int n) { winograd<MISSING_SCALE>(x, w, y, n); }
ENTRY winograd_transposed(const float *x, const float *w, float *y, int n) { winograd<TRANSPOSED>(x, w, y, n); }
ENTRY winograd_missing_tail(const float *x, const float *w, float *y, int n) { winograd<MISSING_TAIL>(x, w, y, n); }

// Means over windows of 3 by 3 around each element, of the elements that there are. The wrong mask counts nine everywhere.
template <Wrong wrong> __device__ void mean_pool(const float *x, float *y, int height, int width)
{
    int column = threadIdx.x, row = blockIdx.x, count = 0;
    if (column >= width) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int t = 0; t < 9; t++) {
        int at_row = row + t / 3 - 1, at = column + t % 3 - 1;
        if (at_row < 0 || at_row >= height || at < 0 || at >= width) continue;
        sum += x[at_row * width + at];
        count++;
    }
    y[row * width + column] = wrong == MISSING_SCALE ? sum : sum / (wrong == WRONG_MASK ? 9 : count);
}
ENTRY mean_pool_right(const float *x, float *y, int height, int width) { mean_pool<RIGHT>(x, y, height, width); }
ENTRY mean_pool_wrong_mask(const float *x, float *y, int height, int width) { mean_pool<WRONG_MASK>(x, y, height, width); }
ENTRY mean_pool_missing_scale(const float *x, float *y, int height, int width) { mean_pool<MISSING_SCALE>(x, y, height, width); }
