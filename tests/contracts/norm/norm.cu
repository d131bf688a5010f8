// Normalisations, a warp a group of elements that have one mean.
#include "../wrong.cuh"

// y = (x - mean) / sqrt(variance + eps) weight + bias along rows.
template <Wrong wrong>
__device__ void layer_norm(const float *x, const float *weight, const float *bias, float *y, float eps, int n)
{
    int row = blockIdx.x, end = wrong == MISSING_TAIL ? n / 32 * 32 : n;
    float sum = 0.0f, squares = 0.0f;
    EACH(j, end) sum += x[row * n + j];
    float mean = warp_sum(sum) / n;
    EACH(j, end) squares += (x[row * n + j] - mean) * (x[row * n + j] - mean);
    float variance = warp_sum(squares) / n;
    float factor = wrong == WRONG_EPSILON ? 1.0f / (sqrtf(variance) + eps) : rsqrtf(variance + eps);
    EACH(j, n) {
        float w = wrong == MISSING_SCALE ? 1.0f : weight[wrong == WRONG_AXIS ? row : j];
        y[row * n + j] = (x[row * n + j] - mean) * factor * w + bias[j];
    }
}
#define LAYER_NORM(name, wrong) \
    ENTRY name(const float *x, const float *weight, const float *bias, float *y, float eps, int n) \
    { \
        layer_norm<wrong>(x, weight, bias, y, eps, n); \
    }
LAYER_NORM(layer_norm_right, RIGHT)
LAYER_NORM(layer_norm_wrong_axis, WRONG_AXIS)
LAYER_NORM(layer_norm_missing_scale, MISSING_SCALE)
LAYER_NORM(layer_norm_wrong_epsilon, WRONG_EPSILON)
LAYER_NORM(layer_norm_missing_tail, MISSING_TAIL)

// y = x / sqrt(mean of x^2 + eps) weight, where the rows of x lie `pitch` elements apart.
template <Wrong wrong> __device__ void rms_norm(const float *x, const float *weight, float *y, float eps, int n, int pitch)
{
    const float *row = x + blockIdx.x * (wrong == IGNORED_PADDING ? n : pitch);
    float squares = 0.0f;
    EACH(j, n) squares += row[j] * row[j];
    squares = warp_sum(squares);
    float mean = wrong == MISSING_SCALE ? squares : squares / n;
    float factor = wrong == WRONG_EPSILON ? rsqrtf(mean) + eps : rsqrtf(mean + eps);
    EACH(j, n) y[blockIdx.x * n + j] = row[j] * factor * weight[j];
}
#define RMS_NORM(name, wrong) \
    ENTRY name(const float *x, const float *weight, float *y, float eps, int n, int pitch) \
    { \
        rms_norm<wrong>(x, weight, y, eps, n, pitch); \
    }
RMS_NORM(rms_norm_right, RIGHT)
RMS_NORM(rms_norm_missing_scale, MISSING_SCALE)
RMS_NORM(rms_norm_wrong_epsilon, WRONG_EPSILON)
RMS_NORM(rms_norm_ignored_padding, IGNORED_PADDING)

// Batch norm of a batch whose channels are last, E[x^2] - mean^2 for the variance; the mean and the variance are written, too.
// The wrong axis: the elements of a channel are taken as if they lay together.
template <Wrong wrong>
__device__ void batch_norm(const float *x, const float *weight, const float *bias, float *y, float *mean, float *variance,
                           float eps, int pixels, int channels)
{
    int channel = blockIdx.x;
    auto at = [&](int i) { return wrong == WRONG_AXIS ? channel * pixels + i : i * channels + channel; };
    float sum = 0.0f, squares = 0.0f;
    EACH(i, pixels) {
        sum += x[at(i)];
        squares += x[at(i)] * x[at(i)];
    }
    float m = warp_sum(sum) / pixels, v = warp_sum(squares) / pixels - m * m;
    float factor = wrong == WRONG_EPSILON ? 1.0f / (sqrtf(v) + eps) : 1.0f / sqrtf(v + eps);
    EACH(i, pixels) y[at(i)] = (x[at(i)] - m) * factor * weight[channel] + bias[channel];
    if (threadIdx.x == 0) {
        mean[channel] = m;
        variance[channel] = v;
    }
}
#define BATCH_NORM(name, wrong) \
    ENTRY name(const float *x, const float *weight, const float *bias, float *y, float *mean, float *variance, float eps, \
               int pixels, int channels) \
    { \
        batch_norm<wrong>(x, weight, bias, y, mean, variance, eps, pixels, channels); \
    }
BATCH_NORM(batch_norm_right, RIGHT)
BATCH_NORM(batch_norm_wrong_axis, WRONG_AXIS)
BATCH_NORM(batch_norm_wrong_epsilon, WRONG_EPSILON)

// Group norm: a group is `size` channels of n elements that lie together. The wrong axis: every groups-th channel is a group.
template <Wrong wrong> __device__ void group_norm(const float *x, const float *weight, float *y, float eps, int size, int n)
{
    int sample = blockIdx.y, group = blockIdx.x, groups = gridDim.x;
    auto channel = [&](int i) { return wrong == WRONG_AXIS ? i / n * groups + group : group * size + i / n; };
    auto at = [&](int i) { return (sample * groups * size + channel(i)) * n + i % n; };
    float sum = 0.0f, squares = 0.0f;
    EACH(i, size * n) sum += x[at(i)];
    float mean = warp_sum(sum) / (size * n);
    EACH(i, size * n) squares += (x[at(i)] - mean) * (x[at(i)] - mean);
    float variance = warp_sum(squares) / (size * n);
    float factor = wrong == WRONG_EPSILON ? rsqrtf(variance) + eps : rsqrtf(variance + eps);
    EACH(i, size * n) {
        y[at(i)] = (x[at(i)] - mean) * factor * (wrong == MISSING_SCALE ? 1.0f : weight[channel(i)]);
    }
}
#define GROUP_NORM(name, wrong) \
    ENTRY name(const float *x, const float *weight, float *y, float eps, int size, int n) \
    { \
        group_norm<wrong>(x, weight, y, eps, size, n); \
    }
GROUP_NORM(group_norm_right, RIGHT)
GROUP_NORM(group_norm_wrong_axis, WRONG_AXIS)
GROUP_NORM(group_norm_wrong_epsilon, WRONG_EPSILON)
GROUP_NORM(group_norm_missing_scale, MISSING_SCALE)

// y = x / max(norm, eps) along rows.
template <Wrong wrong> __device__ void normalize(const float *x, float *y, float eps, int n)
{
    int row = blockIdx.x;
    float squares = 0.0f;
    EACH(j, (wrong == MISSING_TAIL ? n - n % 32 : n)) squares += x[row * n + j] * x[row * n + j];
    float norm = sqrtf(warp_sum(squares));
    norm = wrong == WRONG_EPSILON ? norm + eps : fmaxf(norm, eps);
    EACH(j, n) y[row * n + j] = x[row * n + j] / norm;
}
ENTRY normalize_right(const float *x, float *y, float eps, int n) { normalize<RIGHT>(x, y, eps, n); }
ENTRY normalize_wrong_epsilon(const float *x, float *y, float eps, int n) { normalize<WRONG_EPSILON>(x, y, eps, n); }
ENTRY normalize_missing_tail(const float *x, float *y, float eps, int n) { normalize<MISSING_TAIL>(x, y, eps, n); }
