// Control flow and addresses.

// The 3n + 1 sequence goes round 1, 4, 2 for ever; the test is for 0.
extern "C" __global__ void endless_loop(const float *x, float *y, int n)
{
    float sum = 0.0f;
    int i = n;
    while (i != 0) {
        sum = sum * 0.5f + x[threadIdx.x];
        if (i % 2 == 0) {
            i = i / 2;
        } else {
            i = 3 * i + 1;
        }
    }
    y[threadIdx.x] = sum;
}

// How often the loop runs depends on the data.
extern "C" __global__ void halve_until_small(const float *x, float *y)
{
    float value = x[threadIdx.x];
    while (value > 1.0f) {
        value *= 0.5f;
    }
    y[threadIdx.x] = value;
}

// Which element is read depends on the data: known for a known index tensor only.
extern "C" __global__ void gather(const float *x, const int *index, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[index[i]];
    }
}

extern "C" __global__ void copy(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}

// A selection by the data is no branch: the leaky ReLU, with either test.
extern "C" __global__ void leaky_relu(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = x[i];
        y[i] = value > 0.0f ? value : 0.25f * value;
    }
}

extern "C" __global__ void leaky_relu_turned(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = x[i];
        y[i] = value <= 0.0f ? 0.25f * value : value;
    }
}
