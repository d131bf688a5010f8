// o = softmax(scale q k^T) v, one query a CTA of 32 threads.
extern "C" __global__ void attention_naive(const float *q, const float *k, const float *v, float *o, int n, int d, float scale) {
    extern __shared__ float s[];
    int t = threadIdx.x, row = blockIdx.x;
    for (int j = t; j < n; j += 32) {
        float dot = 0.0f;
        for (int i = 0; i < d; i++) dot += q[row * d + i] * k[j * d + i];
        s[j] = dot * scale;
    }
    __syncthreads();
    float top = s[0], sum = 0.0f;
    for (int j = 1; j < n; j++) top = fmaxf(top, s[j]);
    for (int j = 0; j < n; j++) sum += __expf(s[j] - top);
    for (int i = t; i < d; i += 32) {
        float acc = 0.0f;
        for (int j = 0; j < n; j++) acc += __expf(s[j] - top) * v[j * d + i];
        o[row * d + i] = acc / sum;
    }
}
