// Warps beyond the data return; the others meet at a barrier with the count of their threads.
extern "C" __global__ void exit_early(const float *x, float *y, int n) {
    __shared__ float s[64];
    int i = threadIdx.x, warps = (n + 31) / 32;
    if (i / 32 >= warps) return;
    s[i] = i < n ? x[i] : 0.0f;
    asm volatile("barrier.sync.aligned 3, %0;" ::"r"(warps * 32) : "memory");
    if (i < n) y[i] = s[n - 1 - i];
}
