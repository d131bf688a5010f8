// Layer norm along rows of n elements, forward and backward, each in several ways. The mean and 1 / sqrt(variance + eps) of
// each row are written by the forward kernels and read by the backward ones.
enum Wrong { RIGHT, NOT_CENTRED, NO_MERGE_TERM, NO_BARRIER, NO_GAMMA, ROW_MISSING };

// The sum over a CTA, by a tree in shared memory; the threads are a power of two.
__device__ __forceinline__ float tree_sum(float value, float *part)
{
    int tid = threadIdx.x;
    part[tid] = value;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (tid < step) part[tid] += part[tid + step];
        __syncthreads();
    }
    float sum = part[0];
    __syncthreads();
    return sum;
}

__device__ __forceinline__ float warp_sum(float value)
{
    for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
    return value;
}

// The sum over a CTA by shuffles: in each warp, then of the warps' sums in every warp.
__device__ __forceinline__ float shuffle_sum(float value, float *part)
{
    int lane = threadIdx.x % 32, warps = blockDim.x / 32;
    value = warp_sum(value);
    if (lane == 0) part[threadIdx.x / 32] = value;
    __syncthreads();
    value = warp_sum(lane < warps ? part[lane] : 0.0f);
    __syncthreads();
    return value;
}

// Forward, the mean first and then the squared distances from it: a CTA a row.
extern "C" __global__ void forward_two_pass(const float *x, const float *gamma, const float *beta, float *y, float *mean,
                                            float *rstd, int n, float eps)
{
    extern __shared__ float part[];
    const float *in = x + blockIdx.x * n;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += in[i];
    float middle = tree_sum(sum, part) / n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) squares += (in[i] - middle) * (in[i] - middle);
    float factor = rsqrtf(tree_sum(squares, part) / n + eps);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = (in[i] - middle) * factor * gamma[i] + beta[i];
    if (threadIdx.x == 0) {
        mean[blockIdx.x] = middle;
        rstd[blockIdx.x] = factor;
    }
}

__device__ __forceinline__ void store_row(float *y, float4 v, float4 g, float4 b, float mean, float factor)
{
    v.x = (v.x - mean) * factor * g.x + b.x;
    v.y = (v.y - mean) * factor * g.y + b.y;
    v.z = (v.z - mean) * factor * g.z + b.z;
    v.w = (v.w - mean) * factor * g.w + b.w;
    *(float4 *)y = v;
}

// Forward, two passes over what stays in registers: four elements a thread, n / 4 threads, sums by shuffles.
template <Wrong wrong>
__device__ __forceinline__ void shuffled(const float *x, const float *gamma, const float *beta, float *y, float *mean,
                                         float *rstd, int n, float eps)
{
    __shared__ float part[32];
    int tid = threadIdx.x, at = blockIdx.x * n + 4 * tid;
    float4 v = *(const float4 *)&x[at], g = *(const float4 *)&gamma[4 * tid], b = *(const float4 *)&beta[4 * tid];
    float own = shuffle_sum(v.x + v.y + v.z + v.w, part) / n, last = wrong == NOT_CENTRED ? v.w : v.w - own;
    float dist = (v.x - own) * (v.x - own) + (v.y - own) * (v.y - own) + (v.z - own) * (v.z - own) + last * last;
    float factor = rsqrtf(shuffle_sum(dist, part) / n + eps);
    store_row(&y[at], v, g, b, own, factor);
    if (tid == 0) {
        mean[blockIdx.x] = own;
        rstd[blockIdx.x] = factor;
    }
}

