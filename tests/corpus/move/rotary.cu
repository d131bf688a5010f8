// Pairs (x[i], x[i + d/2]) are rotated; d/2 threads a position.
extern "C" __global__ void rotary(const float *x, const float *cosine, const float *sine, float *y, int d) {
    int i = threadIdx.x, half = d / 2, p = blockIdx.x;
    float u = x[p * d + i], v = x[p * d + i + half], c = cosine[p * half + i], s = sine[p * half + i];
    y[p * d + i] = u * c - v * s;
    y[p * d + i + half] = v * c + u * s;
}
