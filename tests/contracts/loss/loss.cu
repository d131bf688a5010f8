// Losses and their gradients.
#include "../wrong.cuh"

// The mean of -log softmax(x)[label] over rows whose label, which is known, is not negative; one warp, row by row. The wrong
// mask: the mean is over all rows.
template <Wrong wrong> __device__ void cross_entropy(const float *x, const int *label, float *loss, int rows, int n)
{
    float total = 0.0f;
    int count = 0;
    LOOP(i, wrong == MISSING_TAIL ? rows - 1 : rows)
    {
        if (label[i] < 0) continue;
        float most = -INFINITY, sum = 0.0f;
        EACH(j, n) most = fmaxf(most, x[i * n + j]);
        most = warp_max(most);
        EACH(j, n) sum += __expf(x[i * n + j] - most);
        sum = warp_sum(sum);
        total += __logf(sum) + most - x[wrong == WRONG_AXIS ? label[i] * n + i : i * n + label[i]];
        count++;
    }
    if (threadIdx.x == 0) loss[0] = wrong == MISSING_SCALE ? total : total / (wrong == WRONG_MASK ? rows : count);
}
#define CROSS_ENTROPY(name, wrong) \
    ENTRY name(const float *x, const int *label, float *loss, int rows, int n) { cross_entropy<wrong>(x, label, loss, rows, n); }
CROSS_ENTROPY(cross_entropy_right, RIGHT)
CROSS_ENTROPY(cross_entropy_wrong_axis, WRONG_AXIS)
CROSS_ENTROPY(cross_entropy_wrong_mask, WRONG_MASK)
CROSS_ENTROPY(cross_entropy_missing_scale, MISSING_SCALE)
CROSS_ENTROPY(cross_entropy_missing_tail, MISSING_TAIL)

// The gradient of the mean loss: (softmax(x) - one-hot of the label) / rows, a warp a row.
template <Wrong wrong> __device__ void gradient(const float *x, const int *label, float *d, int n)
{
    int start = blockIdx.x * n;
    float sum = 0.0f;
    EACH(j, wrong == MISSING_TAIL ? n / 32 * 32 : n) sum += __expf(x[start + j]);
    sum = warp_sum(sum);
    EACH(j, n)
    {
        float hit = label[wrong == WRONG_AXIS ? 0 : blockIdx.x] == j ? 1.0f : 0.0f, value = __expf(x[start + j]) / sum - hit;
        d[start + j] = wrong == MISSING_SCALE ? value : value / gridDim.x;
    }
}
ENTRY gradient_right(const float *x, const int *label, float *d, int n) { gradient<RIGHT>(x, label, d, n); }
ENTRY gradient_wrong_axis(const float *x, const int *label, float *d, int n) { gradient<WRONG_AXIS>(x, label, d, n); }
ENTRY gradient_missing_scale(const float *x, const int *label, float *d, int n) { gradient<MISSING_SCALE>(x, label, d, n); }
ENTRY gradient_missing_tail(const float *x, const int *label, float *d, int n) { gradient<MISSING_TAIL>(x, label, d, n); }

// Cross entropy with smoothed labels, a warp a row: each class has smoothing / n of the target.
template <Wrong wrong> __device__ void smoothed(const float *x, const int *label, float *loss, float smoothing, int n)
{
    float powers = 0.0f, values = 0.0f;
    EACH(j, n)
    {
        powers += __expf(x[blockIdx.x * n + j]);
        values += x[blockIdx.x * n + j];
    }
    powers = warp_sum(powers);
    values = warp_sum(values);
    if (threadIdx.x > 0) return;
    float hit = x[blockIdx.x * n + label[blockIdx.x]], mean = wrong == MISSING_SCALE ? values : values / n;
    loss[blockIdx.x] = __logf(powers) - (1.0f - smoothing) * hit - smoothing * mean;
}
#define SMOOTHED(name, wrong) \
    ENTRY name(const float *x, const int *label, float *loss, float smoothing, int n) \
    { \
        smoothed<wrong>(x, label, loss, smoothing, n); \
    }
SMOOTHED(smoothed_right, RIGHT)
SMOOTHED(smoothed_missing_scale, MISSING_SCALE)

// Binary cross entropy of logits x with targets t, in the form that does not overflow, with weights; a thread an element.
template <Wrong wrong> __device__ void binary(const float *x, const float *t, const float *weight, float *loss, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float logit = wrong == TRANSPOSED ? t[i] : x[i], target = wrong == TRANSPOSED ? x[i] : t[i];
    float one = fmaxf(logit, 0.0f) - logit * target + __logf(1.0f + __expf(-fabsf(logit)));
    loss[i] = wrong == MISSING_SCALE ? one : weight[i] * one;
}
#define BINARY(name, wrong) \
    ENTRY name(const float *x, const float *t, const float *weight, float *loss, int n) { binary<wrong>(x, t, weight, loss, n); }
BINARY(binary_right, RIGHT)
BINARY(binary_missing_scale, MISSING_SCALE)
BINARY(binary_transposed, TRANSPOSED)

// The mean of squared differences, by CTAs of 32 threads that add to one number, which is 0 at first.
template <Wrong wrong> __device__ void squared(const float *x, const float *t, float *loss, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float gap = i < (wrong == MISSING_TAIL ? n / 32 * 32 : n) ? x[i] - t[i] : 0.0f;
    float sum = warp_sum(gap * gap);
    if (threadIdx.x == 0) atomicAdd(loss, wrong == MISSING_SCALE ? sum : sum / n);
}
ENTRY squared_right(const float *x, const float *t, float *loss, int n) { squared<RIGHT>(x, t, loss, n); }
ENTRY squared_missing_scale(const float *x, const float *t, float *loss, int n) { squared<MISSING_SCALE>(x, t, loss, n); }
ENTRY squared_missing_tail(const float *x, const float *t, float *loss, int n) { squared<MISSING_TAIL>(x, t, loss, n); }

// Huber's loss: squares up to `delta`, lines beyond. The wrong mask: squares everywhere below, lines above.
template <Wrong wrong> __device__ void huber(const float *x, const float *t, float *loss, float delta, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float gap = x[i] - t[i], size = wrong == WRONG_MASK ? gap : fabsf(gap);
    float line = wrong == MISSING_SCALE ? size - 0.5f * delta : delta * (size - 0.5f * delta);
    loss[i] = size < delta ? 0.5f * gap * gap : line;
}
#define HUBER(name, wrong) \
    ENTRY name(const float *x, const float *t, float *loss, float delta, int n) { huber<wrong>(x, t, loss, delta, n); }
HUBER(huber_right, RIGHT)
HUBER(huber_missing_scale, MISSING_SCALE)
HUBER(huber_wrong_mask, WRONG_MASK)
