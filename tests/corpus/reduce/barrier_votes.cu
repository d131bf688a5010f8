// y = (how many are multiples of 3, whether all are below 60, whether any is 40), by bar.red; 70 threads.
extern "C" __global__ void barrier_votes(const int *flag, int *y, int n) {
    int i = threadIdx.x, v = i < n ? flag[i] : 1;
    int count = __syncthreads_count(v % 3 == 0), all = __syncthreads_and(v < 60), any = __syncthreads_or(v == 40);
    if (i == 0) y[0] = count, y[1] = all != 0, y[2] = any != 0;
}
