// h[i] = a[i] h[i-1] + b[i], h[-1] = 0, by an associative scan of (a, b) in a warp.
extern "C" __global__ void linear_recurrence(const float *a, const float *b, float *h, int n) {
    int lane = threadIdx.x;
    float p = lane < n ? a[lane] : 1.0f, q = lane < n ? b[lane] : 0.0f;
    for (int offset = 1; offset < 32; offset *= 2) {
        float pp = __shfl_up_sync(0xffffffff, p, offset), qq = __shfl_up_sync(0xffffffff, q, offset);
        if (lane >= offset) {
            q = fmaf(p, qq, q);
            p *= pp;
        }
    }
    if (lane < n) h[lane] = q;
}
