// o = softmax(scale * q @ k^T) @ v for row-major n x d matrices. One CTA of n threads a query row:
// thread j computes the score of key j, then columns j, j + n, ... of the output row.
#define MAX_KEYS 128

extern "C" __global__ void attention_naive(const float *q, const float *k, const float *v, float *o,
                                           int n, int d, float scale)
{
    __shared__ float score[MAX_KEYS];
    int key = threadIdx.x;
    int row = blockIdx.x;

    float dot = 0.0f;
    for (int i = 0; i < d; i++) {
        dot += q[row * d + i] * k[key * d + i];
    }
    float mine = dot * scale;
    score[key] = mine;
    __syncthreads();

    float largest = score[0];
    for (int j = 1; j < n; j++) {
        largest = fmaxf(largest, score[j]);
    }
    __syncthreads();
    score[key] = expf(mine - largest);
    __syncthreads();

    float sum = 0.0f;
    for (int j = 0; j < n; j++) {
        sum += score[j];
    }
    for (int col = key; col < d; col += n) {
        float acc = 0.0f;
        for (int j = 0; j < n; j++) {
            acc += score[j] * v[j * d + col];
        }
        o[row * d + col] = acc / sum;
    }
}