// Forward, Welford's way: four elements a thread, n / 4 threads; moments are merged by shuffles, then over the warps in shared
// memory. All that meet have seen equally many elements, so that merging needs no division but by two.
template <Wrong wrong>
__device__ __forceinline__ void welford(const float *x, const float *gamma, const float *beta, float *y, float *mean,
                                        float *rstd, int n, float eps)
{
    __shared__ float means[32], squares[32];
    int tid = threadIdx.x, warp = tid / 32, warps = blockDim.x / 32, at = blockIdx.x * n + 4 * tid;
    float4 v = *(const float4 *)&x[at], g = *(const float4 *)&gamma[4 * tid], b = *(const float4 *)&beta[4 * tid];
    float own = 0.25f * (v.x + v.y + v.z + v.w);
    float dist = (v.x - own) * (v.x - own) + (v.y - own) * (v.y - own) + (v.z - own) * (v.z - own) + (v.w - own) * (v.w - own);
    float half = 2.0f; // half the number of elements that each of two have seen
    for (int mask = 1; mask < 32; mask *= 2) {
        float from = __shfl_xor_sync(0xffffffff, own, mask) - own;
        dist += __shfl_xor_sync(0xffffffff, dist, mask) + (wrong == NO_MERGE_TERM && mask == 16 ? 0.0f : from * from * half);
        own += 0.5f * from;
        half *= 2.0f;
    }
    if (tid % 32 == 0) {
        means[warp] = own;
        squares[warp] = dist;
    }
    if (wrong != NO_BARRIER) __syncthreads();
    own = means[0];
    dist = squares[0];
    for (int other = 1; other < warps; other++) {
        float from = means[other] - own, share = 1.0f / (other + 1);
        dist += squares[other] + from * from * (128.0f * other * share);
        own += from * share;
    }
    float factor = rsqrtf(dist / n + eps);
    store_row(&y[at], v, g, b, own, factor);
    if (tid == 0) {
        mean[blockIdx.x] = own;
        rstd[blockIdx.x] = factor;
    }
}
#define FORWARD(name, how, wrong)                                                                                            \
    extern "C" __global__ void name(const float *x, const float *gamma, const float *beta, float *y, float *mean,            \
                                    float *rstd, int n, float eps)                                                           \
    {                                                                                                                        \
        how<wrong>(x, gamma, beta, y, mean, rstd, n, eps);                                                                   \
    }
FORWARD(forward_shuffle, shuffled, RIGHT)
FORWARD(forward_shuffle_not_centred, shuffled, NOT_CENTRED)
FORWARD(forward_welford, welford, RIGHT)
FORWARD(forward_welford_no_term, welford, NO_MERGE_TERM)
FORWARD(forward_welford_no_barrier, welford, NO_BARRIER)

// Gradient of the input: rstd (h - mean of h - u mean of h u) with h = dy gamma and u = (x - mean) rstd. A CTA a row, trees.
extern "C" __global__ void input_tree(const float *dy, const float *x, const float *gamma, const float *mean, const float *rstd,
                                      float *dx, int n)
{
    extern __shared__ float part[];
    int row = blockIdx.x * n;
    float sum = 0.0f, along = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float h = dy[row + i] * gamma[i];
        sum += h;
        along += h * ((x[row + i] - mean[blockIdx.x]) * rstd[blockIdx.x]);
    }
    sum = tree_sum(sum, part) / n;
    along = tree_sum(along, part) / n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        float u = (x[row + i] - mean[blockIdx.x]) * rstd[blockIdx.x];
        dx[row + i] = rstd[blockIdx.x] * (dy[row + i] * gamma[i] - sum - u * along);
    }
}

