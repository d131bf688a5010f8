// c += a b; CTA z takes every third step of k and adds its part by red.
extern "C" __global__ void split_k(const float *a, const float *b, float *c, int m, int n, int k) {
    float sum = 0.0f;
    for (int i = blockIdx.z; i < k; i += gridDim.z) sum += a[threadIdx.y * k + i] * b[i * n + threadIdx.x];
    atomicAdd(c + threadIdx.y * n + threadIdx.x, sum);
}
