// Lookups with indices that are known.
#include "../wrong.cuh"

// y[i] = scale table[ids[i]] + positions[i], a CTA a token.
template <Wrong wrong>
__device__ void embed(const float *table, const int *ids, const float *positions, float *y, float scale, int rows, int d)
{
    int id = ids[blockIdx.x], column = threadIdx.x;
    if (column >= (wrong == MISSING_TAIL ? d - 1 : d)) return;
    float value = table[wrong == TRANSPOSED ? column * rows + id : id * d + column];
    float place = positions[(wrong == WRONG_AXIS ? id : blockIdx.x) * d + column];
    y[blockIdx.x * d + column] = (wrong == MISSING_SCALE ? value : scale * value) + place;
}
#define EMBED(name, wrong) \
    ENTRY name(const float *table, const int *ids, const float *positions, float *y, float scale, int rows, int d) \
    { \
        embed<wrong>(table, ids, positions, y, scale, rows, d); \
    }
EMBED(embed_right, RIGHT)
EMBED(embed_wrong_axis, WRONG_AXIS)
EMBED(embed_missing_scale, MISSING_SCALE)
EMBED(embed_transposed, TRANSPOSED)
EMBED(embed_missing_tail, MISSING_TAIL)

// The gradient of the table: each token adds to the row of its id, but those whose id is 0, which is padding.
template <Wrong wrong> __device__ void scatter(float *gradient, const int *ids, const float *g, int d)
{
    int id = ids[blockIdx.x], column = threadIdx.x;
    if (column >= d || (wrong != WRONG_MASK && id == 0)) return;
    if (wrong == TRANSPOSED) {
        gradient[id * d + column] += g[blockIdx.x * d + column];
    } else {
        atomicAdd(gradient + id * d + column, g[blockIdx.x * d + column]);
    }
}
ENTRY scatter_right(float *gradient, const int *ids, const float *g, int d) { scatter<RIGHT>(gradient, ids, g, d); }
ENTRY scatter_wrong_mask(float *gradient, const int *ids, const float *g, int d) { scatter<WRONG_MASK>(gradient, ids, g, d); }
ENTRY scatter_plain_store(float *gradient, const int *ids, const float *g, int d) { scatter<TRANSPOSED>(gradient, ids, g, d); }

// Means of bags of rows: bag b has the ids from offsets[b] to offsets[b + 1].
template <Wrong wrong> __device__ void bags(const float *table, const int *ids, const int *offsets, float *y, int d)
{
    int start = offsets[blockIdx.x], end = offsets[blockIdx.x + 1], column = threadIdx.x;
    if (column >= d) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = start; i < (wrong == MISSING_TAIL ? end - 1 : end); i++) sum += table[ids[i] * d + column];
    y[blockIdx.x * d + column] = wrong == MISSING_SCALE ? sum : sum / (end - start);
}
ENTRY bags_right(const float *table, const int *ids, const int *offsets, float *y, int d) { bags<RIGHT>(table, ids, offsets, y, d); }
ENTRY bags_missing_scale(const float *table, const int *ids, const int *offsets, float *y, int d)
{
    bags<MISSING_SCALE>(table, ids, offsets, y, d);
}
ENTRY bags_missing_tail(const float *table, const int *ids, const int *offsets, float *y, int d)
{
    bags<MISSING_TAIL>(table, ids, offsets, y, d);
}

// y[i][j] = x[i][columns[j]]. The wrong axis: y[i][j] = x[columns[i]][j].
template <Wrong wrong> __device__ void take(const float *x, const int *columns, float *y, int n)
{
    int i = blockIdx.x, j = threadIdx.x;
    y[i * n + j] = x[wrong == WRONG_AXIS ? columns[i] * n + j : i * n + columns[j]];
}
ENTRY take_right(const float *x, const int *columns, float *y, int n) { take<RIGHT>(x, columns, y, n); }
ENTRY take_wrong_axis(const float *x, const int *columns, float *y, int n) { take<WRONG_AXIS>(x, columns, y, n); }
