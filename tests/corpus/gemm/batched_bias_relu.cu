// c[i] = max(a[i] b[i] + bias, 0); blocks of 30 threads.
extern "C" __global__ void batched_bias_relu(const float *a, const float *b, const float *bias, float *c, int m, int n, int k) {
    int e = blockIdx.x * 30 + threadIdx.x, batch = blockIdx.y;
    if (e >= m * n) return;
    int row = e / n, col = e - row * n;
    float sum = bias[col];
    for (int i = 0; i < k; i++) sum += a[(batch * m + row) * k + i] * b[(batch * k + i) * n + col];
    c[(batch * m + row) * n + col] = fmaxf(sum, 0.0f);
}
