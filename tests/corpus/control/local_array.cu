// Each thread fills a local array and reads it in an order that depends on its index.
extern "C" __global__ void local_array(const float *x, float *y, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float keep[8];
    for (int k = 0; k < 8; k++) keep[(3 * k + i) & 7] = x[(i + k) % n];
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 0; k < 8; k += 2) sum += keep[(k + i) & 7] * (k + 1);
    y[i] = sum;
}
