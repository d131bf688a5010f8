// y[id[i] mod 3] += x[i], by atomics of floats whose order does not matter over the reals.
extern "C" __global__ void scatter_add(const int *id, const float *x, float *y, int d) {
    int row = id[blockIdx.x] % 3;
    for (int c = threadIdx.x; c < d; c += 32) atomicAdd(&y[row * d + c], x[blockIdx.x * d + c]);
}
