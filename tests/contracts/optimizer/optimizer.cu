// Steps of optimisers, a thread a parameter; parameters and moments are updated in place.
#include "../wrong.cuh"

__device__ __forceinline__ int parameter()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

// Adam; c1 and c2 are 1 - beta^step. The wrong place of epsilon is within the root.
template <Wrong wrong>
__device__ void adam(float *p, const float *g, float *m, float *v, float rate, float b1, float b2, float eps, float c1, float c2, int n)
{
    int i = parameter();
    if (i >= (wrong == MISSING_TAIL ? n / 32 * 32 : n)) return;
    float first = b1 * m[i] + (1.0f - b1) * g[i], second = b2 * v[i] + (1.0f - b2) * g[i] * g[i];
    m[i] = first;
    v[i] = second;
    if (wrong != MISSING_SCALE) first /= c1;
    second /= c2;
    float step = wrong == WRONG_EPSILON ? sqrtf(second + eps) : sqrtf(second) + eps;
    p[i] = wrong == TRANSPOSED ? p[i] + rate * first / step : p[i] - rate * first / step;
}
#define ADAM(name, wrong) \
    ENTRY name(float *p, const float *g, float *m, float *v, float rate, float b1, float b2, float eps, float c1, float c2, int n) \
    { \
        adam<wrong>(p, g, m, v, rate, b1, b2, eps, c1, c2, n); \
    }
ADAM(adam_right, RIGHT)
ADAM(adam_missing_scale, MISSING_SCALE)
ADAM(adam_wrong_epsilon, WRONG_EPSILON)
ADAM(adam_missing_tail, MISSING_TAIL)

// Stochastic gradient descent with Nesterov's momentum and weight decay. The missing scale: the decay is not applied.
template <Wrong wrong>
__device__ void sgd(float *p, const float *g, float *velocity, float rate, float momentum, float decay, int n)
{
    int i = parameter();
    if (i >= (wrong == MISSING_TAIL ? n - 1 : n)) return;
    float gradient = wrong == MISSING_SCALE ? g[i] : g[i] + decay * p[i];
    float fast = momentum * velocity[i] + gradient;
    velocity[i] = fast;
    p[i] -= rate * (gradient + momentum * fast);
}
#define SGD(name, wrong) \
    ENTRY name(float *p, const float *g, float *velocity, float rate, float momentum, float decay, int n) \
    { \
        sgd<wrong>(p, g, velocity, rate, momentum, decay, n); \
    }
SGD(sgd_right, RIGHT)
SGD(sgd_missing_scale, MISSING_SCALE)
SGD(sgd_missing_tail, MISSING_TAIL)

// RMSProp with a gradient that is cut off at +-1, two parameters a thread.
template <Wrong wrong> __device__ void rmsprop(float2 *p, const float2 *g, float2 *s, float rate, float keep, float eps, int pairs)
{
    int i = parameter();
    if (i >= pairs) return;
    auto cut = [](float x) { return fminf(fmaxf(x, -1.0f), 1.0f); };
    auto root = [&](float x) { return wrong == WRONG_EPSILON ? sqrtf(x + eps) : sqrtf(x) + eps; };
    float2 gradient = make_float2(cut(g[i].x), cut(g[i].y)), square = s[i], old = p[i];
    float share = wrong == MISSING_SCALE ? 1.0f : 1.0f - keep;
    square.x = keep * square.x + share * gradient.x * gradient.x;
    square.y = keep * square.y + share * gradient.y * gradient.y;
    s[i] = square;
    p[i] = make_float2(old.x - rate * gradient.x / root(square.x), old.y - rate * gradient.y / root(square.y));
}
#define RMSPROP(name, wrong) \
    ENTRY name(float2 *p, const float2 *g, float2 *s, float rate, float keep, float eps, int pairs) \
    { \
        rmsprop<wrong>(p, g, s, rate, keep, eps, pairs); \
    }
RMSPROP(rmsprop_right, RIGHT)
RMSPROP(rmsprop_missing_scale, MISSING_SCALE)
RMSPROP(rmsprop_wrong_epsilon, WRONG_EPSILON)

// An exponential average of weights, where a known mask says which are trained.
template <Wrong wrong> __device__ void average(float *mean, const float *p, const unsigned char *trained, float keep, int n)
{
    int i = parameter();
    if (i >= n) return;
    if (wrong == WRONG_MASK || trained[i]) mean[i] = keep * mean[i] + (wrong == MISSING_SCALE ? 1.0f : 1.0f - keep) * p[i];
}
#define AVERAGE(name, wrong) \
    ENTRY name(float *mean, const float *p, const unsigned char *trained, float keep, int n) \
    { \
        average<wrong>(mean, p, trained, keep, n); \
    }
AVERAGE(average_right, RIGHT)
AVERAGE(average_wrong_mask, WRONG_MASK)
AVERAGE(average_missing_scale, MISSING_SCALE)

// A gradient cut down to a norm of `most`, one warp. The wrong place of epsilon is in the sum of squares.
template <Wrong wrong> __device__ void clip_norm(const float *g, float *y, float most, float eps, int n)
{
    float squares = wrong == WRONG_EPSILON && threadIdx.x == 0 ? eps : 0.0f;
    EACH(i, wrong == MISSING_TAIL ? n / 32 * 32 : n) squares += g[i] * g[i];
    float norm = sqrtf(warp_sum(squares));
    float factor = most / (wrong == WRONG_EPSILON ? norm : norm + eps);
    if (wrong != MISSING_SCALE) factor = fminf(factor, 1.0f);
    EACH(i, n) y[i] = factor * g[i];
}
#define CLIP_NORM(name, wrong) \
    ENTRY name(const float *g, float *y, float most, float eps, int n) { clip_norm<wrong>(g, y, most, eps, n); }
CLIP_NORM(clip_norm_right, RIGHT)
CLIP_NORM(clip_norm_always, MISSING_SCALE)
CLIP_NORM(clip_norm_wrong_epsilon, WRONG_EPSILON)
CLIP_NORM(clip_norm_missing_tail, MISSING_TAIL)
