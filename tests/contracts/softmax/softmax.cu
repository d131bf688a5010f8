// Softmax and its kin, a warp a row if nothing else is said.
#include "../wrong.cuh"

// y = softmax(scale x). The wrong axis: the elements of a row are taken down the columns.
template <Wrong wrong> __device__ void softmax_scaled(const float *x, float *y, float scale, int rows, int n)
{
    int row = blockIdx.x;
    if (wrong == MISSING_SCALE) scale = 1.0f;
    auto at = [&](int j) { return wrong == WRONG_AXIS ? (row * n + j) % rows * n + (row * n + j) / rows : row * n + j; };
    float most = -INFINITY, sum = 0.0f;
    EACH(j, n) most = fmaxf(most, scale * x[at(j)]);
    most = warp_max(most);
    EACH(j, (wrong == MISSING_TAIL ? n / 32 * 32 : n)) sum += __expf(scale * x[at(j)] - most);
    sum = warp_sum(sum);
    EACH(j, n) y[row * n + j] = __expf(scale * x[at(j)] - most) / sum;
}
#define SOFTMAX_SCALED(name, wrong) \
    ENTRY name(const float *x, float *y, float scale, int rows, int n) { softmax_scaled<wrong>(x, y, scale, rows, n); }
SOFTMAX_SCALED(softmax_scaled_right, RIGHT)
SOFTMAX_SCALED(softmax_scaled_wrong_axis, WRONG_AXIS)
SOFTMAX_SCALED(softmax_scaled_missing_scale, MISSING_SCALE)
SOFTMAX_SCALED(softmax_scaled_missing_tail, MISSING_TAIL)

// y[j] = log of the sum of e^x down column j, a thread a column, with a running maximum.
template <Wrong wrong> __device__ void logsumexp_columns(const float *x, float *y, int rows, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) return;
    float most = -INFINITY, sum = 0.0f;
    LOOP(i, wrong == MISSING_TAIL ? rows / 4 * 4 : rows) {
        float value = x[wrong == WRONG_AXIS ? column * rows + i : i * n + column];
        float more = fmaxf(most, value);
        sum = sum * __expf(most - more) + __expf(value - more);
        most = more;
    }
    y[column] = most + __logf(sum);
}
ENTRY logsumexp_columns_right(const float *x, float *y, int rows, int n) { logsumexp_columns<RIGHT>(x, y, rows, n); }
ENTRY logsumexp_columns_wrong_axis(const float *x, float *y, int rows, int n) { logsumexp_columns<WRONG_AXIS>(x, y, rows, n); }
ENTRY logsumexp_columns_missing_tail(const float *x, float *y, int rows, int n)
{
    logsumexp_columns<MISSING_TAIL>(x, y, rows, n);
}

// Softmax over the elements whose mask, which is known, is not 0; the others get 0.
template <Wrong wrong> __device__ void softmax_masked(const float *x, const unsigned char *mask, float *y, int n)
{
    int row = blockIdx.x;
    const unsigned char *seen = mask + (wrong == WRONG_MASK ? (row + 1) % gridDim.x : row) * n;
    float sum = 0.0f;
    EACH(j, n) {
        if (seen[j]) sum += __expf(x[row * n + j]);
    }
    sum = warp_sum(sum);
    EACH(j, n) y[row * n + j] = seen[j] ? __expf(x[row * n + j]) / sum : 0.0f;
}
ENTRY softmax_masked_right(const float *x, const unsigned char *mask, float *y, int n) { softmax_masked<RIGHT>(x, mask, y, n); }
ENTRY softmax_masked_wrong_mask(const float *x, const unsigned char *mask, float *y, int n)
{
    softmax_masked<WRONG_MASK>(x, mask, y, n);
}

// The gradient of softmax(scale x) from its result y and the gradient g of that: d = scale y (g - sum of g y).
template <Wrong wrong> __device__ void softmax_backward(const float *y, const float *g, float *d, float scale, int n)
{
    int start = blockIdx.x * n;
    if (wrong == TRANSPOSED) {
        const float *other = y;
        y = g;
        g = other;
    }
    float sum = 0.0f;
    EACH(j, n) sum += y[start + j] * g[start + j];
    sum = warp_sum(sum);
    EACH(j, n) {
        d[start + j] = (wrong == MISSING_SCALE ? 1.0f : scale) * y[start + j] * (g[start + j] - sum);
    }
}
#define SOFTMAX_BACKWARD(name, wrong) \
    ENTRY name(const float *y, const float *g, float *d, float scale, int n) { softmax_backward<wrong>(y, g, d, scale, n); }
SOFTMAX_BACKWARD(softmax_backward_right, RIGHT)
SOFTMAX_BACKWARD(softmax_backward_missing_scale, MISSING_SCALE)
SOFTMAX_BACKWARD(softmax_backward_transposed, TRANSPOSED)

// Log-softmax of rows that lie `pitch` elements apart.
template <Wrong wrong> __device__ void log_softmax_pitched(const float *x, float *y, int n, int pitch)
{
    const float *row = x + blockIdx.x * (wrong == IGNORED_PADDING ? n : pitch);
    float sum = 0.0f;
    EACH(j, n) sum += __expf(row[j]);
    sum = warp_sum(sum);
    EACH(j, n) y[blockIdx.x * n + j] = row[j] - __logf(sum);
}
ENTRY log_softmax_pitched_right(const float *x, float *y, int n, int pitch) { log_softmax_pitched<RIGHT>(x, y, n, pitch); }
ENTRY log_softmax_ignored_padding(const float *x, float *y, int n, int pitch)
{
    log_softmax_pitched<IGNORED_PADDING>(x, y, n, pitch);
}
