// Every thread writes, arrives, waits for its token's phase, and reads the mirrored element; 48 threads.
extern "C" __global__ void mbarrier_tokens(const float *x, float *y, int steps) {
    __shared__ float buffer[2][48];
    __shared__ unsigned long long barrier;
    unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)), t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(blockDim.x) : "memory");
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        buffer[s & 1][t] = x[s * 48 + t];
        unsigned long long token;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
        asm volatile("{\n\t.reg .pred p;\n\twait_for_all:\n\tmbarrier.test_wait.shared.b64 p, [%0], %1;\n\t@p bra arrived;\n\t"
                     "bra wait_for_all;\n\tarrived:\n\t}" ::"r"(bar), "l"(token) : "memory");
        y[s * 48 + t] = buffer[s & 1][47 - t] + x[s * 48 + t];
    }
}
