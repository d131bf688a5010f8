// Data that moves.
#include "../wrong.cuh"

// y[b][column][row] = x[b][row][column] through a padded tile, a CTA of 8 by 8 threads a tile of one matrix of a batch.
template <Wrong wrong> __device__ void batch_transpose(const float *x, float *y, int rows, int columns)
{
    __shared__ float tile[8][9];
    const float *from = x + blockIdx.z * rows * columns;
    float *to = y + blockIdx.z * rows * columns;
    int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && column < columns) tile[threadIdx.y][threadIdx.x] = from[row * columns + column];
    __syncthreads();
    column = blockIdx.x * 8 + threadIdx.y;
    row = blockIdx.y * 8 + threadIdx.x;
    int last = wrong == MISSING_TAIL ? rows / 8 * 8 : rows;
    if (row < last && column < columns) to[wrong == TRANSPOSED ? row * columns + column : column * rows + row] = tile[threadIdx.x][threadIdx.y];
}
ENTRY batch_transpose_right(const float *x, float *y, int rows, int columns) { batch_transpose<RIGHT>(x, y, rows, columns); }
ENTRY batch_transpose_transposed(const float *x, float *y, int rows, int columns)
{
    batch_transpose<TRANSPOSED>(x, y, rows, columns);
}
ENTRY batch_transpose_missing_tail(const float *x, float *y, int rows, int columns)
{
    batch_transpose<MISSING_TAIL>(x, y, rows, columns);
}

// A square matrix transposed in place, each pair by one thread. The wrong mask: both threads of a pair swap it.
template <Wrong wrong> __device__ void turn_in_place(float *x, int n)
{
    int column = threadIdx.x, row = blockIdx.x;
    if (column >= n || (wrong != WRONG_MASK && column <= row + (wrong == MISSING_TAIL ? 1 : 0))) return;
    float above = x[row * n + column], below = x[column * n + row];
    x[row * n + column] = below;
    x[column * n + row] = above;
}
ENTRY turn_in_place_right(float *x, int n) { turn_in_place<RIGHT>(x, n); }
ENTRY turn_in_place_wrong_mask(float *x, int n) { turn_in_place<WRONG_MASK>(x, n); }
ENTRY turn_in_place_missing_tail(float *x, int n) { turn_in_place<MISSING_TAIL>(x, n); }

// Rows copied from `from` to `to` elements apart, scaled.
template <Wrong wrong> __device__ void copy_rows(const float *x, float *y, float a, int n, int from, int to)
{
    int column = threadIdx.x, row = blockIdx.x;
    if (wrong == IGNORED_PADDING) to = n;
    if (column < n) y[row * to + column] = wrong == MISSING_SCALE ? x[row * from + column] : a * x[row * from + column];
}
#define COPY_ROWS(name, wrong) \
    ENTRY name(const float *x, float *y, float a, int n, int from, int to) { copy_rows<wrong>(x, y, a, n, from, to); }
COPY_ROWS(copy_rows_right, RIGHT)
COPY_ROWS(copy_rows_ignored_padding, IGNORED_PADDING)
COPY_ROWS(copy_rows_missing_scale, MISSING_SCALE)

// Two tensors side by side. Transposed: the second comes first.
template <Wrong wrong> __device__ void concatenate(const float *a, const float *b, float *y, int left, int right)
{
    int column = threadIdx.x, row = blockIdx.x, n = left + right;
    if (column >= n) return;
    int at = wrong == TRANSPOSED ? (column + left) % n : column;
    y[row * n + column] = at < left ? a[row * left + at] : b[row * right + at - left];
}
ENTRY concatenate_right(const float *a, const float *b, float *y, int left, int right) { concatenate<RIGHT>(a, b, y, left, right); }
ENTRY concatenate_transposed(const float *a, const float *b, float *y, int left, int right)
{
    concatenate<TRANSPOSED>(a, b, y, left, right);
}

// The lower triangle below a diagonal, the rest 0, of rows that are rolled by `shift`.
template <Wrong wrong> __device__ void roll_triangle(const float *x, float *y, int n, int shift)
{
    int column = threadIdx.x, row = blockIdx.x;
    if (column >= n) return;
    bool kept = wrong == WRONG_MASK ? column < row : column <= row;
    int at = (column + n - shift) % n;
    y[row * n + column] = kept ? x[wrong == WRONG_AXIS ? at * n + row : row * n + at] : 0.0f;
}
ENTRY roll_triangle_right(const float *x, float *y, int n, int shift) { roll_triangle<RIGHT>(x, y, n, shift); }
ENTRY roll_triangle_wrong_axis(const float *x, float *y, int n, int shift) { roll_triangle<WRONG_AXIS>(x, y, n, shift); }
ENTRY roll_triangle_wrong_mask(const float *x, float *y, int n, int shift) { roll_triangle<WRONG_MASK>(x, y, n, shift); }
