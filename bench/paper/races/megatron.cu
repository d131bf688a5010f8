// Layer norm and its gradient of the input, of the kind that a training code for transformers has: blocks of 32 x 2 or 32 x 4
// threads, of which each takes row after row. The warps meet in shared memory. Before: nothing keeps a warp from storing its
// part of the next row where another has not read the result of this row yet. `version` is what an entry's name ends in.
enum Version { BEFORE, AFTER, WRONG };

// Mean, sum of squared distances from it, and the number of elements that they are of.
struct Moments {
    float mean, squares, count;
    __device__ void add(float x)
    {
        count += 1.0f;
        float from = x - mean;
        mean += from / count;
        squares += from * (x - mean);
    }
    __device__ void merge(const Moments &other)
    {
        float all = count + other.count, from = other.mean - mean;
        mean += from * other.count / all;
        squares += other.squares + from * from * count * other.count / all;
        count = all;
    }
};

template <Version version>
__device__ __forceinline__ void layer_norm(const float *x, const float *gamma, const float *beta, float *y, float *mean,
                                           float *invvar, int rows, int n, float eps)
{
    extern __shared__ float parts[]; // three numbers of each warp of the upper half
    int lane = threadIdx.x, warp = threadIdx.y;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        Moments own = {0.0f, 0.0f, 0.0f};
        for (int i = warp * 32 + lane; i < n; i += 32 * blockDim.y) own.add(x[row * n + i]);
        for (int step = 16; step > 0; step /= 2) {
            own.merge({__shfl_down_sync(0xffffffff, own.mean, step), __shfl_down_sync(0xffffffff, own.squares, step),
                       __shfl_down_sync(0xffffffff, own.count, step)});
        }
        for (int step = blockDim.y / 2; step > 0; step /= 2) {
            if (lane == 0 && warp >= step && warp < 2 * step) {
                parts[3 * (warp - step)] = own.mean;
                parts[3 * (warp - step) + 1] = own.squares;
                parts[3 * (warp - step) + 2] = own.count;
            }
            __syncthreads();
            if (lane == 0 && warp < step) own.merge({parts[3 * warp], parts[3 * warp + 1], parts[3 * warp + 2]});
            __syncthreads();
        }
        if (lane == 0 && warp == 0) {
            parts[0] = own.mean;
            parts[1] = own.squares / (version == WRONG ? n - 1 : n);
        }
        __syncthreads();
        float middle = parts[0], factor = rsqrtf(parts[1] + eps);
        for (int i = warp * 32 + lane; i < n; i += 32 * blockDim.y)
            y[row * n + i] = (x[row * n + i] - middle) * factor * gamma[i] + beta[i];
        if (lane == 0 && warp == 0) {
            mean[row] = middle;
            invvar[row] = factor;
        }
        if (version != BEFORE) __syncthreads();
    }
}
#define LAYER_NORM(name, version)                                                                                            \
    extern "C" __global__ void name(const float *x, const float *gamma, const float *beta, float *y, float *mean,            \
                                    float *invvar, int rows, int n, float eps)                                               \
    {                                                                                                                        \
        layer_norm<version>(x, gamma, beta, y, mean, invvar, rows, n, eps);                                                  \
    }
LAYER_NORM(layer_norm_before, BEFORE)
LAYER_NORM(layer_norm_after, AFTER)
LAYER_NORM(layer_norm_wrong, WRONG)

// dx = invvar (dy gamma - mean of dy gamma - x' * mean of dy gamma x') with x' = (x - mean) invvar.
template <Version version>
__device__ __forceinline__ void grad_input(const float *dy, const float *x, const float *mean, const float *invvar,
                                           const float *gamma, float *dx, int rows, int n)
{
    extern __shared__ float parts[]; // two numbers of each thread of the upper half
    int lane = threadIdx.x, warp = threadIdx.y;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float middle = mean[row], factor = invvar[row], sum = 0.0f, along = 0.0f;
        for (int i = warp * 32 + lane; i < n; i += 32 * blockDim.y) {
            float loss = dy[row * n + i] * gamma[i];
            sum += loss;
            along += loss * (x[row * n + i] - middle) * factor;
        }
        for (int mask = 16; mask > 0; mask /= 2) {
            sum += __shfl_xor_sync(0xffffffff, sum, mask);
            along += __shfl_xor_sync(0xffffffff, along, mask);
        }
        for (int step = blockDim.y / 2; step > 0; step /= 2) {
            float *part = parts + 2 * (warp % step * 32 + lane);
            if (warp >= step && warp < 2 * step) {
                part[0] = sum;
                part[1] = along;
            }
            __syncthreads();
            if (warp < step) {
                sum += part[0];
                along += part[1];
            }
            __syncthreads();
        }
        if (warp == 0) {
            parts[2 * lane] = sum;
            parts[2 * lane + 1] = along;
        }
        __syncthreads();
        sum = parts[2 * lane];
        along = parts[2 * lane + 1];
        for (int i = warp * 32 + lane; i < n; i += 32 * blockDim.y) {
            float loss = dy[row * n + i] * (version == WRONG ? 1.0f : gamma[i]);
            dx[row * n + i] = factor / n * (n * loss - sum - (x[row * n + i] - middle) * factor * along);
        }
        if (version != BEFORE) __syncthreads();
    }
}
#define GRAD_INPUT(name, version)                                                                                            \
    extern "C" __global__ void name(const float *dy, const float *x, const float *mean, const float *invvar,                 \
                                    const float *gamma, float *dx, int rows, int n)                                          \
    {                                                                                                                        \
        grad_input<version>(dy, x, mean, invvar, gamma, dx, rows, n);                                                        \
    }
GRAD_INPUT(grad_input_before, BEFORE)
GRAD_INPUT(grad_input_after, AFTER)
GRAD_INPUT(grad_input_wrong, WRONG)
