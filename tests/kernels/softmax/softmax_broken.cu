// Broken siblings of examples/softmax.
#define THREADS 64

// No barrier between reading the maximum from part[0] and writing the first sums over it.
extern "C" __global__ void softmax_missing_barrier(const float *x, float *y, int n)
{
    __shared__ float part[THREADS];
    int tid = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float largest = -INFINITY;
    for (int i = tid; i < n; i += THREADS) {
        largest = fmaxf(largest, in[i]);
    }
    part[tid] = largest;
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] = fmaxf(part[tid], part[tid + stride]);
        }
        __syncthreads();
    }
    largest = part[0];

    float sum = 0.0f;
    for (int i = tid; i < n; i += THREADS) {
        sum += expf(in[i] - largest);
    }
    part[tid] = sum;
    __syncthreads();
    for (int stride = THREADS / 2; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] += part[tid + stride];
        }
        __syncthreads();
    }
    sum = part[0];

    for (int i = tid; i < n; i += THREADS) {
        out[i] = expf(in[i] - largest) / sum;
    }
}

// The running sum is not rescaled when the maximum grows.
extern "C" __global__ void softmax_no_rescale(const float *x, float *y, int n)
{
    int lane = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float largest = -INFINITY;
    float sum = 0.0f;
    for (int i = lane; i < n; i += 32) {
        float value = in[i];
        float grown = fmaxf(largest, value);
        sum += __expf(value - grown);
        largest = grown;
    }
    float row_largest = largest;
    for (int mask = 16; mask > 0; mask /= 2) {
        row_largest = fmaxf(row_largest, __shfl_xor_sync(0xffffffff, row_largest, mask));
    }
    sum *= __expf(largest - row_largest);
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    }
    for (int i = lane; i < n; i += 32) {
        out[i] = __expf(in[i] - row_largest) / sum;
    }
}

// One element too many goes into the sum: the next row's first, and beyond the tensor in the last row.
extern "C" __global__ void softmax_off_by_one(const float *x, float *y, int n)
{
    int lane = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float sum = 0.0f;
    for (int i = lane; i <= n; i += 32) {
        sum += __expf(in[i]);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    }
    for (int i = lane; i < n; i += 32) {
        out[i] = __expf(in[i]) / sum;
    }
}

// exp(0.998 x) instead of exp(x): as if log2 e were 1.44.
extern "C" __global__ void softmax_wrong_constant(const float *x, float *y, int n)
{
    int lane = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float sum = 0.0f;
    for (int i = lane; i < n; i += 32) {
        sum += __expf(0.998f * in[i]);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    }
    for (int i = lane; i < n; i += 32) {
        out[i] = __expf(0.998f * in[i]) / sum;
    }
}

// Right, though it subtracts no maximum: over the reals that changes nothing.
extern "C" __global__ void softmax_no_maximum(const float *x, float *y, int n)
{
    int lane = threadIdx.x;
    const float *in = x + blockIdx.x * n;
    float *out = y + blockIdx.x * n;

    float sum = 0.0f;
    for (int i = lane; i < n; i += 32) {
        sum += __expf(in[i]);
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    }
    for (int i = lane; i < n; i += 32) {
        out[i] = __expf(in[i]) / sum;
    }
}
