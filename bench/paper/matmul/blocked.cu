// The products 5 to 7 of the series that matmul.cu begins: C = alpha A B + beta C, and a thread makes 4 x 4 elements of C.
// One CTA of 256 threads makes a tile of 64 x 64. m and n are multiples of 64, k of the depth of the tiles.
#define TILE 64
#define THREADS 256
#define SIDE 4                    // elements of a thread in each direction
#define ACROSS (TILE / SIDE)      // threads in each direction

#define KERNEL extern "C" __global__ void
#define MATRICES const float *a, const float *b, float *c, float alpha, float beta, int m, int n, int k
#define PASSED a, b, c, alpha, beta, m, n, k

template <bool wrong> __device__ void register_block(MATRICES)
{
    constexpr int DEPTH = 16;
    __shared__ float a_tile[TILE * DEPTH];
    __shared__ float b_tile[DEPTH * TILE];
    int row = threadIdx.x / ACROSS * SIDE;
    int col = threadIdx.x % ACROSS * SIDE;
    // The threads cover 16 rows of A's tile and 4 rows of B's at once.
    int a_row = threadIdx.x / DEPTH, a_col = threadIdx.x % DEPTH;
    int b_row = threadIdx.x / TILE, b_col = threadIdx.x % TILE;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    float sum[SIDE][SIDE] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        for (int i = 0; i < TILE; i += THREADS / DEPTH) {
            a_tile[(a_row + i) * DEPTH + a_col] = a[(a_row + (wrong && i == TILE / 2 ? 0 : i)) * k + a_col];
        }
        for (int i = 0; i < DEPTH; i += THREADS / TILE) {
            b_tile[(b_row + i) * TILE + b_col] = b[(b_row + i) * n + b_col];
        }
        __syncthreads();
        a += DEPTH;
        b += DEPTH * n;
        for (int p = 0; p < DEPTH; p++) {
            // SIDE + SIDE reads of shared memory serve SIDE * SIDE products.
            float left[SIDE], right[SIDE];
            for (int i = 0; i < SIDE; i++) {
                left[i] = a_tile[(row + i) * DEPTH + p];
                right[i] = b_tile[p * TILE + col + i];
            }
            for (int i = 0; i < SIDE; i++) {
                for (int j = 0; j < SIDE; j++) {
                    sum[i][j] += left[i] * right[j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            float *out = &c[(row + i) * n + col + j];
            *out = alpha * sum[i][j] + beta * *out;
        }
    }
}

KERNEL matmul_5(MATRICES) { register_block<false>(PASSED); }
KERNEL matmul_5_wrong(MATRICES) { register_block<true>(PASSED); }

__device__ const float4 &vector_at(const float *at) { return *reinterpret_cast<const float4 *>(at); }
__device__ float4 &vector_at(float *at) { return *reinterpret_cast<float4 *>(at); }

// A's tile is transposed on its way to shared memory, so that the elements of A that a thread needs at once are one vector.
template <bool wrong> __device__ void store_transposed(float *a_tile, int row, int col, float4 four)
{
    a_tile[(col + 0) * TILE + row] = four.x;
    a_tile[(col + 1) * TILE + row] = four.y;
    a_tile[(col + 2) * TILE + row] = wrong ? four.w : four.z;
    a_tile[(col + 3) * TILE + row] = wrong ? four.z : four.w;
}

__device__ void outer_product(float sum[SIDE][SIDE], const float *left_at, const float *right_at)
{
    float left[SIDE], right[SIDE];
    vector_at(left) = vector_at(left_at);
    vector_at(right) = vector_at(right_at);
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            sum[i][j] += left[i] * right[j];
        }
    }
}

__device__ void write_block(float *out, const float sum[SIDE][SIDE], float alpha, float beta, int n)
{
    for (int i = 0; i < SIDE; i++) {
        float4 four = vector_at(&out[i * n]);
        four.x = alpha * sum[i][0] + beta * four.x;
        four.y = alpha * sum[i][1] + beta * four.y;
        four.z = alpha * sum[i][2] + beta * four.z;
        four.w = alpha * sum[i][3] + beta * four.w;
        vector_at(&out[i * n]) = four;
    }
}

template <bool wrong> __device__ void vectors(MATRICES)
{
    constexpr int DEPTH = 16;
    __shared__ __align__(16) float a_tile[DEPTH * TILE];
    __shared__ __align__(16) float b_tile[DEPTH * TILE];
    int row = threadIdx.x / ACROSS * SIDE;
    int col = threadIdx.x % ACROSS * SIDE;
    // Each thread brings one vector of A and one of B.
    int a_row = threadIdx.x / (DEPTH / 4), a_col = threadIdx.x % (DEPTH / 4) * 4;
    int b_row = threadIdx.x / (TILE / 4), b_col = threadIdx.x % (TILE / 4) * 4;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    float sum[SIDE][SIDE] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        store_transposed<wrong>(a_tile, a_row, a_col, vector_at(&a[a_row * k + a_col]));
        vector_at(&b_tile[b_row * TILE + b_col]) = vector_at(&b[b_row * n + b_col]);
        __syncthreads();
        a += DEPTH;
        b += DEPTH * n;
        for (int p = 0; p < DEPTH; p++) {
            outer_product(sum, &a_tile[p * TILE + row], &b_tile[p * TILE + col]);
        }
        __syncthreads();
    }
    write_block(&c[row * n + col], sum, alpha, beta, n);
}

KERNEL matmul_6(MATRICES) { vectors<false>(PASSED); }
KERNEL matmul_6_wrong(MATRICES) { vectors<true>(PASSED); }

// The depth of the tiles is a parameter to tune: the threads go round the tiles in steps of whole rows, however deep they are.
template <int DEPTH, bool wrong> __device__ void tuned(MATRICES)
{
    constexpr int A_STEP = THREADS / (DEPTH / 4);
    constexpr int B_STEP = THREADS / (TILE / 4);
    __shared__ __align__(16) float a_tile[DEPTH * TILE];
    __shared__ __align__(16) float b_tile[DEPTH * TILE];
    int row = threadIdx.x / ACROSS * SIDE;
    int col = threadIdx.x % ACROSS * SIDE;
    int a_row = threadIdx.x / (DEPTH / 4), a_col = threadIdx.x % (DEPTH / 4) * 4;
    int b_row = threadIdx.x / (TILE / 4), b_col = threadIdx.x % (TILE / 4) * 4;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    float sum[SIDE][SIDE] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        for (int i = 0; i < TILE; i += A_STEP) {
            // The wrong kernel's columns are those of the depth before the tuning.
            const float *from = &a[(a_row + i) * k + k0 + (wrong ? a_col % 16 : a_col)];
            store_transposed<false>(a_tile, a_row + i, a_col, vector_at(from));
        }
        for (int i = 0; i < DEPTH; i += B_STEP) {
            vector_at(&b_tile[(b_row + i) * TILE + b_col]) = vector_at(&b[(k0 + b_row + i) * n + b_col]);
        }
        __syncthreads();
        for (int p = 0; p < DEPTH; p++) {
            outer_product(sum, &a_tile[p * TILE + row], &b_tile[p * TILE + col]);
        }
        __syncthreads();
    }
    write_block(&c[row * n + col], sum, alpha, beta, n);
}

KERNEL matmul_7(MATRICES) { tuned<32, false>(PASSED); }
KERNEL matmul_7_wrong(MATRICES) { tuned<32, true>(PASSED); }
