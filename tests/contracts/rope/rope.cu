// Rotary embeddings, a thread a pair.
#include "../wrong.cuh"

// x: [positions][heads][d]; the pairs are the two halves of a head, the tables [positions][d / 2].
template <Wrong wrong> __device__ void halves(const float *x, const float *cosine, const float *sine, float *y, int heads, int d)
{
    int position = blockIdx.x, head = blockIdx.y, i = threadIdx.x, half = d / 2;
    if (i >= (wrong == MISSING_TAIL ? half - 1 : half)) return;
    int start = (position * heads + head) * d, entry = (wrong == WRONG_AXIS ? head : position) * half + i;
    float c = cosine[entry], s = wrong == TRANSPOSED ? -sine[entry] : sine[entry];
    float a = x[start + i], b = x[start + half + i];
    y[start + i] = a * c - b * s;
    y[start + half + i] = b * c + a * s;
}
#define HALVES(name, wrong) \
    ENTRY name(const float *x, const float *cosine, const float *sine, float *y, int heads, int d) \
    { \
        halves<wrong>(x, cosine, sine, y, heads, d); \
    }
HALVES(halves_right, RIGHT)
HALVES(halves_wrong_axis, WRONG_AXIS)
HALVES(halves_transposed, TRANSPOSED)
HALVES(halves_missing_tail, MISSING_TAIL)

// The pairs are neighbours, the angles position frequency; positions are known, and stretched by `scale`. In place.
template <Wrong wrong> __device__ void neighbours(float2 *x, const int *position, const float *frequency, float scale, int half)
{
    int i = threadIdx.x;
    if (i >= half) return;
    float angle = (wrong == MISSING_SCALE ? 1.0f : scale) * position[blockIdx.x] * frequency[i];
    float2 pair = x[blockIdx.x * half + i];
    float c = __cosf(angle), s = __sinf(angle);
    float2 turned = make_float2(pair.x * c - pair.y * s, pair.x * s + pair.y * c);
    x[blockIdx.x * half + i] = wrong == TRANSPOSED ? make_float2(turned.y, turned.x) : turned;
}
#define NEIGHBOURS(name, wrong) \
    ENTRY name(float2 *x, const int *position, const float *frequency, float scale, int half) \
    { \
        neighbours<wrong>(x, position, frequency, scale, half); \
    }
NEIGHBOURS(neighbours_right, RIGHT)
NEIGHBOURS(neighbours_missing_scale, MISSING_SCALE)
NEIGHBOURS(neighbours_transposed, TRANSPOSED)
