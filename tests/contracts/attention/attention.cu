// Attention, a thread a query, one pass over the keys with a running maximum; head dimension 4.
#include "../wrong.cuh"

#define D 4

// The state of one query: the largest score so far, the sum of exponentials, and the weighted sum of values.
struct Running {
    float most = -INFINITY, sum = 0.0f, value[D] = {};

    __device__ __forceinline__ void add(float score, const float *v, int step)
    {
        float more = fmaxf(most, score), keep = __expf(most - more), power = __expf(score - more);
        sum = sum * keep + power;
        for (int d = 0; d < D; d++) value[d] = value[d] * keep + power * v[d * step];
        most = more;
    }
};

__device__ __forceinline__ float dot(const float *q, const float *k)
{
    float sum = 0.0f;
    for (int d = 0; d < D; d++) sum += q[d] * k[d];
    return sum;
}

// Each query sees the keys up to its own. The wrong mask lets one more through.
template <Wrong wrong> __device__ void causal(const float *q, const float *k, const float *v, float *o, float scale, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    if (wrong == MISSING_SCALE) scale = 1.0f;
    int end = wrong == WRONG_MASK ? min(i + 2, n) : wrong == MISSING_TAIL ? max((i + 1) / 4 * 4, 1) : i + 1;
    Running state;
    LOOP(j, end) state.add(scale * dot(q + i * D, k + j * D), wrong == TRANSPOSED ? v + j : v + j * D, wrong == TRANSPOSED ? n : 1);
    for (int d = 0; d < D; d++) o[i * D + d] = state.value[d] / state.sum;
}
#define CAUSAL(name, wrong) \
    ENTRY name(const float *q, const float *k, const float *v, float *o, float scale, int n) { causal<wrong>(q, k, v, o, scale, n); }
CAUSAL(causal_right, RIGHT)
CAUSAL(causal_missing_scale, MISSING_SCALE)
CAUSAL(causal_wrong_mask, WRONG_MASK)
CAUSAL(causal_transposed, TRANSPOSED)
CAUSAL(causal_missing_tail, MISSING_TAIL)

// Grouped queries: `group` heads of q share one of k and v, neighbours. The wrong axis: every heads-th one.
template <Wrong wrong> __device__ void grouped(const float *q, const float *k, const float *v, float *o, int n, int group)
{
    int i = threadIdx.x, head = blockIdx.x, shared = wrong == WRONG_AXIS ? head % (gridDim.x / group) : head / group;
    if (i >= n) return;
    float scale = wrong == MISSING_SCALE ? 1.0f : 0.5f;
    Running state;
    LOOP(j, n) state.add(scale * dot(q + (head * n + i) * D, k + (shared * n + j) * D), v + (shared * n + j) * D, 1);
    for (int d = 0; d < D; d++) o[(head * n + i) * D + d] = state.value[d] / state.sum;
}
#define GROUPED(name, wrong) \
    ENTRY name(const float *q, const float *k, const float *v, float *o, int n, int group) { grouped<wrong>(q, k, v, o, n, group); }
GROUPED(grouped_right, RIGHT)
GROUPED(grouped_wrong_axis, WRONG_AXIS)
GROUPED(grouped_missing_scale, MISSING_SCALE)

// A mask of bytes, known, [queries][keys]. The wrong mask is transposed.
template <Wrong wrong>
__device__ void masked(const float *q, const float *k, const float *v, const unsigned char *mask, float *o, int n)
{
    int i = threadIdx.x;
    if (i >= n) return;
    Running state;
    LOOP(j, n)
    {
        if (mask[wrong == WRONG_MASK ? j * n + i : i * n + j]) state.add(0.5f * dot(q + i * D, k + j * D), v + j * D, 1);
    }
    for (int d = 0; d < D; d++) o[i * D + d] = state.value[d] / state.sum;
}
#define MASKED(name, wrong) \
    ENTRY name(const float *q, const float *k, const float *v, const unsigned char *mask, float *o, int n) \
    { \
        masked<wrong>(q, k, v, mask, o, n); \
    }
MASKED(masked_right, RIGHT)
MASKED(masked_wrong_mask, WRONG_MASK)

// A window of `width` keys that ends at the query, with a penalty that grows with the distance.
template <Wrong wrong>
__device__ void window(const float *q, const float *k, const float *v, float *o, float slope, int n, int width)
{
    int i = threadIdx.x;
    if (i >= n) return;
    Running state;
#pragma unroll 1
    for (int j = max(0, i - width + (wrong == WRONG_MASK ? 0 : 1)); j <= i; j++) {
        float penalty = (wrong == MISSING_SCALE ? 1.0f : slope) * (i - j);
        state.add((0.5f * dot(q + i * D, k + j * D)) - penalty, v + j * D, 1);
    }
    for (int d = 0; d < D; d++) o[i * D + d] = state.value[d] / state.sum;
}
#define WINDOW(name, wrong) \
    ENTRY name(const float *q, const float *k, const float *v, float *o, float slope, int n, int width) \
    { \
        window<wrong>(q, k, v, o, slope, n, width); \
    }
WINDOW(window_right, RIGHT)
WINDOW(window_wrong_mask, WRONG_MASK)
WINDOW(window_missing_scale, MISSING_SCALE)

// One query a CTA, its keys, at least 32, dealt to the lanes of a warp, whose results are merged by shuffles. The missing scale: a lane's
// values are not brought to the common maximum.
template <Wrong wrong> __device__ void split(const float *q, const float *k, const float *v, float *o, int n)
{
    Running state;
    EACH(j, wrong == MISSING_TAIL ? n / 32 * 32 : n) state.add(0.5f * dot(q + blockIdx.x * D, k + j * D), v + j * D, 1);
    float most = warp_max(state.most), keep = __expf(state.most - most), sum = warp_sum(keep * state.sum);
    for (int d = 0; d < D; d++) {
        float total = warp_sum((wrong == MISSING_SCALE ? 1.0f : keep) * state.value[d]);
        if (threadIdx.x == 0) o[blockIdx.x * D + d] = total / sum;
    }
}
ENTRY split_right(const float *q, const float *k, const float *v, float *o, int n) { split<RIGHT>(q, k, v, o, n); }
ENTRY split_missing_scale(const float *q, const float *k, const float *v, float *o, int n) { split<MISSING_SCALE>(q, k, v, o, n); }
ENTRY split_missing_tail(const float *q, const float *k, const float *v, float *o, int n) { split<MISSING_TAIL>(q, k, v, o, n); }
