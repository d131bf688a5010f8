// y = sigmoid(x), d = y (1 - y); blocks of 50 threads.
extern "C" __global__ void sigmoid_backward(const float *x, float *y, float *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = __frcp_rn(1.0f + expf(-x[i]));
    y[i] = s;
    d[i] = s * (1.0f - s);
}
