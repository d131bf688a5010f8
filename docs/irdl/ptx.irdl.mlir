irdl.dialect @ptx {
  irdl.operation @abs {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is []
    %7 = irdl.is ["ftz"]
    %8 = irdl.any_of(%6, %7)
    %9 = irdl.is ["bf16"]
    %10 = irdl.is ["bf16x2"]
    %11 = irdl.is ["f16"]
    %12 = irdl.is ["f16x2"]
    %13 = irdl.is ["f32"]
    %14 = irdl.is ["f64"]
    %15 = irdl.is ["s16"]
    %16 = irdl.is ["s32"]
    %17 = irdl.is ["s64"]
    %18 = irdl.any_of(%9, %10, %11, %12, %13, %14, %15, %16, %17)
    %19 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, guard: optional %4, old0: optional %5)
    irdl.results(res: %19)
    irdl.attributes {"modifiers" = %8, "types" = %18}
  }
  irdl.operation @activemask {
    %0 = irdl.is i1
    %1 = irdl.is i32
    %2 = irdl.is []
    %3 = irdl.is ["b32"]
    irdl.operands(guard: optional %0, old0: optional %1)
    irdl.results(res: %1)
    irdl.attributes {"modifiers" = %2, "types" = %3}
  }
  irdl.operation @add {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["cc"]
    %9 = irdl.is ["ftz"]
    %10 = irdl.is ["ftz", "rm"]
    %11 = irdl.is ["ftz", "rm", "sat"]
    %12 = irdl.is ["ftz", "rn"]
    %13 = irdl.is ["ftz", "rn", "sat"]
    %14 = irdl.is ["ftz", "rp"]
    %15 = irdl.is ["ftz", "rp", "sat"]
    %16 = irdl.is ["ftz", "rz"]
    %17 = irdl.is ["ftz", "rz", "sat"]
    %18 = irdl.is ["ftz", "sat"]
    %19 = irdl.is ["rm"]
    %20 = irdl.is ["rm", "sat"]
    %21 = irdl.is ["rn"]
    %22 = irdl.is ["rn", "sat"]
    %23 = irdl.is ["rp"]
    %24 = irdl.is ["rp", "sat"]
    %25 = irdl.is ["rz"]
    %26 = irdl.is ["rz", "sat"]
    %27 = irdl.is ["sat"]
    %28 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27)
    %29 = irdl.is ["bf16"]
    %30 = irdl.is ["bf16x2"]
    %31 = irdl.is ["f16"]
    %32 = irdl.is ["f16x2"]
    %33 = irdl.is ["f32"]
    %34 = irdl.is ["f32x2"]
    %35 = irdl.is ["f64"]
    %36 = irdl.is ["s16"]
    %37 = irdl.is ["s16x2"]
    %38 = irdl.is ["s32"]
    %39 = irdl.is ["s64"]
    %40 = irdl.is ["u16"]
    %41 = irdl.is ["u16x2"]
    %42 = irdl.is ["u32"]
    %43 = irdl.is ["u64"]
    %44 = irdl.any_of(%29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43)
    %45 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, guard: optional %5, old0: optional %6, old1: optional %5)
    irdl.results(res: %45, second: optional %5)
    irdl.attributes {"modifiers" = %28, "types" = %44}
  }
  irdl.operation @addc {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.is []
    %7 = irdl.is ["cc"]
    %8 = irdl.any_of(%6, %7)
    %9 = irdl.is ["s32"]
    %10 = irdl.is ["s64"]
    %11 = irdl.is ["u32"]
    %12 = irdl.is ["u64"]
    %13 = irdl.any_of(%9, %10, %11, %12)
    %14 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, guard: optional %4, old0: optional %5, old1: optional %4)
    irdl.results(res: %14, second: optional %4)
    irdl.attributes {"modifiers" = %8, "types" = %13}
  }
  irdl.operation @address {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.base "#builtin.symbol_ref"
    %2 = irdl.base "#builtin.integer"
    irdl.results(res: %0)
    irdl.attributes {"symbol" = %1, "offset" = %2}
  }
  irdl.operation @and {
    %0 = irdl.is i1
    %1 = irdl.is i16
    %2 = irdl.is i32
    %3 = irdl.is i64
    %4 = irdl.any_of(%0, %1, %2, %3)
    %5 = irdl.any_of(%0, %1, %2, %3)
    %6 = irdl.any_of(%0, %1, %2, %3)
    %7 = irdl.is []
    %8 = irdl.is ["b16"]
    %9 = irdl.is ["b32"]
    %10 = irdl.is ["b64"]
    %11 = irdl.is ["pred"]
    %12 = irdl.any_of(%8, %9, %10, %11)
    %13 = irdl.any_of(%0, %1, %2, %3)
    irdl.operands(in0: optional %4, in1: optional %5, guard: optional %0, old0: optional %6)
    irdl.results(res: %13)
    irdl.attributes {"modifiers" = %7, "types" = %12}
  }
  irdl.operation @applypriority {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["L2::evict_normal"]
    %5 = irdl.is ["L2::evict_normal", "global"]
    %6 = irdl.any_of(%4, %5)
    %7 = irdl.is []
    %8 = irdl.base "#builtin.integer"
    irdl.operands(in0: optional %2, in1: optional %0, guard: optional %3)
    irdl.attributes {"modifiers" = %6, "types" = %7, "offset" = %8}
  }
  irdl.operation @atom {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i16
    %4 = irdl.any_of(%3, %0, %1)
    %5 = irdl.any_of(%3, %0, %1)
    %6 = irdl.is i1
    %7 = irdl.any_of(%3, %0, %1)
    %8 = irdl.base "#builtin.array"
    %9 = irdl.is ["b16"]
    %10 = irdl.is ["b32"]
    %11 = irdl.is ["b64"]
    %12 = irdl.is ["bf16"]
    %13 = irdl.is ["bf16x2"]
    %14 = irdl.is ["f16"]
    %15 = irdl.is ["f16x2"]
    %16 = irdl.is ["f32"]
    %17 = irdl.is ["f64"]
    %18 = irdl.is ["s32"]
    %19 = irdl.is ["s64"]
    %20 = irdl.is ["u32"]
    %21 = irdl.is ["u64"]
    %22 = irdl.any_of(%9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21)
    %23 = irdl.base "#builtin.integer"
    %24 = irdl.any_of(%3, %0, %1)
    irdl.operands(in0: optional %2, in1: optional %4, in2: optional %5, in3: optional %1, guard: optional %6, old0: optional %7)
    irdl.results(res: %24)
    irdl.attributes {"modifiers" = %8, "types" = %22, "offset" = %23}
  }
  irdl.operation @bar {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.any_of(%1, %0)
    %3 = irdl.any_of(%1, %0)
    %4 = irdl.is ["aligned", "and", "cta", "red"]
    %5 = irdl.is ["aligned", "and", "red"]
    %6 = irdl.is ["aligned", "arrive"]
    %7 = irdl.is ["aligned", "arrive", "cta"]
    %8 = irdl.is ["aligned", "cta", "or", "red"]
    %9 = irdl.is ["aligned", "cta", "popc", "red"]
    %10 = irdl.is ["aligned", "cta", "sync"]
    %11 = irdl.is ["aligned", "or", "red"]
    %12 = irdl.is ["aligned", "popc", "red"]
    %13 = irdl.is ["aligned", "sync"]
    %14 = irdl.is ["and", "cta", "red"]
    %15 = irdl.is ["and", "red"]
    %16 = irdl.is ["arrive"]
    %17 = irdl.is ["arrive", "cta"]
    %18 = irdl.is ["cta", "or", "red"]
    %19 = irdl.is ["cta", "popc", "red"]
    %20 = irdl.is ["cta", "sync"]
    %21 = irdl.is ["or", "red"]
    %22 = irdl.is ["popc", "red"]
    %23 = irdl.is ["sync"]
    %24 = irdl.is ["sync", "warp"]
    %25 = irdl.any_of(%4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24)
    %26 = irdl.is []
    %27 = irdl.is ["pred"]
    %28 = irdl.is ["u32"]
    %29 = irdl.any_of(%26, %27, %28)
    %30 = irdl.any_of(%1, %0)
    irdl.operands(in0: optional %0, in1: optional %2, in2: optional %1, guard: optional %1, old0: optional %3)
    irdl.results(res: optional %30)
    irdl.attributes {"modifiers" = %25, "types" = %29}
  }
  irdl.operation @barrier {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.any_of(%1, %0)
    %3 = irdl.any_of(%1, %0)
    %4 = irdl.is ["aligned", "and", "cta", "red"]
    %5 = irdl.is ["aligned", "and", "red"]
    %6 = irdl.is ["aligned", "arrive"]
    %7 = irdl.is ["aligned", "arrive", "cta"]
    %8 = irdl.is ["aligned", "cta", "or", "red"]
    %9 = irdl.is ["aligned", "cta", "popc", "red"]
    %10 = irdl.is ["aligned", "cta", "sync"]
    %11 = irdl.is ["aligned", "or", "red"]
    %12 = irdl.is ["aligned", "popc", "red"]
    %13 = irdl.is ["aligned", "sync"]
    %14 = irdl.is ["and", "cta", "red"]
    %15 = irdl.is ["and", "red"]
    %16 = irdl.is ["arrive"]
    %17 = irdl.is ["arrive", "cta"]
    %18 = irdl.is ["cta", "or", "red"]
    %19 = irdl.is ["cta", "popc", "red"]
    %20 = irdl.is ["cta", "sync"]
    %21 = irdl.is ["or", "red"]
    %22 = irdl.is ["popc", "red"]
    %23 = irdl.is ["sync"]
    %24 = irdl.any_of(%4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23)
    %25 = irdl.is []
    %26 = irdl.is ["pred"]
    %27 = irdl.is ["u32"]
    %28 = irdl.any_of(%25, %26, %27)
    %29 = irdl.any_of(%1, %0)
    irdl.operands(in0: optional %0, in1: optional %2, in2: optional %1, guard: optional %1, old0: optional %3)
    irdl.results(res: optional %29)
    irdl.attributes {"modifiers" = %24, "types" = %28}
  }
  irdl.operation @bfe {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is []
    %6 = irdl.is ["s32"]
    %7 = irdl.is ["s64"]
    %8 = irdl.is ["u32"]
    %9 = irdl.is ["u64"]
    %10 = irdl.any_of(%6, %7, %8, %9)
    %11 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %0, in2: optional %0, guard: optional %3, old0: optional %4)
    irdl.results(res: %11)
    irdl.attributes {"modifiers" = %5, "types" = %10}
  }
  irdl.operation @bfi {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.is []
    %7 = irdl.is ["b32"]
    %8 = irdl.is ["b64"]
    %9 = irdl.any_of(%7, %8)
    %10 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %0, in3: optional %0, guard: optional %4, old0: optional %5)
    irdl.results(res: %10)
    irdl.attributes {"modifiers" = %6, "types" = %9}
  }
  irdl.operation @bfind {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is []
    %5 = irdl.is ["shiftamt"]
    %6 = irdl.any_of(%4, %5)
    %7 = irdl.is ["s32"]
    %8 = irdl.is ["s64"]
    %9 = irdl.is ["u32"]
    %10 = irdl.is ["u64"]
    %11 = irdl.any_of(%7, %8, %9, %10)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %6, "types" = %11}
  }
  irdl.operation @bmsk {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["clamp"]
    %3 = irdl.is ["wrap"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["b32"]
    irdl.operands(in0: optional %0, in1: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %5}
  }
  irdl.operation @brev {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is []
    %6 = irdl.is ["b32"]
    %7 = irdl.is ["b64"]
    %8 = irdl.any_of(%6, %7)
    %9 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %4)
    irdl.results(res: %9)
    irdl.attributes {"modifiers" = %5, "types" = %8}
  }
  irdl.operation @clz {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is []
    %5 = irdl.is ["b32"]
    %6 = irdl.is ["b64"]
    %7 = irdl.any_of(%5, %6)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %7}
  }
  irdl.operation @cnot {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is []
    %7 = irdl.is ["b16"]
    %8 = irdl.is ["b32"]
    %9 = irdl.is ["b64"]
    %10 = irdl.any_of(%7, %8, %9)
    %11 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, guard: optional %4, old0: optional %5)
    irdl.results(res: %11)
    irdl.attributes {"modifiers" = %6, "types" = %10}
  }
  irdl.operation @constant {
    %0 = irdl.base "!builtin.integer"
    %1 = irdl.base "#builtin.integer"
    irdl.results(res: %0)
    irdl.attributes {"value" = %1}
  }
  irdl.operation @copysign {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.is []
    %7 = irdl.is ["f32"]
    %8 = irdl.is ["f64"]
    %9 = irdl.any_of(%7, %8)
    %10 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, guard: optional %4, old0: optional %5)
    irdl.results(res: %10)
    irdl.attributes {"modifiers" = %6, "types" = %9}
  }
  irdl.operation @cos {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["approx"]
    %3 = irdl.is ["approx", "ftz"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["f32"]
    irdl.operands(in0: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %5}
  }
  irdl.operation @cp {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.is i1
    %5 = irdl.any_of(%4, %0, %1)
    %6 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %7 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %8 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %9 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %10 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %11 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %12 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %13 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %14 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "ca", "global", "ignore_src", "shared"]
    %15 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %16 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "ca", "global", "shared"]
    %17 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "ca", "global", "shared::cta"]
    %18 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "cg", "global", "ignore_src", "shared"]
    %19 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %20 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "cg", "global", "shared"]
    %21 = irdl.is ["L2::128B", "L2::256B", "L2::64B", "async", "cg", "global", "shared::cta"]
    %22 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %23 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %24 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %25 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %26 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %27 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %28 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %29 = irdl.is ["L2::128B", "L2::256B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %30 = irdl.is ["L2::128B", "L2::256B", "async", "ca", "global", "ignore_src", "shared"]
    %31 = irdl.is ["L2::128B", "L2::256B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %32 = irdl.is ["L2::128B", "L2::256B", "async", "ca", "global", "shared"]
    %33 = irdl.is ["L2::128B", "L2::256B", "async", "ca", "global", "shared::cta"]
    %34 = irdl.is ["L2::128B", "L2::256B", "async", "cg", "global", "ignore_src", "shared"]
    %35 = irdl.is ["L2::128B", "L2::256B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %36 = irdl.is ["L2::128B", "L2::256B", "async", "cg", "global", "shared"]
    %37 = irdl.is ["L2::128B", "L2::256B", "async", "cg", "global", "shared::cta"]
    %38 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %39 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %40 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %41 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %42 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %43 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %44 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %45 = irdl.is ["L2::128B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %46 = irdl.is ["L2::128B", "L2::64B", "async", "ca", "global", "ignore_src", "shared"]
    %47 = irdl.is ["L2::128B", "L2::64B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %48 = irdl.is ["L2::128B", "L2::64B", "async", "ca", "global", "shared"]
    %49 = irdl.is ["L2::128B", "L2::64B", "async", "ca", "global", "shared::cta"]
    %50 = irdl.is ["L2::128B", "L2::64B", "async", "cg", "global", "ignore_src", "shared"]
    %51 = irdl.is ["L2::128B", "L2::64B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %52 = irdl.is ["L2::128B", "L2::64B", "async", "cg", "global", "shared"]
    %53 = irdl.is ["L2::128B", "L2::64B", "async", "cg", "global", "shared::cta"]
    %54 = irdl.is ["L2::128B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %55 = irdl.is ["L2::128B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %56 = irdl.is ["L2::128B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %57 = irdl.is ["L2::128B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %58 = irdl.is ["L2::128B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %59 = irdl.is ["L2::128B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %60 = irdl.is ["L2::128B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %61 = irdl.is ["L2::128B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %62 = irdl.is ["L2::128B", "async", "ca", "global", "ignore_src", "shared"]
    %63 = irdl.is ["L2::128B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %64 = irdl.is ["L2::128B", "async", "ca", "global", "shared"]
    %65 = irdl.is ["L2::128B", "async", "ca", "global", "shared::cta"]
    %66 = irdl.is ["L2::128B", "async", "cg", "global", "ignore_src", "shared"]
    %67 = irdl.is ["L2::128B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %68 = irdl.is ["L2::128B", "async", "cg", "global", "shared"]
    %69 = irdl.is ["L2::128B", "async", "cg", "global", "shared::cta"]
    %70 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %71 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %72 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %73 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %74 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %75 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %76 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %77 = irdl.is ["L2::256B", "L2::64B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %78 = irdl.is ["L2::256B", "L2::64B", "async", "ca", "global", "ignore_src", "shared"]
    %79 = irdl.is ["L2::256B", "L2::64B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %80 = irdl.is ["L2::256B", "L2::64B", "async", "ca", "global", "shared"]
    %81 = irdl.is ["L2::256B", "L2::64B", "async", "ca", "global", "shared::cta"]
    %82 = irdl.is ["L2::256B", "L2::64B", "async", "cg", "global", "ignore_src", "shared"]
    %83 = irdl.is ["L2::256B", "L2::64B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %84 = irdl.is ["L2::256B", "L2::64B", "async", "cg", "global", "shared"]
    %85 = irdl.is ["L2::256B", "L2::64B", "async", "cg", "global", "shared::cta"]
    %86 = irdl.is ["L2::256B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %87 = irdl.is ["L2::256B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %88 = irdl.is ["L2::256B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %89 = irdl.is ["L2::256B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %90 = irdl.is ["L2::256B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %91 = irdl.is ["L2::256B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %92 = irdl.is ["L2::256B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %93 = irdl.is ["L2::256B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %94 = irdl.is ["L2::256B", "async", "ca", "global", "ignore_src", "shared"]
    %95 = irdl.is ["L2::256B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %96 = irdl.is ["L2::256B", "async", "ca", "global", "shared"]
    %97 = irdl.is ["L2::256B", "async", "ca", "global", "shared::cta"]
    %98 = irdl.is ["L2::256B", "async", "cg", "global", "ignore_src", "shared"]
    %99 = irdl.is ["L2::256B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %100 = irdl.is ["L2::256B", "async", "cg", "global", "shared"]
    %101 = irdl.is ["L2::256B", "async", "cg", "global", "shared::cta"]
    %102 = irdl.is ["L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %103 = irdl.is ["L2::64B", "L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %104 = irdl.is ["L2::64B", "L2::cache_hint", "async", "ca", "global", "shared"]
    %105 = irdl.is ["L2::64B", "L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %106 = irdl.is ["L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %107 = irdl.is ["L2::64B", "L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %108 = irdl.is ["L2::64B", "L2::cache_hint", "async", "cg", "global", "shared"]
    %109 = irdl.is ["L2::64B", "L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %110 = irdl.is ["L2::64B", "async", "ca", "global", "ignore_src", "shared"]
    %111 = irdl.is ["L2::64B", "async", "ca", "global", "ignore_src", "shared::cta"]
    %112 = irdl.is ["L2::64B", "async", "ca", "global", "shared"]
    %113 = irdl.is ["L2::64B", "async", "ca", "global", "shared::cta"]
    %114 = irdl.is ["L2::64B", "async", "cg", "global", "ignore_src", "shared"]
    %115 = irdl.is ["L2::64B", "async", "cg", "global", "ignore_src", "shared::cta"]
    %116 = irdl.is ["L2::64B", "async", "cg", "global", "shared"]
    %117 = irdl.is ["L2::64B", "async", "cg", "global", "shared::cta"]
    %118 = irdl.is ["L2::cache_hint", "async", "ca", "global", "ignore_src", "shared"]
    %119 = irdl.is ["L2::cache_hint", "async", "ca", "global", "ignore_src", "shared::cta"]
    %120 = irdl.is ["L2::cache_hint", "async", "ca", "global", "shared"]
    %121 = irdl.is ["L2::cache_hint", "async", "ca", "global", "shared::cta"]
    %122 = irdl.is ["L2::cache_hint", "async", "cg", "global", "ignore_src", "shared"]
    %123 = irdl.is ["L2::cache_hint", "async", "cg", "global", "ignore_src", "shared::cta"]
    %124 = irdl.is ["L2::cache_hint", "async", "cg", "global", "shared"]
    %125 = irdl.is ["L2::cache_hint", "async", "cg", "global", "shared::cta"]
    %126 = irdl.is ["arrive", "async", "mbarrier"]
    %127 = irdl.is ["arrive", "async", "mbarrier", "noinc"]
    %128 = irdl.is ["arrive", "async", "mbarrier", "noinc", "shared"]
    %129 = irdl.is ["arrive", "async", "mbarrier", "noinc", "shared", "shared::cta"]
    %130 = irdl.is ["arrive", "async", "mbarrier", "noinc", "shared::cta"]
    %131 = irdl.is ["arrive", "async", "mbarrier", "shared"]
    %132 = irdl.is ["arrive", "async", "mbarrier", "shared", "shared::cta"]
    %133 = irdl.is ["arrive", "async", "mbarrier", "shared::cta"]
    %134 = irdl.is ["async", "ca", "global", "ignore_src", "shared"]
    %135 = irdl.is ["async", "ca", "global", "ignore_src", "shared::cta"]
    %136 = irdl.is ["async", "ca", "global", "shared"]
    %137 = irdl.is ["async", "ca", "global", "shared::cta"]
    %138 = irdl.is ["async", "cg", "global", "ignore_src", "shared"]
    %139 = irdl.is ["async", "cg", "global", "ignore_src", "shared::cta"]
    %140 = irdl.is ["async", "cg", "global", "shared"]
    %141 = irdl.is ["async", "cg", "global", "shared::cta"]
    %142 = irdl.is ["async", "commit_group"]
    %143 = irdl.is ["async", "wait_all"]
    %144 = irdl.is ["async", "wait_group"]
    %145 = irdl.any_of(%6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138, %139, %140, %141, %142, %143, %144)
    %146 = irdl.is []
    %147 = irdl.is ["b64"]
    %148 = irdl.any_of(%146, %147)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %0, in3: optional %5, in4: optional %1, guard: optional %4)
    irdl.attributes {"modifiers" = %145, "types" = %148}
  }
  irdl.operation @createpolicy {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["L2", "cvt"]
    %5 = irdl.is ["L2::evict_first", "L2::evict_last", "fractional"]
    %6 = irdl.is ["L2::evict_first", "L2::evict_last", "global", "range"]
    %7 = irdl.is ["L2::evict_first", "L2::evict_last", "range"]
    %8 = irdl.is ["L2::evict_first", "L2::evict_normal", "fractional"]
    %9 = irdl.is ["L2::evict_first", "L2::evict_normal", "global", "range"]
    %10 = irdl.is ["L2::evict_first", "L2::evict_normal", "range"]
    %11 = irdl.is ["L2::evict_first", "L2::evict_unchanged", "fractional"]
    %12 = irdl.is ["L2::evict_first", "L2::evict_unchanged", "global", "range"]
    %13 = irdl.is ["L2::evict_first", "L2::evict_unchanged", "range"]
    %14 = irdl.is ["L2::evict_first", "fractional"]
    %15 = irdl.is ["L2::evict_first", "global", "range"]
    %16 = irdl.is ["L2::evict_first", "range"]
    %17 = irdl.is ["L2::evict_last", "L2::evict_normal", "fractional"]
    %18 = irdl.is ["L2::evict_last", "L2::evict_normal", "global", "range"]
    %19 = irdl.is ["L2::evict_last", "L2::evict_normal", "range"]
    %20 = irdl.is ["L2::evict_last", "L2::evict_unchanged", "fractional"]
    %21 = irdl.is ["L2::evict_last", "L2::evict_unchanged", "global", "range"]
    %22 = irdl.is ["L2::evict_last", "L2::evict_unchanged", "range"]
    %23 = irdl.is ["L2::evict_last", "fractional"]
    %24 = irdl.is ["L2::evict_last", "global", "range"]
    %25 = irdl.is ["L2::evict_last", "range"]
    %26 = irdl.is ["L2::evict_normal", "L2::evict_unchanged", "fractional"]
    %27 = irdl.is ["L2::evict_normal", "L2::evict_unchanged", "global", "range"]
    %28 = irdl.is ["L2::evict_normal", "L2::evict_unchanged", "range"]
    %29 = irdl.is ["L2::evict_normal", "fractional"]
    %30 = irdl.is ["L2::evict_normal", "global", "range"]
    %31 = irdl.is ["L2::evict_normal", "range"]
    %32 = irdl.is ["L2::evict_unchanged", "fractional"]
    %33 = irdl.is ["L2::evict_unchanged", "global", "range"]
    %34 = irdl.is ["L2::evict_unchanged", "range"]
    %35 = irdl.any_of(%4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34)
    %36 = irdl.is ["b64"]
    irdl.operands(in0: optional %2, in1: optional %0, in2: optional %0, guard: optional %3, old0: optional %1)
    irdl.results(res: %1)
    irdl.attributes {"modifiers" = %35, "types" = %36}
  }
  irdl.operation @cvt {
    %0 = irdl.is i8
    %1 = irdl.is i16
    %2 = irdl.is i32
    %3 = irdl.is i64
    %4 = irdl.any_of(%0, %1, %2, %3)
    %5 = irdl.any_of(%2, %3)
    %6 = irdl.is i1
    %7 = irdl.any_of(%0, %1, %2, %3)
    %8 = irdl.is []
    %9 = irdl.is ["ftz"]
    %10 = irdl.is ["ftz", "relu"]
    %11 = irdl.is ["ftz", "relu", "rm"]
    %12 = irdl.is ["ftz", "relu", "rm", "sat"]
    %13 = irdl.is ["ftz", "relu", "rm", "sat", "satfinite"]
    %14 = irdl.is ["ftz", "relu", "rm", "satfinite"]
    %15 = irdl.is ["ftz", "relu", "rmi"]
    %16 = irdl.is ["ftz", "relu", "rmi", "sat"]
    %17 = irdl.is ["ftz", "relu", "rmi", "sat", "satfinite"]
    %18 = irdl.is ["ftz", "relu", "rmi", "satfinite"]
    %19 = irdl.is ["ftz", "relu", "rn"]
    %20 = irdl.is ["ftz", "relu", "rn", "sat"]
    %21 = irdl.is ["ftz", "relu", "rn", "sat", "satfinite"]
    %22 = irdl.is ["ftz", "relu", "rn", "satfinite"]
    %23 = irdl.is ["ftz", "relu", "rni"]
    %24 = irdl.is ["ftz", "relu", "rni", "sat"]
    %25 = irdl.is ["ftz", "relu", "rni", "sat", "satfinite"]
    %26 = irdl.is ["ftz", "relu", "rni", "satfinite"]
    %27 = irdl.is ["ftz", "relu", "rp"]
    %28 = irdl.is ["ftz", "relu", "rp", "sat"]
    %29 = irdl.is ["ftz", "relu", "rp", "sat", "satfinite"]
    %30 = irdl.is ["ftz", "relu", "rp", "satfinite"]
    %31 = irdl.is ["ftz", "relu", "rpi"]
    %32 = irdl.is ["ftz", "relu", "rpi", "sat"]
    %33 = irdl.is ["ftz", "relu", "rpi", "sat", "satfinite"]
    %34 = irdl.is ["ftz", "relu", "rpi", "satfinite"]
    %35 = irdl.is ["ftz", "relu", "rz"]
    %36 = irdl.is ["ftz", "relu", "rz", "sat"]
    %37 = irdl.is ["ftz", "relu", "rz", "sat", "satfinite"]
    %38 = irdl.is ["ftz", "relu", "rz", "satfinite"]
    %39 = irdl.is ["ftz", "relu", "rzi"]
    %40 = irdl.is ["ftz", "relu", "rzi", "sat"]
    %41 = irdl.is ["ftz", "relu", "rzi", "sat", "satfinite"]
    %42 = irdl.is ["ftz", "relu", "rzi", "satfinite"]
    %43 = irdl.is ["ftz", "relu", "sat"]
    %44 = irdl.is ["ftz", "relu", "sat", "satfinite"]
    %45 = irdl.is ["ftz", "relu", "satfinite"]
    %46 = irdl.is ["ftz", "rm"]
    %47 = irdl.is ["ftz", "rm", "sat"]
    %48 = irdl.is ["ftz", "rm", "sat", "satfinite"]
    %49 = irdl.is ["ftz", "rm", "satfinite"]
    %50 = irdl.is ["ftz", "rmi"]
    %51 = irdl.is ["ftz", "rmi", "sat"]
    %52 = irdl.is ["ftz", "rmi", "sat", "satfinite"]
    %53 = irdl.is ["ftz", "rmi", "satfinite"]
    %54 = irdl.is ["ftz", "rn"]
    %55 = irdl.is ["ftz", "rn", "sat"]
    %56 = irdl.is ["ftz", "rn", "sat", "satfinite"]
    %57 = irdl.is ["ftz", "rn", "satfinite"]
    %58 = irdl.is ["ftz", "rni"]
    %59 = irdl.is ["ftz", "rni", "sat"]
    %60 = irdl.is ["ftz", "rni", "sat", "satfinite"]
    %61 = irdl.is ["ftz", "rni", "satfinite"]
    %62 = irdl.is ["ftz", "rp"]
    %63 = irdl.is ["ftz", "rp", "sat"]
    %64 = irdl.is ["ftz", "rp", "sat", "satfinite"]
    %65 = irdl.is ["ftz", "rp", "satfinite"]
    %66 = irdl.is ["ftz", "rpi"]
    %67 = irdl.is ["ftz", "rpi", "sat"]
    %68 = irdl.is ["ftz", "rpi", "sat", "satfinite"]
    %69 = irdl.is ["ftz", "rpi", "satfinite"]
    %70 = irdl.is ["ftz", "rz"]
    %71 = irdl.is ["ftz", "rz", "sat"]
    %72 = irdl.is ["ftz", "rz", "sat", "satfinite"]
    %73 = irdl.is ["ftz", "rz", "satfinite"]
    %74 = irdl.is ["ftz", "rzi"]
    %75 = irdl.is ["ftz", "rzi", "sat"]
    %76 = irdl.is ["ftz", "rzi", "sat", "satfinite"]
    %77 = irdl.is ["ftz", "rzi", "satfinite"]
    %78 = irdl.is ["ftz", "sat"]
    %79 = irdl.is ["ftz", "sat", "satfinite"]
    %80 = irdl.is ["ftz", "satfinite"]
    %81 = irdl.is ["pack", "sat"]
    %82 = irdl.is ["relu"]
    %83 = irdl.is ["relu", "rm"]
    %84 = irdl.is ["relu", "rm", "sat"]
    %85 = irdl.is ["relu", "rm", "sat", "satfinite"]
    %86 = irdl.is ["relu", "rm", "satfinite"]
    %87 = irdl.is ["relu", "rmi"]
    %88 = irdl.is ["relu", "rmi", "sat"]
    %89 = irdl.is ["relu", "rmi", "sat", "satfinite"]
    %90 = irdl.is ["relu", "rmi", "satfinite"]
    %91 = irdl.is ["relu", "rn"]
    %92 = irdl.is ["relu", "rn", "rna"]
    %93 = irdl.is ["relu", "rn", "rna", "satfinite"]
    %94 = irdl.is ["relu", "rn", "sat"]
    %95 = irdl.is ["relu", "rn", "sat", "satfinite"]
    %96 = irdl.is ["relu", "rn", "satfinite"]
    %97 = irdl.is ["relu", "rna"]
    %98 = irdl.is ["relu", "rna", "rz"]
    %99 = irdl.is ["relu", "rna", "rz", "satfinite"]
    %100 = irdl.is ["relu", "rna", "satfinite"]
    %101 = irdl.is ["relu", "rni"]
    %102 = irdl.is ["relu", "rni", "sat"]
    %103 = irdl.is ["relu", "rni", "sat", "satfinite"]
    %104 = irdl.is ["relu", "rni", "satfinite"]
    %105 = irdl.is ["relu", "rp"]
    %106 = irdl.is ["relu", "rp", "sat"]
    %107 = irdl.is ["relu", "rp", "sat", "satfinite"]
    %108 = irdl.is ["relu", "rp", "satfinite"]
    %109 = irdl.is ["relu", "rpi"]
    %110 = irdl.is ["relu", "rpi", "sat"]
    %111 = irdl.is ["relu", "rpi", "sat", "satfinite"]
    %112 = irdl.is ["relu", "rpi", "satfinite"]
    %113 = irdl.is ["relu", "rz"]
    %114 = irdl.is ["relu", "rz", "sat"]
    %115 = irdl.is ["relu", "rz", "sat", "satfinite"]
    %116 = irdl.is ["relu", "rz", "satfinite"]
    %117 = irdl.is ["relu", "rzi"]
    %118 = irdl.is ["relu", "rzi", "sat"]
    %119 = irdl.is ["relu", "rzi", "sat", "satfinite"]
    %120 = irdl.is ["relu", "rzi", "satfinite"]
    %121 = irdl.is ["relu", "sat"]
    %122 = irdl.is ["relu", "sat", "satfinite"]
    %123 = irdl.is ["relu", "satfinite"]
    %124 = irdl.is ["rm"]
    %125 = irdl.is ["rm", "sat"]
    %126 = irdl.is ["rm", "sat", "satfinite"]
    %127 = irdl.is ["rm", "satfinite"]
    %128 = irdl.is ["rmi"]
    %129 = irdl.is ["rmi", "sat"]
    %130 = irdl.is ["rmi", "sat", "satfinite"]
    %131 = irdl.is ["rmi", "satfinite"]
    %132 = irdl.is ["rn"]
    %133 = irdl.is ["rn", "rna"]
    %134 = irdl.is ["rn", "rna", "satfinite"]
    %135 = irdl.is ["rn", "sat"]
    %136 = irdl.is ["rn", "sat", "satfinite"]
    %137 = irdl.is ["rn", "satfinite"]
    %138 = irdl.is ["rna"]
    %139 = irdl.is ["rna", "rz"]
    %140 = irdl.is ["rna", "rz", "satfinite"]
    %141 = irdl.is ["rna", "satfinite"]
    %142 = irdl.is ["rni"]
    %143 = irdl.is ["rni", "sat"]
    %144 = irdl.is ["rni", "sat", "satfinite"]
    %145 = irdl.is ["rni", "satfinite"]
    %146 = irdl.is ["rp"]
    %147 = irdl.is ["rp", "sat"]
    %148 = irdl.is ["rp", "sat", "satfinite"]
    %149 = irdl.is ["rp", "satfinite"]
    %150 = irdl.is ["rpi"]
    %151 = irdl.is ["rpi", "sat"]
    %152 = irdl.is ["rpi", "sat", "satfinite"]
    %153 = irdl.is ["rpi", "satfinite"]
    %154 = irdl.is ["rz"]
    %155 = irdl.is ["rz", "sat"]
    %156 = irdl.is ["rz", "sat", "satfinite"]
    %157 = irdl.is ["rz", "satfinite"]
    %158 = irdl.is ["rzi"]
    %159 = irdl.is ["rzi", "sat"]
    %160 = irdl.is ["rzi", "sat", "satfinite"]
    %161 = irdl.is ["rzi", "satfinite"]
    %162 = irdl.is ["sat"]
    %163 = irdl.is ["sat", "satfinite"]
    %164 = irdl.is ["satfinite"]
    %165 = irdl.any_of(%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %164)
    %166 = irdl.is ["bf16", "bf16"]
    %167 = irdl.is ["bf16", "f16"]
    %168 = irdl.is ["bf16", "f32"]
    %169 = irdl.is ["bf16", "f64"]
    %170 = irdl.is ["bf16", "s16"]
    %171 = irdl.is ["bf16", "s32"]
    %172 = irdl.is ["bf16", "s64"]
    %173 = irdl.is ["bf16", "s8"]
    %174 = irdl.is ["bf16", "u16"]
    %175 = irdl.is ["bf16", "u32"]
    %176 = irdl.is ["bf16", "u64"]
    %177 = irdl.is ["bf16", "u8"]
    %178 = irdl.is ["bf16x2", "bf16x2"]
    %179 = irdl.is ["bf16x2", "e4m3x2"]
    %180 = irdl.is ["bf16x2", "e5m2x2"]
    %181 = irdl.is ["bf16x2", "f16x2"]
    %182 = irdl.is ["bf16x2", "f32"]
    %183 = irdl.is ["e4m3x2", "bf16x2"]
    %184 = irdl.is ["e4m3x2", "e4m3x2"]
    %185 = irdl.is ["e4m3x2", "e5m2x2"]
    %186 = irdl.is ["e4m3x2", "f16x2"]
    %187 = irdl.is ["e4m3x2", "f32"]
    %188 = irdl.is ["e5m2x2", "bf16x2"]
    %189 = irdl.is ["e5m2x2", "e4m3x2"]
    %190 = irdl.is ["e5m2x2", "e5m2x2"]
    %191 = irdl.is ["e5m2x2", "f16x2"]
    %192 = irdl.is ["e5m2x2", "f32"]
    %193 = irdl.is ["f16", "bf16"]
    %194 = irdl.is ["f16", "f16"]
    %195 = irdl.is ["f16", "f32"]
    %196 = irdl.is ["f16", "f64"]
    %197 = irdl.is ["f16", "s16"]
    %198 = irdl.is ["f16", "s32"]
    %199 = irdl.is ["f16", "s64"]
    %200 = irdl.is ["f16", "s8"]
    %201 = irdl.is ["f16", "u16"]
    %202 = irdl.is ["f16", "u32"]
    %203 = irdl.is ["f16", "u64"]
    %204 = irdl.is ["f16", "u8"]
    %205 = irdl.is ["f16x2", "bf16x2"]
    %206 = irdl.is ["f16x2", "e4m3x2"]
    %207 = irdl.is ["f16x2", "e5m2x2"]
    %208 = irdl.is ["f16x2", "f16x2"]
    %209 = irdl.is ["f16x2", "f32"]
    %210 = irdl.is ["f32", "bf16"]
    %211 = irdl.is ["f32", "f16"]
    %212 = irdl.is ["f32", "f32"]
    %213 = irdl.is ["f32", "f64"]
    %214 = irdl.is ["f32", "s16"]
    %215 = irdl.is ["f32", "s32"]
    %216 = irdl.is ["f32", "s64"]
    %217 = irdl.is ["f32", "s8"]
    %218 = irdl.is ["f32", "u16"]
    %219 = irdl.is ["f32", "u32"]
    %220 = irdl.is ["f32", "u64"]
    %221 = irdl.is ["f32", "u8"]
    %222 = irdl.is ["f64", "bf16"]
    %223 = irdl.is ["f64", "f16"]
    %224 = irdl.is ["f64", "f32"]
    %225 = irdl.is ["f64", "f64"]
    %226 = irdl.is ["f64", "s16"]
    %227 = irdl.is ["f64", "s32"]
    %228 = irdl.is ["f64", "s64"]
    %229 = irdl.is ["f64", "s8"]
    %230 = irdl.is ["f64", "u16"]
    %231 = irdl.is ["f64", "u32"]
    %232 = irdl.is ["f64", "u64"]
    %233 = irdl.is ["f64", "u8"]
    %234 = irdl.is ["s16", "bf16"]
    %235 = irdl.is ["s16", "f16"]
    %236 = irdl.is ["s16", "f32"]
    %237 = irdl.is ["s16", "f64"]
    %238 = irdl.is ["s16", "s16"]
    %239 = irdl.is ["s16", "s32"]
    %240 = irdl.is ["s16", "s64"]
    %241 = irdl.is ["s16", "s8"]
    %242 = irdl.is ["s16", "u16"]
    %243 = irdl.is ["s16", "u32"]
    %244 = irdl.is ["s16", "u64"]
    %245 = irdl.is ["s16", "u8"]
    %246 = irdl.is ["s2", "s32", "b32"]
    %247 = irdl.is ["s32", "bf16"]
    %248 = irdl.is ["s32", "f16"]
    %249 = irdl.is ["s32", "f32"]
    %250 = irdl.is ["s32", "f64"]
    %251 = irdl.is ["s32", "s16"]
    %252 = irdl.is ["s32", "s32"]
    %253 = irdl.is ["s32", "s64"]
    %254 = irdl.is ["s32", "s8"]
    %255 = irdl.is ["s32", "u16"]
    %256 = irdl.is ["s32", "u32"]
    %257 = irdl.is ["s32", "u64"]
    %258 = irdl.is ["s32", "u8"]
    %259 = irdl.is ["s4", "s32", "b32"]
    %260 = irdl.is ["s64", "bf16"]
    %261 = irdl.is ["s64", "f16"]
    %262 = irdl.is ["s64", "f32"]
    %263 = irdl.is ["s64", "f64"]
    %264 = irdl.is ["s64", "s16"]
    %265 = irdl.is ["s64", "s32"]
    %266 = irdl.is ["s64", "s64"]
    %267 = irdl.is ["s64", "s8"]
    %268 = irdl.is ["s64", "u16"]
    %269 = irdl.is ["s64", "u32"]
    %270 = irdl.is ["s64", "u64"]
    %271 = irdl.is ["s64", "u8"]
    %272 = irdl.is ["s8", "bf16"]
    %273 = irdl.is ["s8", "f16"]
    %274 = irdl.is ["s8", "f32"]
    %275 = irdl.is ["s8", "f64"]
    %276 = irdl.is ["s8", "s16"]
    %277 = irdl.is ["s8", "s32"]
    %278 = irdl.is ["s8", "s32", "b32"]
    %279 = irdl.is ["s8", "s64"]
    %280 = irdl.is ["s8", "s8"]
    %281 = irdl.is ["s8", "u16"]
    %282 = irdl.is ["s8", "u32"]
    %283 = irdl.is ["s8", "u64"]
    %284 = irdl.is ["s8", "u8"]
    %285 = irdl.is ["tf32", "bf16"]
    %286 = irdl.is ["tf32", "f16"]
    %287 = irdl.is ["tf32", "f32"]
    %288 = irdl.is ["tf32", "f64"]
    %289 = irdl.is ["tf32", "s16"]
    %290 = irdl.is ["tf32", "s32"]
    %291 = irdl.is ["tf32", "s64"]
    %292 = irdl.is ["tf32", "s8"]
    %293 = irdl.is ["tf32", "u16"]
    %294 = irdl.is ["tf32", "u32"]
    %295 = irdl.is ["tf32", "u64"]
    %296 = irdl.is ["tf32", "u8"]
    %297 = irdl.is ["u16", "bf16"]
    %298 = irdl.is ["u16", "f16"]
    %299 = irdl.is ["u16", "f32"]
    %300 = irdl.is ["u16", "f64"]
    %301 = irdl.is ["u16", "s16"]
    %302 = irdl.is ["u16", "s32"]
    %303 = irdl.is ["u16", "s64"]
    %304 = irdl.is ["u16", "s8"]
    %305 = irdl.is ["u16", "u16"]
    %306 = irdl.is ["u16", "u32"]
    %307 = irdl.is ["u16", "u64"]
    %308 = irdl.is ["u16", "u8"]
    %309 = irdl.is ["u2", "s32", "b32"]
    %310 = irdl.is ["u32", "bf16"]
    %311 = irdl.is ["u32", "f16"]
    %312 = irdl.is ["u32", "f32"]
    %313 = irdl.is ["u32", "f64"]
    %314 = irdl.is ["u32", "s16"]
    %315 = irdl.is ["u32", "s32"]
    %316 = irdl.is ["u32", "s64"]
    %317 = irdl.is ["u32", "s8"]
    %318 = irdl.is ["u32", "u16"]
    %319 = irdl.is ["u32", "u32"]
    %320 = irdl.is ["u32", "u64"]
    %321 = irdl.is ["u32", "u8"]
    %322 = irdl.is ["u4", "s32", "b32"]
    %323 = irdl.is ["u64", "bf16"]
    %324 = irdl.is ["u64", "f16"]
    %325 = irdl.is ["u64", "f32"]
    %326 = irdl.is ["u64", "f64"]
    %327 = irdl.is ["u64", "s16"]
    %328 = irdl.is ["u64", "s32"]
    %329 = irdl.is ["u64", "s64"]
    %330 = irdl.is ["u64", "s8"]
    %331 = irdl.is ["u64", "u16"]
    %332 = irdl.is ["u64", "u32"]
    %333 = irdl.is ["u64", "u64"]
    %334 = irdl.is ["u64", "u8"]
    %335 = irdl.is ["u8", "bf16"]
    %336 = irdl.is ["u8", "f16"]
    %337 = irdl.is ["u8", "f32"]
    %338 = irdl.is ["u8", "f64"]
    %339 = irdl.is ["u8", "s16"]
    %340 = irdl.is ["u8", "s32"]
    %341 = irdl.is ["u8", "s32", "b32"]
    %342 = irdl.is ["u8", "s64"]
    %343 = irdl.is ["u8", "s8"]
    %344 = irdl.is ["u8", "u16"]
    %345 = irdl.is ["u8", "u32"]
    %346 = irdl.is ["u8", "u64"]
    %347 = irdl.is ["u8", "u8"]
    %348 = irdl.any_of(%166, %167, %168, %169, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184, %185, %186, %187, %188, %189, %190, %191, %192, %193, %194, %195, %196, %197, %198, %199, %200, %201, %202, %203, %204, %205, %206, %207, %208, %209, %210, %211, %212, %213, %214, %215, %216, %217, %218, %219, %220, %221, %222, %223, %224, %225, %226, %227, %228, %229, %230, %231, %232, %233, %234, %235, %236, %237, %238, %239, %240, %241, %242, %243, %244, %245, %246, %247, %248, %249, %250, %251, %252, %253, %254, %255, %256, %257, %258, %259, %260, %261, %262, %263, %264, %265, %266, %267, %268, %269, %270, %271, %272, %273, %274, %275, %276, %277, %278, %279, %280, %281, %282, %283, %284, %285, %286, %287, %288, %289, %290, %291, %292, %293, %294, %295, %296, %297, %298, %299, %300, %301, %302, %303, %304, %305, %306, %307, %308, %309, %310, %311, %312, %313, %314, %315, %316, %317, %318, %319, %320, %321, %322, %323, %324, %325, %326, %327, %328, %329, %330, %331, %332, %333, %334, %335, %336, %337, %338, %339, %340, %341, %342, %343, %344, %345, %346, %347)
    %349 = irdl.any_of(%0, %1, %2, %3)
    irdl.operands(in0: optional %4, in1: optional %5, in2: optional %2, guard: optional %6, old0: optional %7)
    irdl.results(res: %349)
    irdl.attributes {"modifiers" = %165, "types" = %348}
  }
  irdl.operation @cvta {
    %0 = irdl.is i64
    %1 = irdl.is i1
    %2 = irdl.is ["const"]
    %3 = irdl.is ["const", "to"]
    %4 = irdl.is ["global"]
    %5 = irdl.is ["global", "to"]
    %6 = irdl.is ["local"]
    %7 = irdl.is ["local", "to"]
    %8 = irdl.is ["shared"]
    %9 = irdl.is ["shared", "to"]
    %10 = irdl.is ["shared::cta"]
    %11 = irdl.is ["shared::cta", "to"]
    %12 = irdl.any_of(%2, %3, %4, %5, %6, %7, %8, %9, %10, %11)
    %13 = irdl.is ["u64"]
    irdl.operands(in0: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %12, "types" = %13}
  }
  irdl.operation @div {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["approx"]
    %9 = irdl.is ["approx", "ftz"]
    %10 = irdl.is ["ftz"]
    %11 = irdl.is ["ftz", "full"]
    %12 = irdl.is ["ftz", "rm"]
    %13 = irdl.is ["ftz", "rn"]
    %14 = irdl.is ["ftz", "rp"]
    %15 = irdl.is ["ftz", "rz"]
    %16 = irdl.is ["full"]
    %17 = irdl.is ["rm"]
    %18 = irdl.is ["rn"]
    %19 = irdl.is ["rp"]
    %20 = irdl.is ["rz"]
    %21 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20)
    %22 = irdl.is ["f32"]
    %23 = irdl.is ["f64"]
    %24 = irdl.is ["s16"]
    %25 = irdl.is ["s32"]
    %26 = irdl.is ["s64"]
    %27 = irdl.is ["u16"]
    %28 = irdl.is ["u32"]
    %29 = irdl.is ["u64"]
    %30 = irdl.any_of(%22, %23, %24, %25, %26, %27, %28, %29)
    %31 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, guard: optional %5, old0: optional %6)
    irdl.results(res: %31)
    irdl.attributes {"modifiers" = %21, "types" = %30}
  }
  irdl.operation @dp2a {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["hi"]
    %3 = irdl.is ["lo"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["s32", "s32"]
    %6 = irdl.is ["s32", "u32"]
    %7 = irdl.is ["u32", "s32"]
    %8 = irdl.is ["u32", "u32"]
    %9 = irdl.any_of(%5, %6, %7, %8)
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %9}
  }
  irdl.operation @dp4a {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is []
    %3 = irdl.is ["s32", "s32"]
    %4 = irdl.is ["s32", "u32"]
    %5 = irdl.is ["u32", "s32"]
    %6 = irdl.is ["u32", "u32"]
    %7 = irdl.any_of(%3, %4, %5, %6)
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %2, "types" = %7}
  }
  irdl.operation @elect {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["sync"]
    %3 = irdl.is []
    irdl.operands(in0: optional %0, guard: optional %1, old0: optional %0, old1: optional %1)
    irdl.results(res: %0, second: optional %1)
    irdl.attributes {"modifiers" = %2, "types" = %3}
  }
  irdl.operation @ex2 {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is ["approx"]
    %6 = irdl.is ["approx", "ftz"]
    %7 = irdl.any_of(%5, %6)
    %8 = irdl.is ["bf16"]
    %9 = irdl.is ["bf16x2"]
    %10 = irdl.is ["f16"]
    %11 = irdl.is ["f16x2"]
    %12 = irdl.is ["f32"]
    %13 = irdl.any_of(%8, %9, %10, %11, %12)
    %14 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %4)
    irdl.results(res: %14)
    irdl.attributes {"modifiers" = %7, "types" = %13}
  }
  irdl.operation @extern {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.is ["abs"]
    %8 = irdl.is ["add"]
    %9 = irdl.is ["ceil"]
    %10 = irdl.is ["cos"]
    %11 = irdl.is ["div"]
    %12 = irdl.is ["erf"]
    %13 = irdl.is ["exp"]
    %14 = irdl.is ["exp2"]
    %15 = irdl.is ["expm1"]
    %16 = irdl.is ["floor"]
    %17 = irdl.is ["fma"]
    %18 = irdl.is ["log"]
    %19 = irdl.is ["log10"]
    %20 = irdl.is ["log1p"]
    %21 = irdl.is ["log2"]
    %22 = irdl.is ["max"]
    %23 = irdl.is ["min"]
    %24 = irdl.is ["mul"]
    %25 = irdl.is ["neg"]
    %26 = irdl.is ["pow"]
    %27 = irdl.is ["rcp"]
    %28 = irdl.is ["rint"]
    %29 = irdl.is ["rsqrt"]
    %30 = irdl.is ["sin"]
    %31 = irdl.is ["sqrt"]
    %32 = irdl.is ["sub"]
    %33 = irdl.is ["tanh"]
    %34 = irdl.is ["trunc"]
    %35 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34)
    %36 = irdl.is ["f32"]
    %37 = irdl.is ["f64"]
    %38 = irdl.any_of(%36, %37)
    %39 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, guard: optional %5, old0: optional %6)
    irdl.results(res: %39)
    irdl.attributes {"modifiers" = %35, "types" = %38}
  }
  irdl.operation @fence {
    %0 = irdl.is i1
    %1 = irdl.base "#builtin.array"
    %2 = irdl.is []
    irdl.operands(guard: optional %0)
    irdl.attributes {"modifiers" = %1, "types" = %2}
  }
  irdl.operation @fma {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is i1
    %7 = irdl.any_of(%0, %1, %2)
    %8 = irdl.is []
    %9 = irdl.is ["ftz"]
    %10 = irdl.is ["ftz", "oob"]
    %11 = irdl.is ["ftz", "oob", "relu"]
    %12 = irdl.is ["ftz", "oob", "relu", "rm"]
    %13 = irdl.is ["ftz", "oob", "relu", "rm", "sat"]
    %14 = irdl.is ["ftz", "oob", "relu", "rn"]
    %15 = irdl.is ["ftz", "oob", "relu", "rn", "sat"]
    %16 = irdl.is ["ftz", "oob", "relu", "rp"]
    %17 = irdl.is ["ftz", "oob", "relu", "rp", "sat"]
    %18 = irdl.is ["ftz", "oob", "relu", "rz"]
    %19 = irdl.is ["ftz", "oob", "relu", "rz", "sat"]
    %20 = irdl.is ["ftz", "oob", "relu", "sat"]
    %21 = irdl.is ["ftz", "oob", "rm"]
    %22 = irdl.is ["ftz", "oob", "rm", "sat"]
    %23 = irdl.is ["ftz", "oob", "rn"]
    %24 = irdl.is ["ftz", "oob", "rn", "sat"]
    %25 = irdl.is ["ftz", "oob", "rp"]
    %26 = irdl.is ["ftz", "oob", "rp", "sat"]
    %27 = irdl.is ["ftz", "oob", "rz"]
    %28 = irdl.is ["ftz", "oob", "rz", "sat"]
    %29 = irdl.is ["ftz", "oob", "sat"]
    %30 = irdl.is ["ftz", "relu"]
    %31 = irdl.is ["ftz", "relu", "rm"]
    %32 = irdl.is ["ftz", "relu", "rm", "sat"]
    %33 = irdl.is ["ftz", "relu", "rn"]
    %34 = irdl.is ["ftz", "relu", "rn", "sat"]
    %35 = irdl.is ["ftz", "relu", "rp"]
    %36 = irdl.is ["ftz", "relu", "rp", "sat"]
    %37 = irdl.is ["ftz", "relu", "rz"]
    %38 = irdl.is ["ftz", "relu", "rz", "sat"]
    %39 = irdl.is ["ftz", "relu", "sat"]
    %40 = irdl.is ["ftz", "rm"]
    %41 = irdl.is ["ftz", "rm", "sat"]
    %42 = irdl.is ["ftz", "rn"]
    %43 = irdl.is ["ftz", "rn", "sat"]
    %44 = irdl.is ["ftz", "rp"]
    %45 = irdl.is ["ftz", "rp", "sat"]
    %46 = irdl.is ["ftz", "rz"]
    %47 = irdl.is ["ftz", "rz", "sat"]
    %48 = irdl.is ["ftz", "sat"]
    %49 = irdl.is ["oob"]
    %50 = irdl.is ["oob", "relu"]
    %51 = irdl.is ["oob", "relu", "rm"]
    %52 = irdl.is ["oob", "relu", "rm", "sat"]
    %53 = irdl.is ["oob", "relu", "rn"]
    %54 = irdl.is ["oob", "relu", "rn", "sat"]
    %55 = irdl.is ["oob", "relu", "rp"]
    %56 = irdl.is ["oob", "relu", "rp", "sat"]
    %57 = irdl.is ["oob", "relu", "rz"]
    %58 = irdl.is ["oob", "relu", "rz", "sat"]
    %59 = irdl.is ["oob", "relu", "sat"]
    %60 = irdl.is ["oob", "rm"]
    %61 = irdl.is ["oob", "rm", "sat"]
    %62 = irdl.is ["oob", "rn"]
    %63 = irdl.is ["oob", "rn", "sat"]
    %64 = irdl.is ["oob", "rp"]
    %65 = irdl.is ["oob", "rp", "sat"]
    %66 = irdl.is ["oob", "rz"]
    %67 = irdl.is ["oob", "rz", "sat"]
    %68 = irdl.is ["oob", "sat"]
    %69 = irdl.is ["relu"]
    %70 = irdl.is ["relu", "rm"]
    %71 = irdl.is ["relu", "rm", "sat"]
    %72 = irdl.is ["relu", "rn"]
    %73 = irdl.is ["relu", "rn", "sat"]
    %74 = irdl.is ["relu", "rp"]
    %75 = irdl.is ["relu", "rp", "sat"]
    %76 = irdl.is ["relu", "rz"]
    %77 = irdl.is ["relu", "rz", "sat"]
    %78 = irdl.is ["relu", "sat"]
    %79 = irdl.is ["rm"]
    %80 = irdl.is ["rm", "sat"]
    %81 = irdl.is ["rn"]
    %82 = irdl.is ["rn", "sat"]
    %83 = irdl.is ["rp"]
    %84 = irdl.is ["rp", "sat"]
    %85 = irdl.is ["rz"]
    %86 = irdl.is ["rz", "sat"]
    %87 = irdl.is ["sat"]
    %88 = irdl.any_of(%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87)
    %89 = irdl.is ["bf16"]
    %90 = irdl.is ["bf16x2"]
    %91 = irdl.is ["f16"]
    %92 = irdl.is ["f16x2"]
    %93 = irdl.is ["f32"]
    %94 = irdl.is ["f32x2"]
    %95 = irdl.is ["f64"]
    %96 = irdl.any_of(%89, %90, %91, %92, %93, %94, %95)
    %97 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %6, old0: optional %7)
    irdl.results(res: %97)
    irdl.attributes {"modifiers" = %88, "types" = %96}
  }
  irdl.operation @fns {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is []
    %3 = irdl.is ["b32"]
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %2, "types" = %3}
  }
  irdl.operation @isspacep {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["const"]
    %5 = irdl.is ["global"]
    %6 = irdl.is ["local"]
    %7 = irdl.is ["param"]
    %8 = irdl.is ["shared"]
    %9 = irdl.is ["shared::cluster"]
    %10 = irdl.is ["shared::cta"]
    %11 = irdl.any_of(%4, %5, %6, %7, %8, %9, %10)
    %12 = irdl.is []
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %3)
    irdl.results(res: %3)
    irdl.attributes {"modifiers" = %11, "types" = %12}
  }
  irdl.operation @ld {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is i8
    %5 = irdl.is i16
    %6 = irdl.any_of(%4, %5, %0, %1)
    %7 = irdl.any_of(%4, %5, %0, %1)
    %8 = irdl.any_of(%4, %5, %0, %1)
    %9 = irdl.any_of(%4, %5, %0, %1)
    %10 = irdl.any_of(%4, %5, %0, %1)
    %11 = irdl.any_of(%4, %5, %0, %1)
    %12 = irdl.any_of(%4, %5, %0, %1)
    %13 = irdl.any_of(%4, %5, %0, %1)
    %14 = irdl.base "#builtin.array"
    %15 = irdl.is ["b16"]
    %16 = irdl.is ["b32"]
    %17 = irdl.is ["b64"]
    %18 = irdl.is ["b8"]
    %19 = irdl.is ["f32"]
    %20 = irdl.is ["f64"]
    %21 = irdl.is ["s16"]
    %22 = irdl.is ["s32"]
    %23 = irdl.is ["s64"]
    %24 = irdl.is ["s8"]
    %25 = irdl.is ["u16"]
    %26 = irdl.is ["u32"]
    %27 = irdl.is ["u64"]
    %28 = irdl.is ["u8"]
    %29 = irdl.any_of(%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28)
    %30 = irdl.base "#builtin.integer"
    %31 = irdl.any_of(%4, %5, %0, %1)
    irdl.operands(in0: optional %2, in1: optional %1, guard: optional %3, old0: optional %6, old1: optional %7, old2: optional %8, old3: optional %9, old4: optional %10, old5: optional %11, old6: optional %12, old7: optional %13)
    irdl.results(res: variadic %31)
    irdl.attributes {"modifiers" = %14, "types" = %29, "offset" = %30}
  }
  irdl.operation @ld_param {
    %0 = irdl.is "b128"
    %1 = irdl.is "b16"
    %2 = irdl.is "b32"
    %3 = irdl.is "b64"
    %4 = irdl.is "b8"
    %5 = irdl.is "bf16"
    %6 = irdl.is "bf16x2"
    %7 = irdl.is "e4m3x2"
    %8 = irdl.is "e5m2x2"
    %9 = irdl.is "f16"
    %10 = irdl.is "f16x2"
    %11 = irdl.is "f32"
    %12 = irdl.is "f32x2"
    %13 = irdl.is "f64"
    %14 = irdl.is "s16"
    %15 = irdl.is "s32"
    %16 = irdl.is "s64"
    %17 = irdl.is "s8"
    %18 = irdl.is "tf32"
    %19 = irdl.is "u16"
    %20 = irdl.is "u32"
    %21 = irdl.is "u64"
    %22 = irdl.is "u8"
    %23 = irdl.any_of(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22)
    %24 = irdl.base "#builtin.integer"
    %25 = irdl.is i8
    %26 = irdl.is i16
    %27 = irdl.is i32
    %28 = irdl.is i64
    %29 = irdl.any_of(%25, %26, %27, %28)
    irdl.results(res: variadic %29)
    irdl.attributes {"offset" = %24, "type" = %23}
  }
  irdl.operation @ldmatrix {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.any_of(%0, %1)
    %8 = irdl.any_of(%0, %1)
    %9 = irdl.any_of(%0, %1)
    %10 = irdl.any_of(%0, %1)
    %11 = irdl.any_of(%0, %1)
    %12 = irdl.any_of(%0, %1)
    %13 = irdl.any_of(%0, %1)
    %14 = irdl.any_of(%0, %1)
    %15 = irdl.any_of(%0, %1)
    %16 = irdl.any_of(%0, %1)
    %17 = irdl.any_of(%0, %1)
    %18 = irdl.any_of(%0, %1)
    %19 = irdl.any_of(%0, %1)
    %20 = irdl.any_of(%0, %1)
    %21 = irdl.any_of(%0, %1)
    %22 = irdl.any_of(%0, %1)
    %23 = irdl.any_of(%0, %1)
    %24 = irdl.any_of(%0, %1)
    %25 = irdl.any_of(%0, %1)
    %26 = irdl.any_of(%0, %1)
    %27 = irdl.any_of(%0, %1)
    %28 = irdl.is i1
    %29 = irdl.any_of(%0, %1)
    %30 = irdl.any_of(%0, %1)
    %31 = irdl.any_of(%0, %1)
    %32 = irdl.any_of(%0, %1)
    %33 = irdl.any_of(%0, %1)
    %34 = irdl.any_of(%0, %1)
    %35 = irdl.any_of(%0, %1)
    %36 = irdl.any_of(%0, %1)
    %37 = irdl.base "#builtin.array"
    %38 = irdl.base "#builtin.array"
    %39 = irdl.base "#builtin.integer"
    %40 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, in3: optional %5, in4: optional %6, in5: optional %7, in6: optional %8, in7: optional %9, in8: optional %10, in9: optional %11, in10: optional %12, in11: optional %13, in12: optional %14, in13: optional %15, in14: optional %16, in15: optional %17, in16: optional %18, in17: optional %19, in18: optional %20, in19: optional %21, in20: optional %22, in21: optional %23, in22: optional %24, in23: optional %25, in24: optional %26, in25: optional %27, guard: optional %28, old0: optional %29, old1: optional %30, old2: optional %31, old3: optional %32, old4: optional %33, old5: optional %34, old6: optional %35, old7: optional %36)
    irdl.results(res: variadic %40)
    irdl.attributes {"modifiers" = %37, "types" = %38, "offset" = %39}
  }
  irdl.operation @ldu {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is i8
    %5 = irdl.is i16
    %6 = irdl.any_of(%4, %5, %0, %1)
    %7 = irdl.any_of(%4, %5, %0, %1)
    %8 = irdl.any_of(%4, %5, %0, %1)
    %9 = irdl.any_of(%4, %5, %0, %1)
    %10 = irdl.is []
    %11 = irdl.is ["global"]
    %12 = irdl.is ["global", "v2"]
    %13 = irdl.is ["global", "v4"]
    %14 = irdl.is ["v2"]
    %15 = irdl.is ["v4"]
    %16 = irdl.any_of(%10, %11, %12, %13, %14, %15)
    %17 = irdl.is ["b16"]
    %18 = irdl.is ["b32"]
    %19 = irdl.is ["b64"]
    %20 = irdl.is ["b8"]
    %21 = irdl.is ["f32"]
    %22 = irdl.is ["f64"]
    %23 = irdl.is ["s16"]
    %24 = irdl.is ["s32"]
    %25 = irdl.is ["s64"]
    %26 = irdl.is ["s8"]
    %27 = irdl.is ["u16"]
    %28 = irdl.is ["u32"]
    %29 = irdl.is ["u64"]
    %30 = irdl.is ["u8"]
    %31 = irdl.any_of(%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30)
    %32 = irdl.base "#builtin.integer"
    %33 = irdl.any_of(%4, %5, %0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %6, old1: optional %7, old2: optional %8, old3: optional %9)
    irdl.results(res: variadic %33)
    irdl.attributes {"modifiers" = %16, "types" = %31, "offset" = %32}
  }
  irdl.operation @lg2 {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["approx"]
    %3 = irdl.is ["approx", "ftz"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["f32"]
    irdl.operands(in0: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %5}
  }
  irdl.operation @lop3 {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is []
    %3 = irdl.is ["and"]
    %4 = irdl.is ["or"]
    %5 = irdl.any_of(%2, %3, %4)
    %6 = irdl.is ["b32"]
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, in3: optional %0, in4: optional %1, guard: optional %1, old0: optional %0, old1: optional %1)
    irdl.results(res: %0, second: optional %1)
    irdl.attributes {"modifiers" = %5, "types" = %6}
  }
  irdl.operation @mad {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is i1
    %7 = irdl.any_of(%0, %1, %2)
    %8 = irdl.is []
    %9 = irdl.is ["cc", "hi"]
    %10 = irdl.is ["cc", "lo"]
    %11 = irdl.is ["ftz"]
    %12 = irdl.is ["ftz", "rm"]
    %13 = irdl.is ["ftz", "rm", "sat"]
    %14 = irdl.is ["ftz", "rn"]
    %15 = irdl.is ["ftz", "rn", "sat"]
    %16 = irdl.is ["ftz", "rp"]
    %17 = irdl.is ["ftz", "rp", "sat"]
    %18 = irdl.is ["ftz", "rz"]
    %19 = irdl.is ["ftz", "rz", "sat"]
    %20 = irdl.is ["ftz", "sat"]
    %21 = irdl.is ["hi"]
    %22 = irdl.is ["hi", "sat"]
    %23 = irdl.is ["lo"]
    %24 = irdl.is ["rm"]
    %25 = irdl.is ["rm", "sat"]
    %26 = irdl.is ["rn"]
    %27 = irdl.is ["rn", "sat"]
    %28 = irdl.is ["rp"]
    %29 = irdl.is ["rp", "sat"]
    %30 = irdl.is ["rz"]
    %31 = irdl.is ["rz", "sat"]
    %32 = irdl.is ["sat"]
    %33 = irdl.is ["wide"]
    %34 = irdl.any_of(%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33)
    %35 = irdl.is ["f32"]
    %36 = irdl.is ["f64"]
    %37 = irdl.is ["s16"]
    %38 = irdl.is ["s32"]
    %39 = irdl.is ["s64"]
    %40 = irdl.is ["u16"]
    %41 = irdl.is ["u32"]
    %42 = irdl.is ["u64"]
    %43 = irdl.any_of(%35, %36, %37, %38, %39, %40, %41, %42)
    %44 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %6, old0: optional %7, old1: optional %6)
    irdl.results(res: %44, second: optional %6)
    irdl.attributes {"modifiers" = %34, "types" = %43}
  }
  irdl.operation @mad24 {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["hi"]
    %3 = irdl.is ["hi", "sat"]
    %4 = irdl.is ["lo"]
    %5 = irdl.any_of(%2, %3, %4)
    %6 = irdl.is ["s32"]
    %7 = irdl.is ["u32"]
    %8 = irdl.any_of(%6, %7)
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %5, "types" = %8}
  }
  irdl.operation @madc {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.is ["cc", "hi"]
    %8 = irdl.is ["cc", "lo"]
    %9 = irdl.is ["hi"]
    %10 = irdl.is ["lo"]
    %11 = irdl.any_of(%7, %8, %9, %10)
    %12 = irdl.is ["s32"]
    %13 = irdl.is ["s64"]
    %14 = irdl.is ["u32"]
    %15 = irdl.is ["u64"]
    %16 = irdl.any_of(%12, %13, %14, %15)
    %17 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, in3: optional %5, guard: optional %5, old0: optional %6, old1: optional %5)
    irdl.results(res: %17, second: optional %5)
    irdl.attributes {"modifiers" = %11, "types" = %16}
  }
  irdl.operation @match {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["all", "sync"]
    %5 = irdl.is ["any", "sync"]
    %6 = irdl.any_of(%4, %5)
    %7 = irdl.is ["b32"]
    %8 = irdl.is ["b64"]
    %9 = irdl.any_of(%7, %8)
    irdl.operands(in0: optional %2, in1: optional %0, guard: optional %3, old0: optional %0, old1: optional %3)
    irdl.results(res: %0, second: optional %3)
    irdl.attributes {"modifiers" = %6, "types" = %9}
  }
  irdl.operation @max {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.any_of(%1, %2)
    %6 = irdl.is i1
    %7 = irdl.any_of(%0, %1, %2)
    %8 = irdl.is []
    %9 = irdl.is ["NaN"]
    %10 = irdl.is ["NaN", "ftz"]
    %11 = irdl.is ["ftz"]
    %12 = irdl.is ["relu"]
    %13 = irdl.any_of(%8, %9, %10, %11, %12)
    %14 = irdl.is ["bf16"]
    %15 = irdl.is ["bf16x2"]
    %16 = irdl.is ["f16"]
    %17 = irdl.is ["f16x2"]
    %18 = irdl.is ["f32"]
    %19 = irdl.is ["f64"]
    %20 = irdl.is ["s16"]
    %21 = irdl.is ["s16x2"]
    %22 = irdl.is ["s32"]
    %23 = irdl.is ["s64"]
    %24 = irdl.is ["u16"]
    %25 = irdl.is ["u16x2"]
    %26 = irdl.is ["u32"]
    %27 = irdl.is ["u64"]
    %28 = irdl.any_of(%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27)
    %29 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %6, old0: optional %7)
    irdl.results(res: %29)
    irdl.attributes {"modifiers" = %13, "types" = %28}
  }
  irdl.operation @mbarrier {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.is i1
    %5 = irdl.any_of(%4, %0, %1)
    %6 = irdl.is ["acquire", "cluster", "parity", "shared", "test_wait"]
    %7 = irdl.is ["acquire", "cluster", "parity", "shared", "try_wait"]
    %8 = irdl.is ["acquire", "cluster", "parity", "shared::cta", "test_wait"]
    %9 = irdl.is ["acquire", "cluster", "parity", "shared::cta", "try_wait"]
    %10 = irdl.is ["acquire", "cluster", "parity", "test_wait"]
    %11 = irdl.is ["acquire", "cluster", "parity", "try_wait"]
    %12 = irdl.is ["acquire", "cluster", "shared", "test_wait"]
    %13 = irdl.is ["acquire", "cluster", "shared", "try_wait"]
    %14 = irdl.is ["acquire", "cluster", "shared::cta", "test_wait"]
    %15 = irdl.is ["acquire", "cluster", "shared::cta", "try_wait"]
    %16 = irdl.is ["acquire", "cluster", "test_wait"]
    %17 = irdl.is ["acquire", "cluster", "try_wait"]
    %18 = irdl.is ["acquire", "cta", "parity", "shared", "test_wait"]
    %19 = irdl.is ["acquire", "cta", "parity", "shared", "try_wait"]
    %20 = irdl.is ["acquire", "cta", "parity", "shared::cta", "test_wait"]
    %21 = irdl.is ["acquire", "cta", "parity", "shared::cta", "try_wait"]
    %22 = irdl.is ["acquire", "cta", "parity", "test_wait"]
    %23 = irdl.is ["acquire", "cta", "parity", "try_wait"]
    %24 = irdl.is ["acquire", "cta", "shared", "test_wait"]
    %25 = irdl.is ["acquire", "cta", "shared", "try_wait"]
    %26 = irdl.is ["acquire", "cta", "shared::cta", "test_wait"]
    %27 = irdl.is ["acquire", "cta", "shared::cta", "try_wait"]
    %28 = irdl.is ["acquire", "cta", "test_wait"]
    %29 = irdl.is ["acquire", "cta", "try_wait"]
    %30 = irdl.is ["acquire", "parity", "shared", "test_wait"]
    %31 = irdl.is ["acquire", "parity", "shared", "try_wait"]
    %32 = irdl.is ["acquire", "parity", "shared::cta", "test_wait"]
    %33 = irdl.is ["acquire", "parity", "shared::cta", "try_wait"]
    %34 = irdl.is ["acquire", "parity", "test_wait"]
    %35 = irdl.is ["acquire", "parity", "try_wait"]
    %36 = irdl.is ["acquire", "shared", "test_wait"]
    %37 = irdl.is ["acquire", "shared", "try_wait"]
    %38 = irdl.is ["acquire", "shared::cta", "test_wait"]
    %39 = irdl.is ["acquire", "shared::cta", "try_wait"]
    %40 = irdl.is ["acquire", "test_wait"]
    %41 = irdl.is ["acquire", "try_wait"]
    %42 = irdl.is ["arrive"]
    %43 = irdl.is ["arrive", "cluster"]
    %44 = irdl.is ["arrive", "cluster", "expect_tx"]
    %45 = irdl.is ["arrive", "cluster", "expect_tx", "relaxed"]
    %46 = irdl.is ["arrive", "cluster", "expect_tx", "relaxed", "shared"]
    %47 = irdl.is ["arrive", "cluster", "expect_tx", "relaxed", "shared::cta"]
    %48 = irdl.is ["arrive", "cluster", "expect_tx", "release"]
    %49 = irdl.is ["arrive", "cluster", "expect_tx", "release", "shared"]
    %50 = irdl.is ["arrive", "cluster", "expect_tx", "release", "shared::cta"]
    %51 = irdl.is ["arrive", "cluster", "expect_tx", "shared"]
    %52 = irdl.is ["arrive", "cluster", "expect_tx", "shared::cta"]
    %53 = irdl.is ["arrive", "cluster", "relaxed"]
    %54 = irdl.is ["arrive", "cluster", "relaxed", "shared"]
    %55 = irdl.is ["arrive", "cluster", "relaxed", "shared::cta"]
    %56 = irdl.is ["arrive", "cluster", "release"]
    %57 = irdl.is ["arrive", "cluster", "release", "shared"]
    %58 = irdl.is ["arrive", "cluster", "release", "shared::cta"]
    %59 = irdl.is ["arrive", "cluster", "shared"]
    %60 = irdl.is ["arrive", "cluster", "shared::cta"]
    %61 = irdl.is ["arrive", "cta"]
    %62 = irdl.is ["arrive", "cta", "expect_tx"]
    %63 = irdl.is ["arrive", "cta", "expect_tx", "relaxed"]
    %64 = irdl.is ["arrive", "cta", "expect_tx", "relaxed", "shared"]
    %65 = irdl.is ["arrive", "cta", "expect_tx", "relaxed", "shared::cta"]
    %66 = irdl.is ["arrive", "cta", "expect_tx", "release"]
    %67 = irdl.is ["arrive", "cta", "expect_tx", "release", "shared"]
    %68 = irdl.is ["arrive", "cta", "expect_tx", "release", "shared::cta"]
    %69 = irdl.is ["arrive", "cta", "expect_tx", "shared"]
    %70 = irdl.is ["arrive", "cta", "expect_tx", "shared::cta"]
    %71 = irdl.is ["arrive", "cta", "noComplete"]
    %72 = irdl.is ["arrive", "cta", "noComplete", "release"]
    %73 = irdl.is ["arrive", "cta", "noComplete", "release", "shared"]
    %74 = irdl.is ["arrive", "cta", "noComplete", "release", "shared::cta"]
    %75 = irdl.is ["arrive", "cta", "noComplete", "shared"]
    %76 = irdl.is ["arrive", "cta", "noComplete", "shared::cta"]
    %77 = irdl.is ["arrive", "cta", "relaxed"]
    %78 = irdl.is ["arrive", "cta", "relaxed", "shared"]
    %79 = irdl.is ["arrive", "cta", "relaxed", "shared::cta"]
    %80 = irdl.is ["arrive", "cta", "release"]
    %81 = irdl.is ["arrive", "cta", "release", "shared"]
    %82 = irdl.is ["arrive", "cta", "release", "shared::cta"]
    %83 = irdl.is ["arrive", "cta", "shared"]
    %84 = irdl.is ["arrive", "cta", "shared::cta"]
    %85 = irdl.is ["arrive", "expect_tx"]
    %86 = irdl.is ["arrive", "expect_tx", "relaxed"]
    %87 = irdl.is ["arrive", "expect_tx", "relaxed", "shared"]
    %88 = irdl.is ["arrive", "expect_tx", "relaxed", "shared::cta"]
    %89 = irdl.is ["arrive", "expect_tx", "release"]
    %90 = irdl.is ["arrive", "expect_tx", "release", "shared"]
    %91 = irdl.is ["arrive", "expect_tx", "release", "shared::cta"]
    %92 = irdl.is ["arrive", "expect_tx", "shared"]
    %93 = irdl.is ["arrive", "expect_tx", "shared::cta"]
    %94 = irdl.is ["arrive", "noComplete"]
    %95 = irdl.is ["arrive", "noComplete", "release"]
    %96 = irdl.is ["arrive", "noComplete", "release", "shared"]
    %97 = irdl.is ["arrive", "noComplete", "release", "shared::cta"]
    %98 = irdl.is ["arrive", "noComplete", "shared"]
    %99 = irdl.is ["arrive", "noComplete", "shared::cta"]
    %100 = irdl.is ["arrive", "relaxed"]
    %101 = irdl.is ["arrive", "relaxed", "shared"]
    %102 = irdl.is ["arrive", "relaxed", "shared::cta"]
    %103 = irdl.is ["arrive", "release"]
    %104 = irdl.is ["arrive", "release", "shared"]
    %105 = irdl.is ["arrive", "release", "shared::cta"]
    %106 = irdl.is ["arrive", "shared"]
    %107 = irdl.is ["arrive", "shared::cta"]
    %108 = irdl.is ["arrive_drop"]
    %109 = irdl.is ["arrive_drop", "cluster"]
    %110 = irdl.is ["arrive_drop", "cluster", "expect_tx"]
    %111 = irdl.is ["arrive_drop", "cluster", "expect_tx", "relaxed"]
    %112 = irdl.is ["arrive_drop", "cluster", "expect_tx", "relaxed", "shared"]
    %113 = irdl.is ["arrive_drop", "cluster", "expect_tx", "relaxed", "shared::cta"]
    %114 = irdl.is ["arrive_drop", "cluster", "expect_tx", "release"]
    %115 = irdl.is ["arrive_drop", "cluster", "expect_tx", "release", "shared"]
    %116 = irdl.is ["arrive_drop", "cluster", "expect_tx", "release", "shared::cta"]
    %117 = irdl.is ["arrive_drop", "cluster", "expect_tx", "shared"]
    %118 = irdl.is ["arrive_drop", "cluster", "expect_tx", "shared::cta"]
    %119 = irdl.is ["arrive_drop", "cluster", "relaxed"]
    %120 = irdl.is ["arrive_drop", "cluster", "relaxed", "shared"]
    %121 = irdl.is ["arrive_drop", "cluster", "relaxed", "shared::cta"]
    %122 = irdl.is ["arrive_drop", "cluster", "release"]
    %123 = irdl.is ["arrive_drop", "cluster", "release", "shared"]
    %124 = irdl.is ["arrive_drop", "cluster", "release", "shared::cta"]
    %125 = irdl.is ["arrive_drop", "cluster", "shared"]
    %126 = irdl.is ["arrive_drop", "cluster", "shared::cta"]
    %127 = irdl.is ["arrive_drop", "cta"]
    %128 = irdl.is ["arrive_drop", "cta", "expect_tx"]
    %129 = irdl.is ["arrive_drop", "cta", "expect_tx", "relaxed"]
    %130 = irdl.is ["arrive_drop", "cta", "expect_tx", "relaxed", "shared"]
    %131 = irdl.is ["arrive_drop", "cta", "expect_tx", "relaxed", "shared::cta"]
    %132 = irdl.is ["arrive_drop", "cta", "expect_tx", "release"]
    %133 = irdl.is ["arrive_drop", "cta", "expect_tx", "release", "shared"]
    %134 = irdl.is ["arrive_drop", "cta", "expect_tx", "release", "shared::cta"]
    %135 = irdl.is ["arrive_drop", "cta", "expect_tx", "shared"]
    %136 = irdl.is ["arrive_drop", "cta", "expect_tx", "shared::cta"]
    %137 = irdl.is ["arrive_drop", "cta", "noComplete"]
    %138 = irdl.is ["arrive_drop", "cta", "noComplete", "release"]
    %139 = irdl.is ["arrive_drop", "cta", "noComplete", "release", "shared"]
    %140 = irdl.is ["arrive_drop", "cta", "noComplete", "release", "shared::cta"]
    %141 = irdl.is ["arrive_drop", "cta", "noComplete", "shared"]
    %142 = irdl.is ["arrive_drop", "cta", "noComplete", "shared::cta"]
    %143 = irdl.is ["arrive_drop", "cta", "relaxed"]
    %144 = irdl.is ["arrive_drop", "cta", "relaxed", "shared"]
    %145 = irdl.is ["arrive_drop", "cta", "relaxed", "shared::cta"]
    %146 = irdl.is ["arrive_drop", "cta", "release"]
    %147 = irdl.is ["arrive_drop", "cta", "release", "shared"]
    %148 = irdl.is ["arrive_drop", "cta", "release", "shared::cta"]
    %149 = irdl.is ["arrive_drop", "cta", "shared"]
    %150 = irdl.is ["arrive_drop", "cta", "shared::cta"]
    %151 = irdl.is ["arrive_drop", "expect_tx"]
    %152 = irdl.is ["arrive_drop", "expect_tx", "relaxed"]
    %153 = irdl.is ["arrive_drop", "expect_tx", "relaxed", "shared"]
    %154 = irdl.is ["arrive_drop", "expect_tx", "relaxed", "shared::cta"]
    %155 = irdl.is ["arrive_drop", "expect_tx", "release"]
    %156 = irdl.is ["arrive_drop", "expect_tx", "release", "shared"]
    %157 = irdl.is ["arrive_drop", "expect_tx", "release", "shared::cta"]
    %158 = irdl.is ["arrive_drop", "expect_tx", "shared"]
    %159 = irdl.is ["arrive_drop", "expect_tx", "shared::cta"]
    %160 = irdl.is ["arrive_drop", "noComplete"]
    %161 = irdl.is ["arrive_drop", "noComplete", "release"]
    %162 = irdl.is ["arrive_drop", "noComplete", "release", "shared"]
    %163 = irdl.is ["arrive_drop", "noComplete", "release", "shared::cta"]
    %164 = irdl.is ["arrive_drop", "noComplete", "shared"]
    %165 = irdl.is ["arrive_drop", "noComplete", "shared::cta"]
    %166 = irdl.is ["arrive_drop", "relaxed"]
    %167 = irdl.is ["arrive_drop", "relaxed", "shared"]
    %168 = irdl.is ["arrive_drop", "relaxed", "shared::cta"]
    %169 = irdl.is ["arrive_drop", "release"]
    %170 = irdl.is ["arrive_drop", "release", "shared"]
    %171 = irdl.is ["arrive_drop", "release", "shared::cta"]
    %172 = irdl.is ["arrive_drop", "shared"]
    %173 = irdl.is ["arrive_drop", "shared::cta"]
    %174 = irdl.is ["cluster", "complete_tx"]
    %175 = irdl.is ["cluster", "complete_tx", "relaxed"]
    %176 = irdl.is ["cluster", "complete_tx", "relaxed", "shared"]
    %177 = irdl.is ["cluster", "complete_tx", "relaxed", "shared::cta"]
    %178 = irdl.is ["cluster", "complete_tx", "shared"]
    %179 = irdl.is ["cluster", "complete_tx", "shared::cta"]
    %180 = irdl.is ["cluster", "expect_tx"]
    %181 = irdl.is ["cluster", "expect_tx", "relaxed"]
    %182 = irdl.is ["cluster", "expect_tx", "relaxed", "shared"]
    %183 = irdl.is ["cluster", "expect_tx", "relaxed", "shared::cta"]
    %184 = irdl.is ["cluster", "expect_tx", "shared"]
    %185 = irdl.is ["cluster", "expect_tx", "shared::cta"]
    %186 = irdl.is ["cluster", "parity", "relaxed", "shared", "test_wait"]
    %187 = irdl.is ["cluster", "parity", "relaxed", "shared", "try_wait"]
    %188 = irdl.is ["cluster", "parity", "relaxed", "shared::cta", "test_wait"]
    %189 = irdl.is ["cluster", "parity", "relaxed", "shared::cta", "try_wait"]
    %190 = irdl.is ["cluster", "parity", "relaxed", "test_wait"]
    %191 = irdl.is ["cluster", "parity", "relaxed", "try_wait"]
    %192 = irdl.is ["cluster", "parity", "shared", "test_wait"]
    %193 = irdl.is ["cluster", "parity", "shared", "try_wait"]
    %194 = irdl.is ["cluster", "parity", "shared::cta", "test_wait"]
    %195 = irdl.is ["cluster", "parity", "shared::cta", "try_wait"]
    %196 = irdl.is ["cluster", "parity", "test_wait"]
    %197 = irdl.is ["cluster", "parity", "try_wait"]
    %198 = irdl.is ["cluster", "relaxed", "shared", "test_wait"]
    %199 = irdl.is ["cluster", "relaxed", "shared", "try_wait"]
    %200 = irdl.is ["cluster", "relaxed", "shared::cta", "test_wait"]
    %201 = irdl.is ["cluster", "relaxed", "shared::cta", "try_wait"]
    %202 = irdl.is ["cluster", "relaxed", "test_wait"]
    %203 = irdl.is ["cluster", "relaxed", "try_wait"]
    %204 = irdl.is ["cluster", "shared", "test_wait"]
    %205 = irdl.is ["cluster", "shared", "try_wait"]
    %206 = irdl.is ["cluster", "shared::cta", "test_wait"]
    %207 = irdl.is ["cluster", "shared::cta", "try_wait"]
    %208 = irdl.is ["cluster", "test_wait"]
    %209 = irdl.is ["cluster", "try_wait"]
    %210 = irdl.is ["complete_tx"]
    %211 = irdl.is ["complete_tx", "cta"]
    %212 = irdl.is ["complete_tx", "cta", "relaxed"]
    %213 = irdl.is ["complete_tx", "cta", "relaxed", "shared"]
    %214 = irdl.is ["complete_tx", "cta", "relaxed", "shared::cta"]
    %215 = irdl.is ["complete_tx", "cta", "shared"]
    %216 = irdl.is ["complete_tx", "cta", "shared::cta"]
    %217 = irdl.is ["complete_tx", "relaxed"]
    %218 = irdl.is ["complete_tx", "relaxed", "shared"]
    %219 = irdl.is ["complete_tx", "relaxed", "shared::cta"]
    %220 = irdl.is ["complete_tx", "shared"]
    %221 = irdl.is ["complete_tx", "shared::cta"]
    %222 = irdl.is ["cta", "expect_tx"]
    %223 = irdl.is ["cta", "expect_tx", "relaxed"]
    %224 = irdl.is ["cta", "expect_tx", "relaxed", "shared"]
    %225 = irdl.is ["cta", "expect_tx", "relaxed", "shared::cta"]
    %226 = irdl.is ["cta", "expect_tx", "shared"]
    %227 = irdl.is ["cta", "expect_tx", "shared::cta"]
    %228 = irdl.is ["cta", "parity", "relaxed", "shared", "test_wait"]
    %229 = irdl.is ["cta", "parity", "relaxed", "shared", "try_wait"]
    %230 = irdl.is ["cta", "parity", "relaxed", "shared::cta", "test_wait"]
    %231 = irdl.is ["cta", "parity", "relaxed", "shared::cta", "try_wait"]
    %232 = irdl.is ["cta", "parity", "relaxed", "test_wait"]
    %233 = irdl.is ["cta", "parity", "relaxed", "try_wait"]
    %234 = irdl.is ["cta", "parity", "shared", "test_wait"]
    %235 = irdl.is ["cta", "parity", "shared", "try_wait"]
    %236 = irdl.is ["cta", "parity", "shared::cta", "test_wait"]
    %237 = irdl.is ["cta", "parity", "shared::cta", "try_wait"]
    %238 = irdl.is ["cta", "parity", "test_wait"]
    %239 = irdl.is ["cta", "parity", "try_wait"]
    %240 = irdl.is ["cta", "relaxed", "shared", "test_wait"]
    %241 = irdl.is ["cta", "relaxed", "shared", "try_wait"]
    %242 = irdl.is ["cta", "relaxed", "shared::cta", "test_wait"]
    %243 = irdl.is ["cta", "relaxed", "shared::cta", "try_wait"]
    %244 = irdl.is ["cta", "relaxed", "test_wait"]
    %245 = irdl.is ["cta", "relaxed", "try_wait"]
    %246 = irdl.is ["cta", "shared", "test_wait"]
    %247 = irdl.is ["cta", "shared", "try_wait"]
    %248 = irdl.is ["cta", "shared::cta", "test_wait"]
    %249 = irdl.is ["cta", "shared::cta", "try_wait"]
    %250 = irdl.is ["cta", "test_wait"]
    %251 = irdl.is ["cta", "try_wait"]
    %252 = irdl.is ["expect_tx"]
    %253 = irdl.is ["expect_tx", "relaxed"]
    %254 = irdl.is ["expect_tx", "relaxed", "shared"]
    %255 = irdl.is ["expect_tx", "relaxed", "shared::cta"]
    %256 = irdl.is ["expect_tx", "shared"]
    %257 = irdl.is ["expect_tx", "shared::cta"]
    %258 = irdl.is ["init"]
    %259 = irdl.is ["init", "shared"]
    %260 = irdl.is ["init", "shared::cta"]
    %261 = irdl.is ["inval"]
    %262 = irdl.is ["inval", "shared"]
    %263 = irdl.is ["inval", "shared::cta"]
    %264 = irdl.is ["parity", "relaxed", "shared", "test_wait"]
    %265 = irdl.is ["parity", "relaxed", "shared", "try_wait"]
    %266 = irdl.is ["parity", "relaxed", "shared::cta", "test_wait"]
    %267 = irdl.is ["parity", "relaxed", "shared::cta", "try_wait"]
    %268 = irdl.is ["parity", "relaxed", "test_wait"]
    %269 = irdl.is ["parity", "relaxed", "try_wait"]
    %270 = irdl.is ["parity", "shared", "test_wait"]
    %271 = irdl.is ["parity", "shared", "try_wait"]
    %272 = irdl.is ["parity", "shared::cta", "test_wait"]
    %273 = irdl.is ["parity", "shared::cta", "try_wait"]
    %274 = irdl.is ["parity", "test_wait"]
    %275 = irdl.is ["parity", "try_wait"]
    %276 = irdl.is ["pending_count"]
    %277 = irdl.is ["relaxed", "shared", "test_wait"]
    %278 = irdl.is ["relaxed", "shared", "try_wait"]
    %279 = irdl.is ["relaxed", "shared::cta", "test_wait"]
    %280 = irdl.is ["relaxed", "shared::cta", "try_wait"]
    %281 = irdl.is ["relaxed", "test_wait"]
    %282 = irdl.is ["relaxed", "try_wait"]
    %283 = irdl.is ["shared", "test_wait"]
    %284 = irdl.is ["shared", "try_wait"]
    %285 = irdl.is ["shared::cta", "test_wait"]
    %286 = irdl.is ["shared::cta", "try_wait"]
    %287 = irdl.is ["test_wait"]
    %288 = irdl.is ["try_wait"]
    %289 = irdl.any_of(%6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147, %148, %149, %150, %151, %152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %164, %165, %166, %167, %168, %169, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184, %185, %186, %187, %188, %189, %190, %191, %192, %193, %194, %195, %196, %197, %198, %199, %200, %201, %202, %203, %204, %205, %206, %207, %208, %209, %210, %211, %212, %213, %214, %215, %216, %217, %218, %219, %220, %221, %222, %223, %224, %225, %226, %227, %228, %229, %230, %231, %232, %233, %234, %235, %236, %237, %238, %239, %240, %241, %242, %243, %244, %245, %246, %247, %248, %249, %250, %251, %252, %253, %254, %255, %256, %257, %258, %259, %260, %261, %262, %263, %264, %265, %266, %267, %268, %269, %270, %271, %272, %273, %274, %275, %276, %277, %278, %279, %280, %281, %282, %283, %284, %285, %286, %287, %288)
    %290 = irdl.is ["b64"]
    %291 = irdl.any_of(%4, %0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %0, guard: optional %4, old0: optional %5)
    irdl.results(res: optional %291)
    irdl.attributes {"modifiers" = %289, "types" = %290}
  }
  irdl.operation @membar {
    %0 = irdl.is i1
    %1 = irdl.base "#builtin.array"
    %2 = irdl.is []
    irdl.operands(guard: optional %0)
    irdl.attributes {"modifiers" = %1, "types" = %2}
  }
  irdl.operation @min {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.any_of(%1, %2)
    %6 = irdl.is i1
    %7 = irdl.any_of(%0, %1, %2)
    %8 = irdl.is []
    %9 = irdl.is ["NaN"]
    %10 = irdl.is ["NaN", "ftz"]
    %11 = irdl.is ["ftz"]
    %12 = irdl.is ["relu"]
    %13 = irdl.any_of(%8, %9, %10, %11, %12)
    %14 = irdl.is ["bf16"]
    %15 = irdl.is ["bf16x2"]
    %16 = irdl.is ["f16"]
    %17 = irdl.is ["f16x2"]
    %18 = irdl.is ["f32"]
    %19 = irdl.is ["f64"]
    %20 = irdl.is ["s16"]
    %21 = irdl.is ["s16x2"]
    %22 = irdl.is ["s32"]
    %23 = irdl.is ["s64"]
    %24 = irdl.is ["u16"]
    %25 = irdl.is ["u16x2"]
    %26 = irdl.is ["u32"]
    %27 = irdl.is ["u64"]
    %28 = irdl.any_of(%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27)
    %29 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %6, old0: optional %7)
    irdl.results(res: %29)
    irdl.attributes {"modifiers" = %13, "types" = %28}
  }
  irdl.operation @mma {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.any_of(%0, %1)
    %8 = irdl.any_of(%0, %1)
    %9 = irdl.any_of(%0, %1)
    %10 = irdl.any_of(%0, %1)
    %11 = irdl.any_of(%0, %1)
    %12 = irdl.any_of(%0, %1)
    %13 = irdl.any_of(%0, %1)
    %14 = irdl.any_of(%0, %1)
    %15 = irdl.any_of(%0, %1)
    %16 = irdl.any_of(%0, %1)
    %17 = irdl.any_of(%0, %1)
    %18 = irdl.any_of(%0, %1)
    %19 = irdl.any_of(%0, %1)
    %20 = irdl.any_of(%0, %1)
    %21 = irdl.any_of(%0, %1)
    %22 = irdl.any_of(%0, %1)
    %23 = irdl.any_of(%0, %1)
    %24 = irdl.any_of(%0, %1)
    %25 = irdl.any_of(%0, %1)
    %26 = irdl.any_of(%0, %1)
    %27 = irdl.any_of(%0, %1)
    %28 = irdl.is i1
    %29 = irdl.any_of(%0, %1)
    %30 = irdl.any_of(%0, %1)
    %31 = irdl.any_of(%0, %1)
    %32 = irdl.any_of(%0, %1)
    %33 = irdl.any_of(%0, %1)
    %34 = irdl.any_of(%0, %1)
    %35 = irdl.any_of(%0, %1)
    %36 = irdl.any_of(%0, %1)
    %37 = irdl.base "#builtin.array"
    %38 = irdl.base "#builtin.array"
    %39 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, in3: optional %5, in4: optional %6, in5: optional %7, in6: optional %8, in7: optional %9, in8: optional %10, in9: optional %11, in10: optional %12, in11: optional %13, in12: optional %14, in13: optional %15, in14: optional %16, in15: optional %17, in16: optional %18, in17: optional %19, in18: optional %20, in19: optional %21, in20: optional %22, in21: optional %23, in22: optional %24, in23: optional %25, in24: optional %26, in25: optional %27, guard: optional %28, old0: optional %29, old1: optional %30, old2: optional %31, old3: optional %32, old4: optional %33, old5: optional %34, old6: optional %35, old7: optional %36)
    irdl.results(res: variadic %39)
    irdl.attributes {"modifiers" = %37, "types" = %38}
  }
  irdl.operation @mov {
    %0 = irdl.is i1
    %1 = irdl.is i8
    %2 = irdl.is i16
    %3 = irdl.is i32
    %4 = irdl.is i64
    %5 = irdl.any_of(%0, %1, %2, %3, %4)
    %6 = irdl.any_of(%1, %2, %3)
    %7 = irdl.any_of(%1, %2)
    %8 = irdl.any_of(%1, %2)
    %9 = irdl.any_of(%0, %1, %2, %3, %4)
    %10 = irdl.any_of(%1, %2, %3)
    %11 = irdl.any_of(%1, %2)
    %12 = irdl.any_of(%1, %2)
    %13 = irdl.is []
    %14 = irdl.is ["pack"]
    %15 = irdl.is ["unpack"]
    %16 = irdl.any_of(%13, %14, %15)
    %17 = irdl.is ["b16"]
    %18 = irdl.is ["b32"]
    %19 = irdl.is ["b64"]
    %20 = irdl.is ["f32"]
    %21 = irdl.is ["f64"]
    %22 = irdl.is ["pred"]
    %23 = irdl.is ["s16"]
    %24 = irdl.is ["s32"]
    %25 = irdl.is ["s64"]
    %26 = irdl.is ["u16"]
    %27 = irdl.is ["u32"]
    %28 = irdl.is ["u64"]
    %29 = irdl.any_of(%17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28)
    %30 = irdl.any_of(%0, %1, %2, %3, %4)
    irdl.operands(in0: optional %5, in1: optional %6, in2: optional %7, in3: optional %8, guard: optional %0, old0: optional %9, old1: optional %10, old2: optional %11, old3: optional %12)
    irdl.results(res: variadic %30)
    irdl.attributes {"modifiers" = %16, "types" = %29}
  }
  irdl.operation @movmatrix {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.any_of(%0, %1)
    %8 = irdl.any_of(%0, %1)
    %9 = irdl.any_of(%0, %1)
    %10 = irdl.any_of(%0, %1)
    %11 = irdl.any_of(%0, %1)
    %12 = irdl.any_of(%0, %1)
    %13 = irdl.any_of(%0, %1)
    %14 = irdl.any_of(%0, %1)
    %15 = irdl.any_of(%0, %1)
    %16 = irdl.any_of(%0, %1)
    %17 = irdl.any_of(%0, %1)
    %18 = irdl.any_of(%0, %1)
    %19 = irdl.any_of(%0, %1)
    %20 = irdl.any_of(%0, %1)
    %21 = irdl.any_of(%0, %1)
    %22 = irdl.any_of(%0, %1)
    %23 = irdl.any_of(%0, %1)
    %24 = irdl.any_of(%0, %1)
    %25 = irdl.any_of(%0, %1)
    %26 = irdl.any_of(%0, %1)
    %27 = irdl.any_of(%0, %1)
    %28 = irdl.is i1
    %29 = irdl.any_of(%0, %1)
    %30 = irdl.any_of(%0, %1)
    %31 = irdl.any_of(%0, %1)
    %32 = irdl.any_of(%0, %1)
    %33 = irdl.any_of(%0, %1)
    %34 = irdl.any_of(%0, %1)
    %35 = irdl.any_of(%0, %1)
    %36 = irdl.any_of(%0, %1)
    %37 = irdl.base "#builtin.array"
    %38 = irdl.base "#builtin.array"
    %39 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, in3: optional %5, in4: optional %6, in5: optional %7, in6: optional %8, in7: optional %9, in8: optional %10, in9: optional %11, in10: optional %12, in11: optional %13, in12: optional %14, in13: optional %15, in14: optional %16, in15: optional %17, in16: optional %18, in17: optional %19, in18: optional %20, in19: optional %21, in20: optional %22, in21: optional %23, in22: optional %24, in23: optional %25, in24: optional %26, in25: optional %27, guard: optional %28, old0: optional %29, old1: optional %30, old2: optional %31, old3: optional %32, old4: optional %33, old5: optional %34, old6: optional %35, old7: optional %36)
    irdl.results(res: variadic %39)
    irdl.attributes {"modifiers" = %37, "types" = %38}
  }
  irdl.operation @mul {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["ftz"]
    %9 = irdl.is ["ftz", "rm"]
    %10 = irdl.is ["ftz", "rm", "sat"]
    %11 = irdl.is ["ftz", "rn"]
    %12 = irdl.is ["ftz", "rn", "sat"]
    %13 = irdl.is ["ftz", "rp"]
    %14 = irdl.is ["ftz", "rp", "sat"]
    %15 = irdl.is ["ftz", "rz"]
    %16 = irdl.is ["ftz", "rz", "sat"]
    %17 = irdl.is ["ftz", "sat"]
    %18 = irdl.is ["hi"]
    %19 = irdl.is ["lo"]
    %20 = irdl.is ["rm"]
    %21 = irdl.is ["rm", "sat"]
    %22 = irdl.is ["rn"]
    %23 = irdl.is ["rn", "sat"]
    %24 = irdl.is ["rp"]
    %25 = irdl.is ["rp", "sat"]
    %26 = irdl.is ["rz"]
    %27 = irdl.is ["rz", "sat"]
    %28 = irdl.is ["sat"]
    %29 = irdl.is ["wide"]
    %30 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29)
    %31 = irdl.is ["bf16"]
    %32 = irdl.is ["bf16x2"]
    %33 = irdl.is ["f16"]
    %34 = irdl.is ["f16x2"]
    %35 = irdl.is ["f32"]
    %36 = irdl.is ["f32x2"]
    %37 = irdl.is ["f64"]
    %38 = irdl.is ["s16"]
    %39 = irdl.is ["s32"]
    %40 = irdl.is ["s64"]
    %41 = irdl.is ["u16"]
    %42 = irdl.is ["u32"]
    %43 = irdl.is ["u64"]
    %44 = irdl.any_of(%31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43)
    %45 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, guard: optional %5, old0: optional %6)
    irdl.results(res: %45)
    irdl.attributes {"modifiers" = %30, "types" = %44}
  }
  irdl.operation @mul24 {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["hi"]
    %3 = irdl.is ["lo"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["s32"]
    %6 = irdl.is ["u32"]
    %7 = irdl.any_of(%5, %6)
    irdl.operands(in0: optional %0, in1: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %7}
  }
  irdl.operation @nanosleep {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is []
    %3 = irdl.is ["u32"]
    irdl.operands(in0: optional %0, guard: optional %1)
    irdl.attributes {"modifiers" = %2, "types" = %3}
  }
  irdl.operation @neg {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is []
    %7 = irdl.is ["ftz"]
    %8 = irdl.any_of(%6, %7)
    %9 = irdl.is ["bf16"]
    %10 = irdl.is ["bf16x2"]
    %11 = irdl.is ["f16"]
    %12 = irdl.is ["f16x2"]
    %13 = irdl.is ["f32"]
    %14 = irdl.is ["f64"]
    %15 = irdl.is ["s16"]
    %16 = irdl.is ["s32"]
    %17 = irdl.is ["s64"]
    %18 = irdl.any_of(%9, %10, %11, %12, %13, %14, %15, %16, %17)
    %19 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, guard: optional %4, old0: optional %5)
    irdl.results(res: %19)
    irdl.attributes {"modifiers" = %8, "types" = %18}
  }
  irdl.operation @not {
    %0 = irdl.is i1
    %1 = irdl.is i16
    %2 = irdl.is i32
    %3 = irdl.is i64
    %4 = irdl.any_of(%0, %1, %2, %3)
    %5 = irdl.any_of(%0, %1, %2, %3)
    %6 = irdl.is []
    %7 = irdl.is ["b16"]
    %8 = irdl.is ["b32"]
    %9 = irdl.is ["b64"]
    %10 = irdl.is ["pred"]
    %11 = irdl.any_of(%7, %8, %9, %10)
    %12 = irdl.any_of(%0, %1, %2, %3)
    irdl.operands(in0: optional %4, guard: optional %0, old0: optional %5)
    irdl.results(res: %12)
    irdl.attributes {"modifiers" = %6, "types" = %11}
  }
  irdl.operation @or {
    %0 = irdl.is i1
    %1 = irdl.is i16
    %2 = irdl.is i32
    %3 = irdl.is i64
    %4 = irdl.any_of(%0, %1, %2, %3)
    %5 = irdl.any_of(%0, %1, %2, %3)
    %6 = irdl.any_of(%0, %1, %2, %3)
    %7 = irdl.is []
    %8 = irdl.is ["b16"]
    %9 = irdl.is ["b32"]
    %10 = irdl.is ["b64"]
    %11 = irdl.is ["pred"]
    %12 = irdl.any_of(%8, %9, %10, %11)
    %13 = irdl.any_of(%0, %1, %2, %3)
    irdl.operands(in0: optional %4, in1: optional %5, guard: optional %0, old0: optional %6)
    irdl.results(res: %13)
    irdl.attributes {"modifiers" = %7, "types" = %12}
  }
  irdl.operation @popc {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is []
    %5 = irdl.is ["b32"]
    %6 = irdl.is ["b64"]
    %7 = irdl.any_of(%5, %6)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %7}
  }
  irdl.operation @prefetch {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["L1"]
    %5 = irdl.is ["L1", "L2::evict_first"]
    %6 = irdl.is ["L1", "L2::evict_first", "L2::evict_unchanged"]
    %7 = irdl.is ["L1", "L2::evict_first", "L2::evict_unchanged", "const"]
    %8 = irdl.is ["L1", "L2::evict_first", "L2::evict_unchanged", "global"]
    %9 = irdl.is ["L1", "L2::evict_first", "L2::evict_unchanged", "local"]
    %10 = irdl.is ["L1", "L2::evict_first", "const"]
    %11 = irdl.is ["L1", "L2::evict_first", "global"]
    %12 = irdl.is ["L1", "L2::evict_first", "local"]
    %13 = irdl.is ["L1", "L2::evict_unchanged"]
    %14 = irdl.is ["L1", "L2::evict_unchanged", "const"]
    %15 = irdl.is ["L1", "L2::evict_unchanged", "global"]
    %16 = irdl.is ["L1", "L2::evict_unchanged", "local"]
    %17 = irdl.is ["L1", "const"]
    %18 = irdl.is ["L1", "global"]
    %19 = irdl.is ["L1", "local"]
    %20 = irdl.is ["L2"]
    %21 = irdl.is ["L2", "L2::evict_first"]
    %22 = irdl.is ["L2", "L2::evict_first", "L2::evict_unchanged"]
    %23 = irdl.is ["L2", "L2::evict_first", "L2::evict_unchanged", "const"]
    %24 = irdl.is ["L2", "L2::evict_first", "L2::evict_unchanged", "global"]
    %25 = irdl.is ["L2", "L2::evict_first", "L2::evict_unchanged", "local"]
    %26 = irdl.is ["L2", "L2::evict_first", "const"]
    %27 = irdl.is ["L2", "L2::evict_first", "global"]
    %28 = irdl.is ["L2", "L2::evict_first", "local"]
    %29 = irdl.is ["L2", "L2::evict_unchanged"]
    %30 = irdl.is ["L2", "L2::evict_unchanged", "const"]
    %31 = irdl.is ["L2", "L2::evict_unchanged", "global"]
    %32 = irdl.is ["L2", "L2::evict_unchanged", "local"]
    %33 = irdl.is ["L2", "const"]
    %34 = irdl.is ["L2", "global"]
    %35 = irdl.is ["L2", "local"]
    %36 = irdl.is ["L2::evict_first", "L2::evict_last"]
    %37 = irdl.is ["L2::evict_first", "L2::evict_last", "L2::evict_unchanged"]
    %38 = irdl.is ["L2::evict_first", "L2::evict_last", "L2::evict_unchanged", "const"]
    %39 = irdl.is ["L2::evict_first", "L2::evict_last", "L2::evict_unchanged", "global"]
    %40 = irdl.is ["L2::evict_first", "L2::evict_last", "L2::evict_unchanged", "local"]
    %41 = irdl.is ["L2::evict_first", "L2::evict_last", "const"]
    %42 = irdl.is ["L2::evict_first", "L2::evict_last", "global"]
    %43 = irdl.is ["L2::evict_first", "L2::evict_last", "local"]
    %44 = irdl.is ["L2::evict_first", "L2::evict_normal"]
    %45 = irdl.is ["L2::evict_first", "L2::evict_normal", "L2::evict_unchanged"]
    %46 = irdl.is ["L2::evict_first", "L2::evict_normal", "L2::evict_unchanged", "const"]
    %47 = irdl.is ["L2::evict_first", "L2::evict_normal", "L2::evict_unchanged", "global"]
    %48 = irdl.is ["L2::evict_first", "L2::evict_normal", "L2::evict_unchanged", "local"]
    %49 = irdl.is ["L2::evict_first", "L2::evict_normal", "const"]
    %50 = irdl.is ["L2::evict_first", "L2::evict_normal", "global"]
    %51 = irdl.is ["L2::evict_first", "L2::evict_normal", "local"]
    %52 = irdl.is ["L2::evict_last"]
    %53 = irdl.is ["L2::evict_last", "L2::evict_unchanged"]
    %54 = irdl.is ["L2::evict_last", "L2::evict_unchanged", "const"]
    %55 = irdl.is ["L2::evict_last", "L2::evict_unchanged", "global"]
    %56 = irdl.is ["L2::evict_last", "L2::evict_unchanged", "local"]
    %57 = irdl.is ["L2::evict_last", "const"]
    %58 = irdl.is ["L2::evict_last", "global"]
    %59 = irdl.is ["L2::evict_last", "local"]
    %60 = irdl.is ["L2::evict_normal"]
    %61 = irdl.is ["L2::evict_normal", "L2::evict_unchanged"]
    %62 = irdl.is ["L2::evict_normal", "L2::evict_unchanged", "const"]
    %63 = irdl.is ["L2::evict_normal", "L2::evict_unchanged", "global"]
    %64 = irdl.is ["L2::evict_normal", "L2::evict_unchanged", "local"]
    %65 = irdl.is ["L2::evict_normal", "const"]
    %66 = irdl.is ["L2::evict_normal", "global"]
    %67 = irdl.is ["L2::evict_normal", "local"]
    %68 = irdl.any_of(%4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67)
    %69 = irdl.is []
    %70 = irdl.base "#builtin.integer"
    irdl.operands(in0: optional %2, guard: optional %3)
    irdl.attributes {"modifiers" = %68, "types" = %69, "offset" = %70}
  }
  irdl.operation @prefetchu {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["L1"]
    %5 = irdl.is []
    %6 = irdl.base "#builtin.integer"
    irdl.operands(in0: optional %2, guard: optional %3)
    irdl.attributes {"modifiers" = %4, "types" = %5, "offset" = %6}
  }
  irdl.operation @prmt {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is []
    %3 = irdl.is ["b4e"]
    %4 = irdl.is ["ecl"]
    %5 = irdl.is ["ecr"]
    %6 = irdl.is ["f4e"]
    %7 = irdl.is ["rc16"]
    %8 = irdl.is ["rc8"]
    %9 = irdl.any_of(%2, %3, %4, %5, %6, %7, %8)
    %10 = irdl.is ["b32"]
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %9, "types" = %10}
  }
  irdl.operation @rcp {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is []
    %6 = irdl.is ["approx"]
    %7 = irdl.is ["approx", "ftz"]
    %8 = irdl.is ["ftz"]
    %9 = irdl.is ["ftz", "rm"]
    %10 = irdl.is ["ftz", "rn"]
    %11 = irdl.is ["ftz", "rp"]
    %12 = irdl.is ["ftz", "rz"]
    %13 = irdl.is ["rm"]
    %14 = irdl.is ["rn"]
    %15 = irdl.is ["rp"]
    %16 = irdl.is ["rz"]
    %17 = irdl.any_of(%5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16)
    %18 = irdl.is ["f32"]
    %19 = irdl.is ["f64"]
    %20 = irdl.any_of(%18, %19)
    %21 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %4)
    irdl.results(res: %21)
    irdl.attributes {"modifiers" = %17, "types" = %20}
  }
  irdl.operation @red {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i16
    %4 = irdl.any_of(%3, %0, %1)
    %5 = irdl.any_of(%3, %0, %1)
    %6 = irdl.any_of(%3, %0, %1)
    %7 = irdl.any_of(%3, %0)
    %8 = irdl.any_of(%3, %0, %1)
    %9 = irdl.any_of(%3, %0)
    %10 = irdl.any_of(%3, %0)
    %11 = irdl.any_of(%3, %0)
    %12 = irdl.is i1
    %13 = irdl.base "#builtin.array"
    %14 = irdl.is ["b32"]
    %15 = irdl.is ["b64"]
    %16 = irdl.is ["bf16"]
    %17 = irdl.is ["bf16x2"]
    %18 = irdl.is ["f16"]
    %19 = irdl.is ["f16x2"]
    %20 = irdl.is ["f32"]
    %21 = irdl.is ["f64"]
    %22 = irdl.is ["s32"]
    %23 = irdl.is ["s64"]
    %24 = irdl.is ["u32"]
    %25 = irdl.is ["u64"]
    %26 = irdl.any_of(%14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25)
    %27 = irdl.base "#builtin.integer"
    irdl.operands(in0: optional %2, in1: optional %4, in2: optional %5, in3: optional %6, in4: optional %7, in5: optional %8, in6: optional %9, in7: optional %10, in8: optional %11, in9: optional %1, guard: optional %12)
    irdl.attributes {"modifiers" = %13, "types" = %26, "offset" = %27}
  }
  irdl.operation @redux {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["add", "sync"]
    %3 = irdl.is ["and", "sync"]
    %4 = irdl.is ["max", "sync"]
    %5 = irdl.is ["min", "sync"]
    %6 = irdl.is ["or", "sync"]
    %7 = irdl.is ["sync", "xor"]
    %8 = irdl.any_of(%2, %3, %4, %5, %6, %7)
    %9 = irdl.is ["b32"]
    %10 = irdl.is ["s32"]
    %11 = irdl.is ["u32"]
    %12 = irdl.any_of(%9, %10, %11)
    irdl.operands(in0: optional %0, in1: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %8, "types" = %12}
  }
  irdl.operation @rem {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["s16"]
    %9 = irdl.is ["s32"]
    %10 = irdl.is ["s64"]
    %11 = irdl.is ["u16"]
    %12 = irdl.is ["u32"]
    %13 = irdl.is ["u64"]
    %14 = irdl.any_of(%8, %9, %10, %11, %12, %13)
    %15 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, guard: optional %5, old0: optional %6)
    irdl.results(res: %15)
    irdl.attributes {"modifiers" = %7, "types" = %14}
  }
  irdl.operation @rsqrt {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is ["approx"]
    %6 = irdl.is ["approx", "ftz"]
    %7 = irdl.any_of(%5, %6)
    %8 = irdl.is ["f32"]
    %9 = irdl.is ["f64"]
    %10 = irdl.any_of(%8, %9)
    %11 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %4)
    irdl.results(res: %11)
    irdl.attributes {"modifiers" = %7, "types" = %10}
  }
  irdl.operation @sad {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is i1
    %7 = irdl.any_of(%0, %1, %2)
    %8 = irdl.is []
    %9 = irdl.is ["s16"]
    %10 = irdl.is ["s32"]
    %11 = irdl.is ["s64"]
    %12 = irdl.is ["u16"]
    %13 = irdl.is ["u32"]
    %14 = irdl.is ["u64"]
    %15 = irdl.any_of(%9, %10, %11, %12, %13, %14)
    %16 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %6, old0: optional %7)
    irdl.results(res: %16)
    irdl.attributes {"modifiers" = %8, "types" = %15}
  }
  irdl.operation @selp {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["b16"]
    %9 = irdl.is ["b32"]
    %10 = irdl.is ["b64"]
    %11 = irdl.is ["f32"]
    %12 = irdl.is ["f64"]
    %13 = irdl.is ["s16"]
    %14 = irdl.is ["s32"]
    %15 = irdl.is ["s64"]
    %16 = irdl.is ["u16"]
    %17 = irdl.is ["u32"]
    %18 = irdl.is ["u64"]
    %19 = irdl.any_of(%8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18)
    %20 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %5, old0: optional %6)
    irdl.results(res: %20)
    irdl.attributes {"modifiers" = %7, "types" = %19}
  }
  irdl.operation @set {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.is ["and", "eq"]
    %8 = irdl.is ["and", "eq", "ftz"]
    %9 = irdl.is ["and", "equ"]
    %10 = irdl.is ["and", "equ", "ftz"]
    %11 = irdl.is ["and", "ftz", "ge"]
    %12 = irdl.is ["and", "ftz", "geu"]
    %13 = irdl.is ["and", "ftz", "gt"]
    %14 = irdl.is ["and", "ftz", "gtu"]
    %15 = irdl.is ["and", "ftz", "hi"]
    %16 = irdl.is ["and", "ftz", "hs"]
    %17 = irdl.is ["and", "ftz", "le"]
    %18 = irdl.is ["and", "ftz", "leu"]
    %19 = irdl.is ["and", "ftz", "lo"]
    %20 = irdl.is ["and", "ftz", "ls"]
    %21 = irdl.is ["and", "ftz", "lt"]
    %22 = irdl.is ["and", "ftz", "ltu"]
    %23 = irdl.is ["and", "ftz", "nan"]
    %24 = irdl.is ["and", "ftz", "ne"]
    %25 = irdl.is ["and", "ftz", "neu"]
    %26 = irdl.is ["and", "ftz", "num"]
    %27 = irdl.is ["and", "ge"]
    %28 = irdl.is ["and", "geu"]
    %29 = irdl.is ["and", "gt"]
    %30 = irdl.is ["and", "gtu"]
    %31 = irdl.is ["and", "hi"]
    %32 = irdl.is ["and", "hs"]
    %33 = irdl.is ["and", "le"]
    %34 = irdl.is ["and", "leu"]
    %35 = irdl.is ["and", "lo"]
    %36 = irdl.is ["and", "ls"]
    %37 = irdl.is ["and", "lt"]
    %38 = irdl.is ["and", "ltu"]
    %39 = irdl.is ["and", "nan"]
    %40 = irdl.is ["and", "ne"]
    %41 = irdl.is ["and", "neu"]
    %42 = irdl.is ["and", "num"]
    %43 = irdl.is ["eq"]
    %44 = irdl.is ["eq", "ftz"]
    %45 = irdl.is ["eq", "ftz", "or"]
    %46 = irdl.is ["eq", "ftz", "xor"]
    %47 = irdl.is ["eq", "or"]
    %48 = irdl.is ["eq", "xor"]
    %49 = irdl.is ["equ"]
    %50 = irdl.is ["equ", "ftz"]
    %51 = irdl.is ["equ", "ftz", "or"]
    %52 = irdl.is ["equ", "ftz", "xor"]
    %53 = irdl.is ["equ", "or"]
    %54 = irdl.is ["equ", "xor"]
    %55 = irdl.is ["ftz", "ge"]
    %56 = irdl.is ["ftz", "ge", "or"]
    %57 = irdl.is ["ftz", "ge", "xor"]
    %58 = irdl.is ["ftz", "geu"]
    %59 = irdl.is ["ftz", "geu", "or"]
    %60 = irdl.is ["ftz", "geu", "xor"]
    %61 = irdl.is ["ftz", "gt"]
    %62 = irdl.is ["ftz", "gt", "or"]
    %63 = irdl.is ["ftz", "gt", "xor"]
    %64 = irdl.is ["ftz", "gtu"]
    %65 = irdl.is ["ftz", "gtu", "or"]
    %66 = irdl.is ["ftz", "gtu", "xor"]
    %67 = irdl.is ["ftz", "hi"]
    %68 = irdl.is ["ftz", "hi", "or"]
    %69 = irdl.is ["ftz", "hi", "xor"]
    %70 = irdl.is ["ftz", "hs"]
    %71 = irdl.is ["ftz", "hs", "or"]
    %72 = irdl.is ["ftz", "hs", "xor"]
    %73 = irdl.is ["ftz", "le"]
    %74 = irdl.is ["ftz", "le", "or"]
    %75 = irdl.is ["ftz", "le", "xor"]
    %76 = irdl.is ["ftz", "leu"]
    %77 = irdl.is ["ftz", "leu", "or"]
    %78 = irdl.is ["ftz", "leu", "xor"]
    %79 = irdl.is ["ftz", "lo"]
    %80 = irdl.is ["ftz", "lo", "or"]
    %81 = irdl.is ["ftz", "lo", "xor"]
    %82 = irdl.is ["ftz", "ls"]
    %83 = irdl.is ["ftz", "ls", "or"]
    %84 = irdl.is ["ftz", "ls", "xor"]
    %85 = irdl.is ["ftz", "lt"]
    %86 = irdl.is ["ftz", "lt", "or"]
    %87 = irdl.is ["ftz", "lt", "xor"]
    %88 = irdl.is ["ftz", "ltu"]
    %89 = irdl.is ["ftz", "ltu", "or"]
    %90 = irdl.is ["ftz", "ltu", "xor"]
    %91 = irdl.is ["ftz", "nan"]
    %92 = irdl.is ["ftz", "nan", "or"]
    %93 = irdl.is ["ftz", "nan", "xor"]
    %94 = irdl.is ["ftz", "ne"]
    %95 = irdl.is ["ftz", "ne", "or"]
    %96 = irdl.is ["ftz", "ne", "xor"]
    %97 = irdl.is ["ftz", "neu"]
    %98 = irdl.is ["ftz", "neu", "or"]
    %99 = irdl.is ["ftz", "neu", "xor"]
    %100 = irdl.is ["ftz", "num"]
    %101 = irdl.is ["ftz", "num", "or"]
    %102 = irdl.is ["ftz", "num", "xor"]
    %103 = irdl.is ["ge"]
    %104 = irdl.is ["ge", "or"]
    %105 = irdl.is ["ge", "xor"]
    %106 = irdl.is ["geu"]
    %107 = irdl.is ["geu", "or"]
    %108 = irdl.is ["geu", "xor"]
    %109 = irdl.is ["gt"]
    %110 = irdl.is ["gt", "or"]
    %111 = irdl.is ["gt", "xor"]
    %112 = irdl.is ["gtu"]
    %113 = irdl.is ["gtu", "or"]
    %114 = irdl.is ["gtu", "xor"]
    %115 = irdl.is ["hi"]
    %116 = irdl.is ["hi", "or"]
    %117 = irdl.is ["hi", "xor"]
    %118 = irdl.is ["hs"]
    %119 = irdl.is ["hs", "or"]
    %120 = irdl.is ["hs", "xor"]
    %121 = irdl.is ["le"]
    %122 = irdl.is ["le", "or"]
    %123 = irdl.is ["le", "xor"]
    %124 = irdl.is ["leu"]
    %125 = irdl.is ["leu", "or"]
    %126 = irdl.is ["leu", "xor"]
    %127 = irdl.is ["lo"]
    %128 = irdl.is ["lo", "or"]
    %129 = irdl.is ["lo", "xor"]
    %130 = irdl.is ["ls"]
    %131 = irdl.is ["ls", "or"]
    %132 = irdl.is ["ls", "xor"]
    %133 = irdl.is ["lt"]
    %134 = irdl.is ["lt", "or"]
    %135 = irdl.is ["lt", "xor"]
    %136 = irdl.is ["ltu"]
    %137 = irdl.is ["ltu", "or"]
    %138 = irdl.is ["ltu", "xor"]
    %139 = irdl.is ["nan"]
    %140 = irdl.is ["nan", "or"]
    %141 = irdl.is ["nan", "xor"]
    %142 = irdl.is ["ne"]
    %143 = irdl.is ["ne", "or"]
    %144 = irdl.is ["ne", "xor"]
    %145 = irdl.is ["neu"]
    %146 = irdl.is ["neu", "or"]
    %147 = irdl.is ["neu", "xor"]
    %148 = irdl.is ["num"]
    %149 = irdl.is ["num", "or"]
    %150 = irdl.is ["num", "xor"]
    %151 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133, %134, %135, %136, %137, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147, %148, %149, %150)
    %152 = irdl.is ["bf16", "b16"]
    %153 = irdl.is ["bf16", "b32"]
    %154 = irdl.is ["bf16", "b64"]
    %155 = irdl.is ["bf16", "bf16"]
    %156 = irdl.is ["bf16", "f16"]
    %157 = irdl.is ["bf16", "f32"]
    %158 = irdl.is ["bf16", "f64"]
    %159 = irdl.is ["bf16", "s16"]
    %160 = irdl.is ["bf16", "s32"]
    %161 = irdl.is ["bf16", "s64"]
    %162 = irdl.is ["bf16", "u16"]
    %163 = irdl.is ["bf16", "u32"]
    %164 = irdl.is ["bf16", "u64"]
    %165 = irdl.is ["bf16x2", "bf16x2"]
    %166 = irdl.is ["f16", "b16"]
    %167 = irdl.is ["f16", "b32"]
    %168 = irdl.is ["f16", "b64"]
    %169 = irdl.is ["f16", "f16"]
    %170 = irdl.is ["f16", "f32"]
    %171 = irdl.is ["f16", "f64"]
    %172 = irdl.is ["f16", "s16"]
    %173 = irdl.is ["f16", "s32"]
    %174 = irdl.is ["f16", "s64"]
    %175 = irdl.is ["f16", "u16"]
    %176 = irdl.is ["f16", "u32"]
    %177 = irdl.is ["f16", "u64"]
    %178 = irdl.is ["f16x2", "f16x2"]
    %179 = irdl.is ["f32", "b16"]
    %180 = irdl.is ["f32", "b32"]
    %181 = irdl.is ["f32", "b64"]
    %182 = irdl.is ["f32", "f32"]
    %183 = irdl.is ["f32", "f64"]
    %184 = irdl.is ["f32", "s16"]
    %185 = irdl.is ["f32", "s32"]
    %186 = irdl.is ["f32", "s64"]
    %187 = irdl.is ["f32", "u16"]
    %188 = irdl.is ["f32", "u32"]
    %189 = irdl.is ["f32", "u64"]
    %190 = irdl.is ["s16", "bf16"]
    %191 = irdl.is ["s16", "f16"]
    %192 = irdl.is ["s32", "b16"]
    %193 = irdl.is ["s32", "b32"]
    %194 = irdl.is ["s32", "b64"]
    %195 = irdl.is ["s32", "bf16"]
    %196 = irdl.is ["s32", "bf16x2"]
    %197 = irdl.is ["s32", "f16"]
    %198 = irdl.is ["s32", "f16x2"]
    %199 = irdl.is ["s32", "f32"]
    %200 = irdl.is ["s32", "f64"]
    %201 = irdl.is ["s32", "s16"]
    %202 = irdl.is ["s32", "s32"]
    %203 = irdl.is ["s32", "s64"]
    %204 = irdl.is ["s32", "u16"]
    %205 = irdl.is ["s32", "u32"]
    %206 = irdl.is ["s32", "u64"]
    %207 = irdl.is ["u16", "bf16"]
    %208 = irdl.is ["u16", "f16"]
    %209 = irdl.is ["u32", "b16"]
    %210 = irdl.is ["u32", "b32"]
    %211 = irdl.is ["u32", "b64"]
    %212 = irdl.is ["u32", "bf16"]
    %213 = irdl.is ["u32", "bf16x2"]
    %214 = irdl.is ["u32", "f16"]
    %215 = irdl.is ["u32", "f16x2"]
    %216 = irdl.is ["u32", "f32"]
    %217 = irdl.is ["u32", "f64"]
    %218 = irdl.is ["u32", "s16"]
    %219 = irdl.is ["u32", "s32"]
    %220 = irdl.is ["u32", "s64"]
    %221 = irdl.is ["u32", "u16"]
    %222 = irdl.is ["u32", "u32"]
    %223 = irdl.is ["u32", "u64"]
    %224 = irdl.any_of(%152, %153, %154, %155, %156, %157, %158, %159, %160, %161, %162, %163, %164, %165, %166, %167, %168, %169, %170, %171, %172, %173, %174, %175, %176, %177, %178, %179, %180, %181, %182, %183, %184, %185, %186, %187, %188, %189, %190, %191, %192, %193, %194, %195, %196, %197, %198, %199, %200, %201, %202, %203, %204, %205, %206, %207, %208, %209, %210, %211, %212, %213, %214, %215, %216, %217, %218, %219, %220, %221, %222, %223)
    %225 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %5, old0: optional %6)
    irdl.results(res: %225)
    irdl.attributes {"modifiers" = %151, "types" = %224}
  }
  irdl.operation @setp {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.is ["and", "eq"]
    %7 = irdl.is ["and", "eq", "ftz"]
    %8 = irdl.is ["and", "equ"]
    %9 = irdl.is ["and", "equ", "ftz"]
    %10 = irdl.is ["and", "ftz", "ge"]
    %11 = irdl.is ["and", "ftz", "geu"]
    %12 = irdl.is ["and", "ftz", "gt"]
    %13 = irdl.is ["and", "ftz", "gtu"]
    %14 = irdl.is ["and", "ftz", "le"]
    %15 = irdl.is ["and", "ftz", "leu"]
    %16 = irdl.is ["and", "ftz", "lt"]
    %17 = irdl.is ["and", "ftz", "ltu"]
    %18 = irdl.is ["and", "ftz", "nan"]
    %19 = irdl.is ["and", "ftz", "ne"]
    %20 = irdl.is ["and", "ftz", "neu"]
    %21 = irdl.is ["and", "ftz", "num"]
    %22 = irdl.is ["and", "ge"]
    %23 = irdl.is ["and", "geu"]
    %24 = irdl.is ["and", "gt"]
    %25 = irdl.is ["and", "gtu"]
    %26 = irdl.is ["and", "hi"]
    %27 = irdl.is ["and", "hs"]
    %28 = irdl.is ["and", "le"]
    %29 = irdl.is ["and", "leu"]
    %30 = irdl.is ["and", "lo"]
    %31 = irdl.is ["and", "ls"]
    %32 = irdl.is ["and", "lt"]
    %33 = irdl.is ["and", "ltu"]
    %34 = irdl.is ["and", "nan"]
    %35 = irdl.is ["and", "ne"]
    %36 = irdl.is ["and", "neu"]
    %37 = irdl.is ["and", "num"]
    %38 = irdl.is ["eq"]
    %39 = irdl.is ["eq", "ftz"]
    %40 = irdl.is ["eq", "ftz", "or"]
    %41 = irdl.is ["eq", "ftz", "xor"]
    %42 = irdl.is ["eq", "or"]
    %43 = irdl.is ["eq", "xor"]
    %44 = irdl.is ["equ"]
    %45 = irdl.is ["equ", "ftz"]
    %46 = irdl.is ["equ", "ftz", "or"]
    %47 = irdl.is ["equ", "ftz", "xor"]
    %48 = irdl.is ["equ", "or"]
    %49 = irdl.is ["equ", "xor"]
    %50 = irdl.is ["ftz", "ge"]
    %51 = irdl.is ["ftz", "ge", "or"]
    %52 = irdl.is ["ftz", "ge", "xor"]
    %53 = irdl.is ["ftz", "geu"]
    %54 = irdl.is ["ftz", "geu", "or"]
    %55 = irdl.is ["ftz", "geu", "xor"]
    %56 = irdl.is ["ftz", "gt"]
    %57 = irdl.is ["ftz", "gt", "or"]
    %58 = irdl.is ["ftz", "gt", "xor"]
    %59 = irdl.is ["ftz", "gtu"]
    %60 = irdl.is ["ftz", "gtu", "or"]
    %61 = irdl.is ["ftz", "gtu", "xor"]
    %62 = irdl.is ["ftz", "le"]
    %63 = irdl.is ["ftz", "le", "or"]
    %64 = irdl.is ["ftz", "le", "xor"]
    %65 = irdl.is ["ftz", "leu"]
    %66 = irdl.is ["ftz", "leu", "or"]
    %67 = irdl.is ["ftz", "leu", "xor"]
    %68 = irdl.is ["ftz", "lt"]
    %69 = irdl.is ["ftz", "lt", "or"]
    %70 = irdl.is ["ftz", "lt", "xor"]
    %71 = irdl.is ["ftz", "ltu"]
    %72 = irdl.is ["ftz", "ltu", "or"]
    %73 = irdl.is ["ftz", "ltu", "xor"]
    %74 = irdl.is ["ftz", "nan"]
    %75 = irdl.is ["ftz", "nan", "or"]
    %76 = irdl.is ["ftz", "nan", "xor"]
    %77 = irdl.is ["ftz", "ne"]
    %78 = irdl.is ["ftz", "ne", "or"]
    %79 = irdl.is ["ftz", "ne", "xor"]
    %80 = irdl.is ["ftz", "neu"]
    %81 = irdl.is ["ftz", "neu", "or"]
    %82 = irdl.is ["ftz", "neu", "xor"]
    %83 = irdl.is ["ftz", "num"]
    %84 = irdl.is ["ftz", "num", "or"]
    %85 = irdl.is ["ftz", "num", "xor"]
    %86 = irdl.is ["ge"]
    %87 = irdl.is ["ge", "or"]
    %88 = irdl.is ["ge", "xor"]
    %89 = irdl.is ["geu"]
    %90 = irdl.is ["geu", "or"]
    %91 = irdl.is ["geu", "xor"]
    %92 = irdl.is ["gt"]
    %93 = irdl.is ["gt", "or"]
    %94 = irdl.is ["gt", "xor"]
    %95 = irdl.is ["gtu"]
    %96 = irdl.is ["gtu", "or"]
    %97 = irdl.is ["gtu", "xor"]
    %98 = irdl.is ["hi"]
    %99 = irdl.is ["hi", "or"]
    %100 = irdl.is ["hi", "xor"]
    %101 = irdl.is ["hs"]
    %102 = irdl.is ["hs", "or"]
    %103 = irdl.is ["hs", "xor"]
    %104 = irdl.is ["le"]
    %105 = irdl.is ["le", "or"]
    %106 = irdl.is ["le", "xor"]
    %107 = irdl.is ["leu"]
    %108 = irdl.is ["leu", "or"]
    %109 = irdl.is ["leu", "xor"]
    %110 = irdl.is ["lo"]
    %111 = irdl.is ["lo", "or"]
    %112 = irdl.is ["lo", "xor"]
    %113 = irdl.is ["ls"]
    %114 = irdl.is ["ls", "or"]
    %115 = irdl.is ["ls", "xor"]
    %116 = irdl.is ["lt"]
    %117 = irdl.is ["lt", "or"]
    %118 = irdl.is ["lt", "xor"]
    %119 = irdl.is ["ltu"]
    %120 = irdl.is ["ltu", "or"]
    %121 = irdl.is ["ltu", "xor"]
    %122 = irdl.is ["nan"]
    %123 = irdl.is ["nan", "or"]
    %124 = irdl.is ["nan", "xor"]
    %125 = irdl.is ["ne"]
    %126 = irdl.is ["ne", "or"]
    %127 = irdl.is ["ne", "xor"]
    %128 = irdl.is ["neu"]
    %129 = irdl.is ["neu", "or"]
    %130 = irdl.is ["neu", "xor"]
    %131 = irdl.is ["num"]
    %132 = irdl.is ["num", "or"]
    %133 = irdl.is ["num", "xor"]
    %134 = irdl.any_of(%6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127, %128, %129, %130, %131, %132, %133)
    %135 = irdl.is ["b16"]
    %136 = irdl.is ["b32"]
    %137 = irdl.is ["b64"]
    %138 = irdl.is ["bf16"]
    %139 = irdl.is ["f16"]
    %140 = irdl.is ["f32"]
    %141 = irdl.is ["f64"]
    %142 = irdl.is ["s16"]
    %143 = irdl.is ["s32"]
    %144 = irdl.is ["s64"]
    %145 = irdl.is ["u16"]
    %146 = irdl.is ["u32"]
    %147 = irdl.is ["u64"]
    %148 = irdl.any_of(%135, %136, %137, %138, %139, %140, %141, %142, %143, %144, %145, %146, %147)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %5, guard: optional %5, old0: optional %5, old1: optional %5)
    irdl.results(res: variadic %5)
    irdl.attributes {"modifiers" = %134, "types" = %148}
  }
  irdl.operation @shf {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["clamp", "l"]
    %3 = irdl.is ["clamp", "r"]
    %4 = irdl.is ["l", "wrap"]
    %5 = irdl.is ["r", "wrap"]
    %6 = irdl.any_of(%2, %3, %4, %5)
    %7 = irdl.is ["b32"]
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %6, "types" = %7}
  }
  irdl.operation @shfl {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["bfly", "sync"]
    %3 = irdl.is ["down", "sync"]
    %4 = irdl.is ["idx", "sync"]
    %5 = irdl.is ["sync", "up"]
    %6 = irdl.any_of(%2, %3, %4, %5)
    %7 = irdl.is ["b32"]
    irdl.operands(in0: optional %0, in1: optional %0, in2: optional %0, in3: optional %0, guard: optional %1, old0: optional %0, old1: optional %1)
    irdl.results(res: %0, second: optional %1)
    irdl.attributes {"modifiers" = %6, "types" = %7}
  }
  irdl.operation @shl {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is []
    %7 = irdl.is ["b16"]
    %8 = irdl.is ["b32"]
    %9 = irdl.is ["b64"]
    %10 = irdl.any_of(%7, %8, %9)
    %11 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %1, guard: optional %4, old0: optional %5)
    irdl.results(res: %11)
    irdl.attributes {"modifiers" = %6, "types" = %10}
  }
  irdl.operation @shr {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1, %2)
    %6 = irdl.is []
    %7 = irdl.is ["b16"]
    %8 = irdl.is ["b32"]
    %9 = irdl.is ["b64"]
    %10 = irdl.is ["s16"]
    %11 = irdl.is ["s32"]
    %12 = irdl.is ["s64"]
    %13 = irdl.is ["u16"]
    %14 = irdl.is ["u32"]
    %15 = irdl.is ["u64"]
    %16 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15)
    %17 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %1, guard: optional %4, old0: optional %5)
    irdl.results(res: %17)
    irdl.attributes {"modifiers" = %6, "types" = %16}
  }
  irdl.operation @sin {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["approx"]
    %3 = irdl.is ["approx", "ftz"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["f32"]
    irdl.operands(in0: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %5}
  }
  irdl.operation @slct {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["ftz"]
    %9 = irdl.any_of(%7, %8)
    %10 = irdl.is ["b16", "f32"]
    %11 = irdl.is ["b16", "s32"]
    %12 = irdl.is ["b32", "f32"]
    %13 = irdl.is ["b32", "s32"]
    %14 = irdl.is ["b64", "f32"]
    %15 = irdl.is ["b64", "s32"]
    %16 = irdl.is ["f32", "f32"]
    %17 = irdl.is ["f32", "s32"]
    %18 = irdl.is ["f64", "f32"]
    %19 = irdl.is ["f64", "s32"]
    %20 = irdl.is ["s16", "f32"]
    %21 = irdl.is ["s16", "s32"]
    %22 = irdl.is ["s32", "f32"]
    %23 = irdl.is ["s32", "s32"]
    %24 = irdl.is ["s64", "f32"]
    %25 = irdl.is ["s64", "s32"]
    %26 = irdl.is ["u16", "f32"]
    %27 = irdl.is ["u16", "s32"]
    %28 = irdl.is ["u32", "f32"]
    %29 = irdl.is ["u32", "s32"]
    %30 = irdl.is ["u64", "f32"]
    %31 = irdl.is ["u64", "s32"]
    %32 = irdl.any_of(%10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31)
    %33 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, in2: optional %1, guard: optional %5, old0: optional %6)
    irdl.results(res: %33)
    irdl.attributes {"modifiers" = %9, "types" = %32}
  }
  irdl.operation @special {
    %0 = irdl.is "ctaid.x"
    %1 = irdl.is "ctaid.y"
    %2 = irdl.is "ctaid.z"
    %3 = irdl.is "laneid"
    %4 = irdl.is "lanemask_eq"
    %5 = irdl.is "lanemask_ge"
    %6 = irdl.is "lanemask_gt"
    %7 = irdl.is "lanemask_le"
    %8 = irdl.is "lanemask_lt"
    %9 = irdl.is "nctaid.x"
    %10 = irdl.is "nctaid.y"
    %11 = irdl.is "nctaid.z"
    %12 = irdl.is "ntid.x"
    %13 = irdl.is "ntid.y"
    %14 = irdl.is "ntid.z"
    %15 = irdl.is "tid.x"
    %16 = irdl.is "tid.y"
    %17 = irdl.is "tid.z"
    %18 = irdl.is "warpid"
    %19 = irdl.any_of(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18)
    %20 = irdl.is i32
    irdl.results(res: %20)
    irdl.attributes {"register" = %19}
  }
  irdl.operation @sqrt {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is []
    %6 = irdl.is ["approx"]
    %7 = irdl.is ["approx", "ftz"]
    %8 = irdl.is ["ftz"]
    %9 = irdl.is ["ftz", "rm"]
    %10 = irdl.is ["ftz", "rn"]
    %11 = irdl.is ["ftz", "rp"]
    %12 = irdl.is ["ftz", "rz"]
    %13 = irdl.is ["rm"]
    %14 = irdl.is ["rn"]
    %15 = irdl.is ["rp"]
    %16 = irdl.is ["rz"]
    %17 = irdl.any_of(%5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16)
    %18 = irdl.is ["f32"]
    %19 = irdl.is ["f64"]
    %20 = irdl.any_of(%18, %19)
    %21 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %4)
    irdl.results(res: %21)
    irdl.attributes {"modifiers" = %17, "types" = %20}
  }
  irdl.operation @st {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i8
    %4 = irdl.is i16
    %5 = irdl.any_of(%3, %4, %0, %1)
    %6 = irdl.any_of(%3, %4, %0, %1)
    %7 = irdl.any_of(%3, %4, %0, %1)
    %8 = irdl.any_of(%3, %4, %0, %1)
    %9 = irdl.any_of(%3, %4, %0, %1)
    %10 = irdl.any_of(%3, %4, %0, %1)
    %11 = irdl.any_of(%3, %4, %0, %1)
    %12 = irdl.any_of(%3, %4, %0, %1)
    %13 = irdl.is i1
    %14 = irdl.base "#builtin.array"
    %15 = irdl.is ["b16"]
    %16 = irdl.is ["b32"]
    %17 = irdl.is ["b64"]
    %18 = irdl.is ["b8"]
    %19 = irdl.is ["f32"]
    %20 = irdl.is ["f64"]
    %21 = irdl.is ["s16"]
    %22 = irdl.is ["s32"]
    %23 = irdl.is ["s64"]
    %24 = irdl.is ["s8"]
    %25 = irdl.is ["u16"]
    %26 = irdl.is ["u32"]
    %27 = irdl.is ["u64"]
    %28 = irdl.is ["u8"]
    %29 = irdl.any_of(%15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28)
    %30 = irdl.base "#builtin.integer"
    irdl.operands(in0: optional %2, in1: optional %5, in2: optional %6, in3: optional %7, in4: optional %8, in5: optional %9, in6: optional %10, in7: optional %11, in8: optional %12, in9: optional %1, guard: optional %13)
    irdl.attributes {"modifiers" = %14, "types" = %29, "offset" = %30}
  }
  irdl.operation @stmatrix {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.any_of(%0, %1)
    %8 = irdl.any_of(%0, %1)
    %9 = irdl.any_of(%0, %1)
    %10 = irdl.any_of(%0, %1)
    %11 = irdl.any_of(%0, %1)
    %12 = irdl.any_of(%0, %1)
    %13 = irdl.any_of(%0, %1)
    %14 = irdl.any_of(%0, %1)
    %15 = irdl.any_of(%0, %1)
    %16 = irdl.any_of(%0, %1)
    %17 = irdl.any_of(%0, %1)
    %18 = irdl.any_of(%0, %1)
    %19 = irdl.any_of(%0, %1)
    %20 = irdl.any_of(%0, %1)
    %21 = irdl.any_of(%0, %1)
    %22 = irdl.any_of(%0, %1)
    %23 = irdl.any_of(%0, %1)
    %24 = irdl.any_of(%0, %1)
    %25 = irdl.any_of(%0, %1)
    %26 = irdl.any_of(%0, %1)
    %27 = irdl.any_of(%0, %1)
    %28 = irdl.is i1
    %29 = irdl.base "#builtin.array"
    %30 = irdl.base "#builtin.array"
    %31 = irdl.base "#builtin.integer"
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, in3: optional %5, in4: optional %6, in5: optional %7, in6: optional %8, in7: optional %9, in8: optional %10, in9: optional %11, in10: optional %12, in11: optional %13, in12: optional %14, in13: optional %15, in14: optional %16, in15: optional %17, in16: optional %18, in17: optional %19, in18: optional %20, in19: optional %21, in20: optional %22, in21: optional %23, in22: optional %24, in23: optional %25, in24: optional %26, in25: optional %27, guard: optional %28)
    irdl.attributes {"modifiers" = %29, "types" = %30, "offset" = %31}
  }
  irdl.operation @sub {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.is i64
    %3 = irdl.any_of(%0, %1, %2)
    %4 = irdl.any_of(%0, %1, %2)
    %5 = irdl.is i1
    %6 = irdl.any_of(%0, %1, %2)
    %7 = irdl.is []
    %8 = irdl.is ["cc"]
    %9 = irdl.is ["ftz"]
    %10 = irdl.is ["ftz", "rm"]
    %11 = irdl.is ["ftz", "rm", "sat"]
    %12 = irdl.is ["ftz", "rn"]
    %13 = irdl.is ["ftz", "rn", "sat"]
    %14 = irdl.is ["ftz", "rp"]
    %15 = irdl.is ["ftz", "rp", "sat"]
    %16 = irdl.is ["ftz", "rz"]
    %17 = irdl.is ["ftz", "rz", "sat"]
    %18 = irdl.is ["ftz", "sat"]
    %19 = irdl.is ["rm"]
    %20 = irdl.is ["rm", "sat"]
    %21 = irdl.is ["rn"]
    %22 = irdl.is ["rn", "sat"]
    %23 = irdl.is ["rp"]
    %24 = irdl.is ["rp", "sat"]
    %25 = irdl.is ["rz"]
    %26 = irdl.is ["rz", "sat"]
    %27 = irdl.is ["sat"]
    %28 = irdl.any_of(%7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27)
    %29 = irdl.is ["bf16"]
    %30 = irdl.is ["bf16x2"]
    %31 = irdl.is ["f16"]
    %32 = irdl.is ["f16x2"]
    %33 = irdl.is ["f32"]
    %34 = irdl.is ["f32x2"]
    %35 = irdl.is ["f64"]
    %36 = irdl.is ["s16"]
    %37 = irdl.is ["s32"]
    %38 = irdl.is ["s64"]
    %39 = irdl.is ["u16"]
    %40 = irdl.is ["u32"]
    %41 = irdl.is ["u64"]
    %42 = irdl.any_of(%29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41)
    %43 = irdl.any_of(%0, %1, %2)
    irdl.operands(in0: optional %3, in1: optional %4, guard: optional %5, old0: optional %6, old1: optional %5)
    irdl.results(res: %43, second: optional %5)
    irdl.attributes {"modifiers" = %28, "types" = %42}
  }
  irdl.operation @subc {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.is i1
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.is []
    %7 = irdl.is ["cc"]
    %8 = irdl.any_of(%6, %7)
    %9 = irdl.is ["s32"]
    %10 = irdl.is ["s64"]
    %11 = irdl.is ["u32"]
    %12 = irdl.is ["u64"]
    %13 = irdl.any_of(%9, %10, %11, %12)
    %14 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, guard: optional %4, old0: optional %5, old1: optional %4)
    irdl.results(res: %14, second: optional %4)
    irdl.attributes {"modifiers" = %8, "types" = %13}
  }
  irdl.operation @szext {
    %0 = irdl.is i32
    %1 = irdl.is i1
    %2 = irdl.is ["clamp"]
    %3 = irdl.is ["wrap"]
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.is ["s32"]
    %6 = irdl.is ["u32"]
    %7 = irdl.any_of(%5, %6)
    irdl.operands(in0: optional %0, in1: optional %0, guard: optional %1, old0: optional %0)
    irdl.results(res: %0)
    irdl.attributes {"modifiers" = %4, "types" = %7}
  }
  irdl.operation @tanh {
    %0 = irdl.is i16
    %1 = irdl.is i32
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.is ["approx"]
    %6 = irdl.is ["bf16"]
    %7 = irdl.is ["bf16x2"]
    %8 = irdl.is ["f16"]
    %9 = irdl.is ["f16x2"]
    %10 = irdl.is ["f32"]
    %11 = irdl.any_of(%6, %7, %8, %9, %10)
    %12 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %4)
    irdl.results(res: %12)
    irdl.attributes {"modifiers" = %5, "types" = %11}
  }
  irdl.operation @testp {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is i1
    %4 = irdl.is ["finite"]
    %5 = irdl.is ["infinite"]
    %6 = irdl.is ["notanumber"]
    %7 = irdl.is ["number"]
    %8 = irdl.any_of(%4, %5, %6, %7)
    %9 = irdl.is ["f32"]
    %10 = irdl.is ["f64"]
    %11 = irdl.any_of(%9, %10)
    irdl.operands(in0: optional %2, guard: optional %3, old0: optional %3)
    irdl.results(res: %3)
    irdl.attributes {"modifiers" = %8, "types" = %11}
  }
  irdl.operation @trap {
  }
  irdl.operation @undef {
    %0 = irdl.base "!builtin.integer"
    irdl.results(res: %0)
  }
  irdl.operation @unmodelled {
    %0 = irdl.any
    %1 = irdl.any
    %2 = irdl.any
    %3 = irdl.any
    %4 = irdl.any
    %5 = irdl.any
    %6 = irdl.any
    %7 = irdl.any
    %8 = irdl.any
    %9 = irdl.any
    %10 = irdl.any
    %11 = irdl.any
    %12 = irdl.any
    %13 = irdl.any
    %14 = irdl.any
    %15 = irdl.any
    %16 = irdl.any
    %17 = irdl.any
    %18 = irdl.any
    %19 = irdl.any
    %20 = irdl.any
    %21 = irdl.any
    %22 = irdl.any
    %23 = irdl.any
    %24 = irdl.any
    %25 = irdl.any
    %26 = irdl.any
    %27 = irdl.any
    %28 = irdl.any
    %29 = irdl.any
    %30 = irdl.any
    %31 = irdl.any
    %32 = irdl.any
    %33 = irdl.any
    %34 = irdl.any
    %35 = irdl.any
    %36 = irdl.any
    %37 = irdl.any
    %38 = irdl.any
    %39 = irdl.any
    %40 = irdl.any
    %41 = irdl.any
    %42 = irdl.any
    %43 = irdl.any
    %44 = irdl.any
    %45 = irdl.any
    %46 = irdl.any
    %47 = irdl.any
    %48 = irdl.any
    %49 = irdl.any
    %50 = irdl.any
    %51 = irdl.any
    %52 = irdl.any
    %53 = irdl.any
    %54 = irdl.any
    %55 = irdl.any
    %56 = irdl.any
    %57 = irdl.any
    %58 = irdl.any
    %59 = irdl.any
    %60 = irdl.any
    %61 = irdl.any
    %62 = irdl.any
    %63 = irdl.any
    %64 = irdl.any
    %65 = irdl.any
    %66 = irdl.any
    %67 = irdl.any
    %68 = irdl.any
    %69 = irdl.any
    %70 = irdl.any
    %71 = irdl.any
    %72 = irdl.any
    %73 = irdl.any
    %74 = irdl.any
    %75 = irdl.any
    %76 = irdl.any
    %77 = irdl.any
    %78 = irdl.any
    %79 = irdl.any
    %80 = irdl.any
    %81 = irdl.any
    %82 = irdl.any
    %83 = irdl.any
    %84 = irdl.any
    %85 = irdl.any
    %86 = irdl.any
    %87 = irdl.any
    %88 = irdl.any
    %89 = irdl.any
    %90 = irdl.any
    %91 = irdl.any
    %92 = irdl.any
    %93 = irdl.any
    %94 = irdl.any
    %95 = irdl.any
    %96 = irdl.any
    %97 = irdl.base "#builtin.string"
    %98 = irdl.base "#builtin.string"
    %99 = irdl.base "#builtin.string"
    irdl.operands(in0: optional %0, in1: optional %1, in2: optional %2, in3: optional %3, in4: optional %4, in5: optional %5, in6: optional %6, in7: optional %7, in8: optional %8, in9: optional %9, in10: optional %10, in11: optional %11, in12: optional %12, in13: optional %13, in14: optional %14, in15: optional %15, in16: optional %16, in17: optional %17, in18: optional %18, in19: optional %19, in20: optional %20, in21: optional %21, in22: optional %22, in23: optional %23, in24: optional %24, in25: optional %25, in26: optional %26, in27: optional %27, in28: optional %28, in29: optional %29, in30: optional %30, in31: optional %31, guard: optional %32, old0: optional %33, old1: optional %34, old2: optional %35, old3: optional %36, old4: optional %37, old5: optional %38, old6: optional %39, old7: optional %40, old8: optional %41, old9: optional %42, old10: optional %43, old11: optional %44, old12: optional %45, old13: optional %46, old14: optional %47, old15: optional %48, old16: optional %49, old17: optional %50, old18: optional %51, old19: optional %52, old20: optional %53, old21: optional %54, old22: optional %55, old23: optional %56, old24: optional %57, old25: optional %58, old26: optional %59, old27: optional %60, old28: optional %61, old29: optional %62, old30: optional %63, old31: optional %64)
    irdl.results(res0: optional %65, res1: optional %66, res2: optional %67, res3: optional %68, res4: optional %69, res5: optional %70, res6: optional %71, res7: optional %72, res8: optional %73, res9: optional %74, res10: optional %75, res11: optional %76, res12: optional %77, res13: optional %78, res14: optional %79, res15: optional %80, res16: optional %81, res17: optional %82, res18: optional %83, res19: optional %84, res20: optional %85, res21: optional %86, res22: optional %87, res23: optional %88, res24: optional %89, res25: optional %90, res26: optional %91, res27: optional %92, res28: optional %93, res29: optional %94, res30: optional %95, res31: optional %96)
    irdl.attributes {"opcode" = %97, "text" = %98, "reason" = %99}
  }
  irdl.operation @variable {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.base "#builtin.integer"
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.is "shared"
    %4 = irdl.is "const"
    %5 = irdl.is "global"
    %6 = irdl.is "local"
    %7 = irdl.any_of(%3, %4, %5, %6)
    irdl.attributes {"sym_name" = %0, "space" = %7, "align" = %1, "size" = %2}
  }
  irdl.operation @vote {
    %0 = irdl.is i1
    %1 = irdl.is i32
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.is ["all", "any", "sync"]
    %4 = irdl.is ["all", "any", "sync", "uni"]
    %5 = irdl.is ["all", "sync"]
    %6 = irdl.is ["all", "sync", "uni"]
    %7 = irdl.is ["any", "sync"]
    %8 = irdl.is ["any", "sync", "uni"]
    %9 = irdl.is ["ballot", "sync"]
    %10 = irdl.is ["sync"]
    %11 = irdl.is ["sync", "uni"]
    %12 = irdl.any_of(%3, %4, %5, %6, %7, %8, %9, %10, %11)
    %13 = irdl.is ["b32"]
    %14 = irdl.is ["pred"]
    %15 = irdl.any_of(%13, %14)
    %16 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %0, in1: optional %1, guard: optional %0, old0: optional %2)
    irdl.results(res: %16)
    irdl.attributes {"modifiers" = %12, "types" = %15}
  }
  irdl.operation @wmma {
    %0 = irdl.is i32
    %1 = irdl.is i64
    %2 = irdl.any_of(%0, %1)
    %3 = irdl.any_of(%0, %1)
    %4 = irdl.any_of(%0, %1)
    %5 = irdl.any_of(%0, %1)
    %6 = irdl.any_of(%0, %1)
    %7 = irdl.any_of(%0, %1)
    %8 = irdl.any_of(%0, %1)
    %9 = irdl.any_of(%0, %1)
    %10 = irdl.any_of(%0, %1)
    %11 = irdl.any_of(%0, %1)
    %12 = irdl.any_of(%0, %1)
    %13 = irdl.any_of(%0, %1)
    %14 = irdl.any_of(%0, %1)
    %15 = irdl.any_of(%0, %1)
    %16 = irdl.any_of(%0, %1)
    %17 = irdl.any_of(%0, %1)
    %18 = irdl.any_of(%0, %1)
    %19 = irdl.any_of(%0, %1)
    %20 = irdl.any_of(%0, %1)
    %21 = irdl.any_of(%0, %1)
    %22 = irdl.any_of(%0, %1)
    %23 = irdl.any_of(%0, %1)
    %24 = irdl.any_of(%0, %1)
    %25 = irdl.any_of(%0, %1)
    %26 = irdl.any_of(%0, %1)
    %27 = irdl.any_of(%0, %1)
    %28 = irdl.is i1
    %29 = irdl.any_of(%0, %1)
    %30 = irdl.any_of(%0, %1)
    %31 = irdl.any_of(%0, %1)
    %32 = irdl.any_of(%0, %1)
    %33 = irdl.any_of(%0, %1)
    %34 = irdl.any_of(%0, %1)
    %35 = irdl.any_of(%0, %1)
    %36 = irdl.any_of(%0, %1)
    %37 = irdl.base "#builtin.array"
    %38 = irdl.base "#builtin.array"
    %39 = irdl.any_of(%0, %1)
    irdl.operands(in0: optional %2, in1: optional %3, in2: optional %4, in3: optional %5, in4: optional %6, in5: optional %7, in6: optional %8, in7: optional %9, in8: optional %10, in9: optional %11, in10: optional %12, in11: optional %13, in12: optional %14, in13: optional %15, in14: optional %16, in15: optional %17, in16: optional %18, in17: optional %19, in18: optional %20, in19: optional %21, in20: optional %22, in21: optional %23, in22: optional %24, in23: optional %25, in24: optional %26, in25: optional %27, guard: optional %28, old0: optional %29, old1: optional %30, old2: optional %31, old3: optional %32, old4: optional %33, old5: optional %34, old6: optional %35, old7: optional %36)
    irdl.results(res: variadic %39)
    irdl.attributes {"modifiers" = %37, "types" = %38}
  }
  irdl.operation @xor {
    %0 = irdl.is i1
    %1 = irdl.is i16
    %2 = irdl.is i32
    %3 = irdl.is i64
    %4 = irdl.any_of(%0, %1, %2, %3)
    %5 = irdl.any_of(%0, %1, %2, %3)
    %6 = irdl.any_of(%0, %1, %2, %3)
    %7 = irdl.is []
    %8 = irdl.is ["b16"]
    %9 = irdl.is ["b32"]
    %10 = irdl.is ["b64"]
    %11 = irdl.is ["pred"]
    %12 = irdl.any_of(%8, %9, %10, %11)
    %13 = irdl.any_of(%0, %1, %2, %3)
    irdl.operands(in0: optional %4, in1: optional %5, guard: optional %0, old0: optional %6)
    irdl.results(res: %13)
    irdl.attributes {"modifiers" = %7, "types" = %12}
  }
}
