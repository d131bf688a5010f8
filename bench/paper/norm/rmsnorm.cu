// RMS norm along rows of n elements, y = x gamma / sqrt(mean of x^2 + eps), forward and backward, each in two ways.
enum Wrong { RIGHT, EPSILON_OUTSIDE, NO_GAMMA };

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

// The sum over a CTA by shuffles: in each warp, then of the warps' sums in every warp.
__device__ __forceinline__ float shuffle_sum(float value, float *part)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
    if (lane == 0) part[warp] = value;
    __syncthreads();
    value = lane < warps ? part[lane] : 0.0f;
    for (int mask = 16; mask > 0; mask /= 2) value += __shfl_xor_sync(0xffffffff, value, mask);
    __syncthreads();
    return value;
}

// Forward, a CTA a row, element by element.
extern "C" __global__ void forward_tree(const float *x, const float *gamma, float *y, int n, float eps)
{
    extern __shared__ float part[];
    const float *in = x + blockIdx.x * n;
    float squares = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) squares += in[i] * in[i];
    float factor = 1.0f / sqrtf(tree_sum(squares, part) / n + eps);
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[blockIdx.x * n + i] = in[i] * factor * gamma[i];
}

// Forward, four elements a thread, n / 4 threads.
template <Wrong wrong> __device__ __forceinline__ void forward(const float *x, const float *gamma, float *y, int n, float eps)
{
    __shared__ float part[32];
    int at = blockIdx.x * n + 4 * threadIdx.x;
    float4 v = *(const float4 *)&x[at], g = *(const float4 *)&gamma[4 * threadIdx.x];
    float squares = shuffle_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, part);
    float factor = wrong == EPSILON_OUTSIDE ? rsqrtf(squares / n) + eps : rsqrtf(squares / n + eps);
    *(float4 *)&y[at] = make_float4(v.x * factor * g.x, v.y * factor * g.y, v.z * factor * g.z, v.w * factor * g.w);
}
extern "C" __global__ void forward_float4(const float *x, const float *gamma, float *y, int n, float eps)
{
    forward<RIGHT>(x, gamma, y, n, eps);
}
extern "C" __global__ void forward_float4_epsilon(const float *x, const float *gamma, float *y, int n, float eps)
{
    forward<EPSILON_OUTSIDE>(x, gamma, y, n, eps);
}

// Gradient of the input, r dy gamma - x r^3 mean of (dy gamma x) with r = 1 / sqrt(mean of x^2 + eps): a CTA a row, trees.
extern "C" __global__ void input_tree(const float *dy, const float *x, const float *gamma, float *dx, int n, float eps)
{
    extern __shared__ float part[];
    int row = blockIdx.x * n;
    float squares = 0.0f, along = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        squares += x[row + i] * x[row + i];
        along += dy[row + i] * gamma[i] * x[row + i];
    }
    float factor = rsqrtf(tree_sum(squares, part) / n + eps);
    float mean = tree_sum(along, part) / n;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        dx[row + i] = factor * dy[row + i] * gamma[i] - x[row + i] * factor * factor * factor * mean;
}

// The same with one factor taken out of all, four elements a thread; both sums go through one buffer.
template <Wrong wrong>
__device__ __forceinline__ void input(const float *dy, const float *x, const float *gamma, float *dx, int n, float eps)
{
    __shared__ float part[32];
    int at = blockIdx.x * n + 4 * threadIdx.x;
    float4 v = *(const float4 *)&x[at], d = *(const float4 *)&dy[at], g = *(const float4 *)&gamma[4 * threadIdx.x];
    float r = rsqrtf(shuffle_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, part) / n + eps);
    float4 h = make_float4(d.x * g.x, d.y * g.y, d.z * g.z, d.w * g.w);
    float last = wrong == NO_GAMMA ? d.w : h.w;
    float along = shuffle_sum(h.x * v.x + h.y * v.y + h.z * v.z + last * v.w, part) * r * r / n;
    *(float4 *)&dx[at] =
        make_float4(r * (h.x - v.x * along), r * (h.y - v.y * along), r * (h.z - v.z * along), r * (h.w - v.w * along));
}
#define INPUT(name, wrong)                                                                                                   \
    extern "C" __global__ void name(const float *dy, const float *x, const float *gamma, float *dx, int n, float eps)        \
    {                                                                                                                        \
        input<wrong>(dy, x, gamma, dx, n, eps);                                                                              \
    }
INPUT(input_float4, RIGHT)
INPUT(input_float4_no_gamma, NO_GAMMA)
