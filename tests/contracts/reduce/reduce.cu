// Reductions and scans.
#include "../wrong.cuh"

// y[j] = mean of column j, a thread a column.
template <Wrong wrong> __device__ void column_mean(const float *x, float *y, int rows, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) return;
    float sum = 0.0f;
    LOOP(i, wrong == MISSING_TAIL ? rows / 4 * 4 : rows) sum += x[wrong == WRONG_AXIS ? column * rows + i : i * n + column];
    y[column] = wrong == MISSING_SCALE ? sum : sum / rows;
}
ENTRY column_mean_right(const float *x, float *y, int rows, int n) { column_mean<RIGHT>(x, y, rows, n); }
ENTRY column_mean_wrong_axis(const float *x, float *y, int rows, int n) { column_mean<WRONG_AXIS>(x, y, rows, n); }
ENTRY column_mean_missing_scale(const float *x, float *y, int rows, int n) { column_mean<MISSING_SCALE>(x, y, rows, n); }
ENTRY column_mean_missing_tail(const float *x, float *y, int rows, int n) { column_mean<MISSING_TAIL>(x, y, rows, n); }

// y[row] = the largest absolute value of a row, a warp a row.
template <Wrong wrong> __device__ void row_absmax(const float *x, float *y, int rows, int n)
{
    float most = 0.0f;
    EACH(j, wrong == MISSING_TAIL ? n / 32 * 32 : n)
    {
        most = fmaxf(most, fabsf(x[wrong == WRONG_AXIS ? j * rows + blockIdx.x : blockIdx.x * n + j]));
    }
    most = warp_max(most);
    if (threadIdx.x == 0) y[blockIdx.x] = most;
}
ENTRY row_absmax_right(const float *x, float *y, int rows, int n) { row_absmax<RIGHT>(x, y, rows, n); }
ENTRY row_absmax_wrong_axis(const float *x, float *y, int rows, int n) { row_absmax<WRONG_AXIS>(x, y, rows, n); }
ENTRY row_absmax_missing_tail(const float *x, float *y, int rows, int n) { row_absmax<MISSING_TAIL>(x, y, rows, n); }

// y[0] = sum of squares, one CTA of 64 threads, a tree in shared memory.
template <Wrong wrong> __device__ void sum_squares(const float *x, float *y, int n)
{
    __shared__ float partial[64];
    float sum = 0.0f;
#pragma unroll 1
    for (int i = threadIdx.x; i < (wrong == MISSING_TAIL ? n / 64 * 64 : n); i += 64) sum += x[i] * x[i];
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[0] = partial[0];
}
ENTRY sum_squares_right(const float *x, float *y, int n) { sum_squares<RIGHT>(x, y, n); }
ENTRY sum_squares_missing_tail(const float *x, float *y, int n) { sum_squares<MISSING_TAIL>(x, y, n); }

// The variance of a sample by Welford's update, a thread a row: divided by n - 1.
template <Wrong wrong> __device__ void sample_variance(const float *x, float *y, int rows, int n)
{
    int row = threadIdx.x;
    if (row >= rows) return;
    float mean = 0.0f, squares = 0.0f;
    LOOP(j, n)
    {
        float value = x[row * n + j], before = value - mean;
        mean += before / (j + 1);
        squares += before * (value - mean);
    }
    y[row] = squares / (wrong == MISSING_SCALE ? n : n - 1);
}
ENTRY sample_variance_right(const float *x, float *y, int rows, int n) { sample_variance<RIGHT>(x, y, rows, n); }
ENTRY sample_variance_of_all(const float *x, float *y, int rows, int n) { sample_variance<MISSING_SCALE>(x, y, rows, n); }

