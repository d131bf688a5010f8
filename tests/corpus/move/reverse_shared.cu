// Each CTA of 50 threads reverses its 50 elements.
extern "C" __global__ void reverse_shared(const unsigned short *x, unsigned short *y) {
    __shared__ unsigned short s[50];
    s[threadIdx.x] = x[blockIdx.x * 50 + threadIdx.x];
    __syncthreads();
    y[blockIdx.x * 50 + threadIdx.x] = s[49 - threadIdx.x];
}
