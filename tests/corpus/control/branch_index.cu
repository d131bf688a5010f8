// y = 2 x, 3 + x, -x or x for i mod 4 = 0, 1, 2, 3, by an indirect branch over a table of labels.
extern "C" __global__ void branch_index(const float *x, float *y, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    asm volatile("{\n\t.reg .u32 %which;\n\tand.b32 %which, %1, 3;\n\t"
                 "targets: .branchtargets double_it, add_three, negate, done;\n\tbrx.idx %which, targets;\n\t"
                 "double_it: add.f32 %0, %0, %0;\n\tbra done;\n\tadd_three: add.f32 %0, %0, 0f40400000;\n\tbra done;\n\t"
                 "negate: neg.f32 %0, %0;\n\tdone:\n\t}"
                 : "+f"(v) : "r"(i));
    y[i] = v;
}
