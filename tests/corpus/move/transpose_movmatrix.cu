// y[t] = x[t]^T; each lane holds two halves of a row.
extern "C" __global__ void transpose_movmatrix(const unsigned *x, unsigned *y) {
    unsigned v = x[blockIdx.x * 32 + threadIdx.x], w;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(w) : "r"(v));
    y[blockIdx.x * 32 + threadIdx.x] = w;
}
