// One thread announces bytes and delivers them by a second arrival's completion; all wait with try_wait.
extern "C" __global__ void bulk_expect(const float *x, float *y, int n) {
    __shared__ float buffer[64];
    __shared__ unsigned long long barrier;
    unsigned bar = static_cast<unsigned>(__cvta_generic_to_shared(&barrier)), t = threadIdx.x;
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 33;" ::"r"(bar) : "memory");
    __syncthreads();
    for (int i = t; i < n; i += 32) buffer[i] = x[i];
    unsigned long long token;
    asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(bar) : "memory");
    if (t == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 16;" ::"r"(bar) : "memory");
        asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 [%0], 16;" ::"r"(bar) : "memory");
    }
    unsigned done = 0;
    while (!done) {
        asm volatile("{\n\t.reg .pred p;\n\tmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n\tselp.u32 %0, 1, 0, p;\n\t}"
                     : "=r"(done) : "r"(bar) : "memory");
    }
    for (int i = t; i < n; i += 32) y[i] = buffer[n - 1 - i];
}