// The same by a warp a row, four elements at a time and both sums by shuffles; the factor is taken out of the second one.
template <Wrong wrong>
__device__ __forceinline__ void input_warp(const float *dy, const float *x, const float *gamma, const float *mean,
                                           const float *rstd, float *dx, int n)
{
    int lane = threadIdx.x, row = blockIdx.x * blockDim.y + threadIdx.y;
    float middle = mean[row], factor = rstd[row], sum = 0.0f, along = 0.0f;
    for (int i = 4 * lane; i < n; i += 128) {
        float4 d = *(const float4 *)&dy[row * n + i], v = *(const float4 *)&x[row * n + i], g = *(const float4 *)&gamma[i];
        sum += d.x * g.x + d.y * g.y + d.z * g.z + d.w * g.w;
        along += d.x * g.x * (v.x - middle) + d.y * g.y * (v.y - middle) + d.z * g.z * (v.z - middle) +
                 d.w * g.w * (v.w - middle);
    }
    sum = warp_sum(sum) / n;
    along = warp_sum(along) * factor * factor / n;
    for (int i = 4 * lane; i < n; i += 128) {
        float4 d = *(const float4 *)&dy[row * n + i], v = *(const float4 *)&x[row * n + i], g = *(const float4 *)&gamma[i], out;
        if (wrong == NO_GAMMA) g = {1.0f, 1.0f, 1.0f, 1.0f};
        out.x = factor * (d.x * g.x - sum - (v.x - middle) * along);
        out.y = factor * (d.y * g.y - sum - (v.y - middle) * along);
        out.z = factor * (d.z * g.z - sum - (v.z - middle) * along);
        out.w = factor * (d.w * g.w - sum - (v.w - middle) * along);
        *(float4 *)&dx[row * n + i] = out;
    }
}
#define INPUT(name, wrong)                                                                                                   \
    extern "C" __global__ void name(const float *dy, const float *x, const float *gamma, const float *mean,                  \
                                    const float *rstd, float *dx, int n)                                                     \
    {                                                                                                                        \
        input_warp<wrong>(dy, x, gamma, mean, rstd, dx, n);                                                                  \
    }
INPUT(input_shuffle, RIGHT)
INPUT(input_shuffle_no_gamma, NO_GAMMA)

// Gradients of gamma and beta, sums down the columns: a thread a column.
extern "C" __global__ void weights_columns(const float *dy, const float *x, const float *mean, const float *rstd, float *dgamma,
                                           float *dbeta, int rows, int n)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= n) return;
    float scale = 0.0f, shift = 0.0f;
    for (int row = 0; row < rows; row++) {
        float d = dy[row * n + column];
        scale += d * (x[row * n + column] - mean[row]) * rstd[row];
        shift += d;
    }
    dgamma[column] = scale;
    dbeta[column] = shift;
}

// The same by blocks of 32 x 8 threads for 32 columns: the eight parts of a column are turned in shared memory, so that eight
// lanes of one warp add them.
template <Wrong wrong>
__device__ __forceinline__ void weights_tile(const float *dy, const float *x, const float *mean, const float *rstd,
                                             float *dgamma, float *dbeta, int rows, int n)
{
    __shared__ float scales[32][9], shifts[32][9];
    int tx = threadIdx.x, ty = threadIdx.y, column = blockIdx.x * 32 + tx;
    float scale = 0.0f, shift = 0.0f;
    for (int row = ty; row < (wrong == ROW_MISSING ? rows - 1 : rows); row += 8) {
        float d = dy[row * n + column];
        scale += d * (x[row * n + column] - mean[row]) * rstd[row];
        shift += d;
    }
    scales[tx][ty] = scale;
    shifts[tx][ty] = shift;
    if (wrong != NO_BARRIER) __syncthreads();
    int place = ty * 4 + tx / 8, part = tx % 8;
    scale = scales[place][part];
    shift = shifts[place][part];
    for (int mask = 4; mask > 0; mask /= 2) {
        scale += __shfl_xor_sync(0xffffffff, scale, mask);
        shift += __shfl_xor_sync(0xffffffff, shift, mask);
    }
    if (part == 0) {
        dgamma[blockIdx.x * 32 + place] = scale;
        dbeta[blockIdx.x * 32 + place] = shift;
    }
}
#define WEIGHTS(name, wrong)                                                                                                 \
    extern "C" __global__ void name(const float *dy, const float *x, const float *mean, const float *rstd, float *dgamma,    \
                                    float *dbeta, int rows, int n)                                                           \
    {                                                                                                                        \
        weights_tile<wrong>(dy, x, mean, rstd, dgamma, dbeta, rows, n);                                                      \
    }
WEIGHTS(weights_turned, RIGHT)
WEIGHTS(weights_turned_row_missing, ROW_MISSING)
WEIGHTS(weights_turned_no_barrier, NO_BARRIER)