// Running sums along rows, a CTA of blockDim.x >= n threads a row, doubling steps in two buffers. The wrong mask: a sum does
// not hold its own element.
template <Wrong wrong> __device__ void running_sum(const float *x, float *y, int n)
{
    extern __shared__ float buffer[];
    int j = threadIdx.x, side = 0, size = blockDim.x;
    const float *row = x + blockIdx.x * n;
    buffer[j] = wrong == WRONG_MASK ? (j > 0 && j <= n ? row[j - 1] : 0.0f) : (j < n ? row[j] : 0.0f);
    for (int step = 1; step < size; step *= 2) {
        __syncthreads();
        float here = buffer[side * size + j];
        side = 1 - side;
        buffer[side * size + j] = here + (j >= step ? buffer[(1 - side) * size + j - step] : 0.0f);
    }
    if (j < (wrong == MISSING_TAIL ? n - 1 : n)) y[blockIdx.x * n + j] = buffer[side * size + j];
}
ENTRY running_sum_right(const float *x, float *y, int n) { running_sum<RIGHT>(x, y, n); }
ENTRY running_sum_wrong_mask(const float *x, float *y, int n) { running_sum<WRONG_MASK>(x, y, n); }
ENTRY running_sum_missing_tail(const float *x, float *y, int n) { running_sum<MISSING_TAIL>(x, y, n); }

// Means of rows of known lengths, a warp a row. The wrong mask takes one element more.
template <Wrong wrong> __device__ void masked_mean(const float *x, const int *length, float *y, int n)
{
    int end = length[blockIdx.x];
    float sum = 0.0f;
    EACH(j, wrong == WRONG_MASK ? min(end + 1, n) : end) sum += x[blockIdx.x * n + j];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) y[blockIdx.x] = sum / (wrong == MISSING_SCALE ? n : end);
}
ENTRY masked_mean_right(const float *x, const int *length, float *y, int n) { masked_mean<RIGHT>(x, length, y, n); }
ENTRY masked_mean_wrong_mask(const float *x, const int *length, float *y, int n) { masked_mean<WRONG_MASK>(x, length, y, n); }
ENTRY masked_mean_missing_scale(const float *x, const int *length, float *y, int n)
{
    masked_mean<MISSING_SCALE>(x, length, y, n);
}

// Kahan's sum, one thread. The missing scale: the error is added twice.
template <Wrong wrong> __device__ void kahan(const float *x, float *y, int n)
{
    float sum = x[0], error = 0.0f;
#pragma unroll 1
    for (int i = 1; i < (wrong == MISSING_TAIL ? n - 1 : n); i++) {
        float term = x[i] - error, next = sum + term;
        error = wrong == MISSING_SCALE ? next - sum : (next - sum) - term;
        sum = next;
    }
    y[0] = sum;
}
ENTRY kahan_right(const float *x, float *y, int n) { kahan<RIGHT>(x, y, n); }
ENTRY kahan_missing_term(const float *x, float *y, int n) { kahan<MISSING_SCALE>(x, y, n); }
ENTRY kahan_missing_tail(const float *x, float *y, int n) { kahan<MISSING_TAIL>(x, y, n); }

// Mean and variance of one row by the lanes of a warp, whose results are merged as Chan does. The missing scale: the gap of two
// means is not weighted with the counts.
template <Wrong wrong> __device__ void merged_variance(const float *x, float *mean, float *variance, int n)
{
    float m = 0.0f, squares = 0.0f, count = 0.0f;
    EACH(j, wrong == MISSING_TAIL ? n / 32 * 32 : n)
    {
        float value = x[j], before = value - m;
        count += 1.0f;
        m += before / count;
        squares += before * (value - m);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        float other = __shfl_xor_sync(0xffffffff, m, mask), more = __shfl_xor_sync(0xffffffff, count, mask);
        float gap = other - m, both = count + more, weight = wrong == MISSING_SCALE ? 0.5f : count * more / both;
        squares += __shfl_xor_sync(0xffffffff, squares, mask) + gap * gap * weight;
        m += gap * more / both;
        count = both;
    }
    if (threadIdx.x > 0) return;
    mean[0] = m;
    variance[0] = squares / n;
}
#define MERGED(name, wrong) \
    ENTRY name(const float *x, float *mean, float *variance, int n) { merged_variance<wrong>(x, mean, variance, n); }
MERGED(merged_variance_right, RIGHT)
MERGED(merged_variance_missing_scale, MISSING_SCALE)
MERGED(merged_variance_missing_tail, MISSING_TAIL)
