// A ring through shared memory: copies of 4 bytes arrive on a barrier object, which every thread then waits for.
extern "C" __global__ void mbarrier_copy(const float *x, float *y, int n) {
    __shared__ float buffer[32];
    __shared__ unsigned long long barrier;
    unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)), t = threadIdx.x;
    unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&buffer[t]));
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(bar) : "memory");
    __syncthreads();
    for (int first = 0; first < n; first += 32) {
        int i = first + t, bytes = i < n ? 4 : 0;
        const float *from = x + (i < n ? i : 0);
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
        asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(bar) : "memory");
        unsigned phase = first / 32 & 1, done = 0, last = min(31, n - 1 - first);
        while (!done) {
            asm volatile("{\n\t.reg .pred p;\n\tmbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                         : "=r"(done) : "r"(bar), "r"(phase) : "memory");
        }
        if (i < n) y[i] = 2.0f * buffer[last - t];
        __syncthreads();
    }
    if (t == 0) asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"(bar) : "memory");
}
