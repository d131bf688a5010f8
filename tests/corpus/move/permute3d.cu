// y[k, i, j] = x[i, j, k], a grid-stride loop of 48 threads with divisions by sizes known at launch.
extern "C" __global__ void permute3d(const float *x, float *y, int a, int b, int c) {
    for (unsigned e = threadIdx.x; e < a * b * c; e += blockDim.x) {
        unsigned j = e % b, i = e / b % a, k = e / (a * b);
        y[e] = x[(i * b + j) * c + k];
    }
}
