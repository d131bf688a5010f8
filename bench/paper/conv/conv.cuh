#pragma once

// AlexNet's first layer: y[image][filter][pixel] of x[image][channel][row][column], 96 filters of 11 x 11, stride 4, two zeros
// around each image. As a matrix product the filters are 96 rows of K = channels * 121 weights, and the columns of the other
// factor are the patches of x under each output pixel of all images, which are gathered and never stored ("implicit GEMM").
#include <mma.h>
using namespace nvcuda;

constexpr int KERNEL = 11, STRIDE = 4, PAD = 2, TAPS = KERNEL * KERNEL;
constexpr int FILTERS = 96, COLUMNS = 128, STEP = 16;
// Eight halves more than the tile is wide, so that the rows of a fragment begin in different banks.
constexpr int W_PITCH = STEP + 8, X_PITCH = COLUMNS + 8;

struct Shape {
    int batch, channels, height, width;
    __device__ int columns() const { return (width + 2 * PAD - KERNEL) / STRIDE + 1; }
    __device__ int pixels() const { return ((height + 2 * PAD - KERNEL) / STRIDE + 1) * columns(); }
};

// Where an output pixel lies: its image, and the input row and column under the top left weight, which may be outside.
struct Patch {
    int image, pixel, top, left;
    __device__ Patch(const Shape &shape, int column)
        : image(column / shape.pixels()), pixel(column % shape.pixels()), top(pixel / shape.columns() * STRIDE - PAD),
          left(pixel % shape.columns() * STRIDE - PAD)
    {
    }
};

enum Wrong { RIGHT, NO_LEFT_BORDER, NO_BARRIER };

// 256 threads make a tile of 96 filters x 128 pixels, their warps WARPS_DOWN x 8 / WARPS_DOWN parts of it, in steps of 16 along
// K. While the tensor cores work on a step the next one is on its way to registers. The earlier version has WARPS_DOWN = 4: its
// last two warps compute filters 96 to 127, which nobody stores, from weights behind the tile, which is the end of shared
// memory.
template <int WARPS_DOWN, Wrong wrong>
__device__ __forceinline__ void implicit_gemm(const __half *x, const __half *w, float *y, const Shape &shape)
{
    constexpr int WARPS_ACROSS = 8 / WARPS_DOWN;
    constexpr int DOWN = (FILTERS + 16 * WARPS_DOWN - 1) / (16 * WARPS_DOWN), ACROSS = COLUMNS / (16 * WARPS_ACROSS);
    __shared__ __align__(32) __half tiles[STEP * X_PITCH + FILTERS * W_PITCH];
    __half *x_tile = tiles, *w_tile = tiles + STEP * X_PITCH;
    int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    int down = warp / WARPS_ACROSS * DOWN * 16, across = warp % WARPS_ACROSS * ACROSS * 16;
    int depth = shape.channels * TAPS;

    // A thread gathers eight taps of one pixel, and one tap of six filters.
    int x_col = tid % COLUMNS, x_row = tid / COLUMNS, w_col = tid % STEP, w_row = tid / STEP;
    bool exists = blockIdx.x * COLUMNS + x_col < shape.batch * shape.pixels();
    Patch patch(shape, blockIdx.x * COLUMNS + x_col);
    __half next_x[8], next_w[6];
    auto fetch = [&](int k0) {
#pragma unroll
        for (int i = 0; i < 8; i++) {
            int k = k0 + x_row + 2 * i, channel = k / TAPS;
            int row = patch.top + k % TAPS / KERNEL, col = patch.left + k % TAPS % KERNEL;
            bool inside = row >= 0 && row < shape.height && (wrong == NO_LEFT_BORDER || col >= 0) && col < shape.width;
            const __half *plane = x + (patch.image * shape.channels + channel) * shape.height * shape.width;
            next_x[i] = exists && k < depth && inside ? plane[row * shape.width + col] : __half(0.0f);
        }
#pragma unroll
        for (int i = 0; i < 6; i++) {
            next_w[i] = k0 + w_col < depth ? w[(w_row + 16 * i) * depth + k0 + w_col] : __half(0.0f);
        }
    };

    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[DOWN][ACROSS];
    for (int i = 0; i < DOWN; i++)
        for (int j = 0; j < ACROSS; j++) wmma::fill_fragment(sums[i][j], 0.0f);

    fetch(0);
    for (int k0 = 0; k0 < depth; k0 += STEP) {
#pragma unroll
        for (int i = 0; i < 8; i++) x_tile[(x_row + 2 * i) * X_PITCH + x_col] = next_x[i];
#pragma unroll
        for (int i = 0; i < 6; i++) w_tile[(w_row + 16 * i) * W_PITCH + w_col] = next_w[i];
        __syncthreads();
        if (k0 + STEP < depth) fetch(k0 + STEP);
        wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> columns[ACROSS];
#pragma unroll
        for (int j = 0; j < ACROSS; j++) wmma::load_matrix_sync(columns[j], x_tile + across + 16 * j, X_PITCH);
#pragma unroll
        for (int i = 0; i < DOWN; i++) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> rows;
            wmma::load_matrix_sync(rows, w_tile + (down + 16 * i) * W_PITCH, W_PITCH);
#pragma unroll
            for (int j = 0; j < ACROSS; j++) wmma::mma_sync(sums[i][j], rows, columns[j], sums[i][j]);
        }
        if (wrong != NO_BARRIER) __syncthreads();
    }

    // The pixels of an image lie together, 3025 for each filter, and a tile may go on in the next image: fragments cannot be
    // stored as they are. Each warp turns its own in shared memory, where the tiles were.
    float *turn = reinterpret_cast<float *>(tiles) + warp * 256;
#pragma unroll
    for (int i = 0; i < DOWN; i++) {
#pragma unroll
        for (int j = 0; j < ACROSS; j++) {
            wmma::store_matrix_sync(turn, sums[i][j], 16, wmma::mem_row_major);
            __syncwarp();
            int column = blockIdx.x * COLUMNS + across + 16 * j + lane % 16;
            Patch to(shape, column);
            for (int row = lane / 16; row < 16; row += 2) {
                int filter = down + 16 * i + row;
                if (filter < FILTERS && column < shape.batch * shape.pixels())
                    y[(to.image * FILTERS + filter) * shape.pixels() + to.pixel] = turn[row * 16 + lane % 16];
            }
            __syncwarp();
        }
    }
}

#define ENTRY(name, warps_down, wrong)                                                                                       \
    extern "C" __global__ void name(const __half *x, const __half *w, float *y, int batch, int channels, int height,         \
                                    int width)                                                                               \
    {                                                                                                                        \
        implicit_gemm<warps_down, wrong>(x, w, y, {batch, channels, height, width});                                         \
    }
