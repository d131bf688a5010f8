// y = x sigmoid(2 u), u = sqrt(2/pi) (x + 0.044715 x^3), the same function as the tanh form.
extern "C" __global__ void gelu_exp(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    float u = 0.7978845608f * (v + 0.044715f * v * v * v);
    y[i] = v / (1.0f + expf(-2.0f * u));
}
