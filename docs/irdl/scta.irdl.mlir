irdl.dialect @scta {
  irdl.type @lanes
  irdl.operation @atomic {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base @scta::@lanes
    %2 = irdl.is false
    %3 = irdl.is true
    %4 = irdl.any_of(%2, %3)
    %5 = irdl.base "#builtin.string"
    %6 = irdl.base "#builtin.integer"
    %7 = irdl.base "#builtin.integer"
    %8 = irdl.base "#builtin.string"
    %9 = irdl.is "if"
    %10 = irdl.is "none"
    %11 = irdl.is "unless"
    %12 = irdl.any_of(%9, %10, %11)
    %13 = irdl.base "#builtin.string"
    %14 = irdl.base "#builtin.dense_array"
    %15 = irdl.any_of(%2, %3)
    irdl.operands(values: variadic %0)
    irdl.results(res: variadic %1)
    irdl.attributes {"decided" = %4, "region" = %5, "offset" = %6, "code" = %7, "name" = %8, "guard" = %12, "lanes" = %13, "pattern" = %14, "keeps" = %15}
  }
  irdl.operation @code {
    %0 = irdl.base "#builtin.integer"
    %1 = irdl.base "#builtin.integer"
    %2 = irdl.is "abs"
    %3 = irdl.is "activemask"
    %4 = irdl.is "add"
    %5 = irdl.is "add_sat"
    %6 = irdl.is "add_x2"
    %7 = irdl.is "addc"
    %8 = irdl.is "and"
    %9 = irdl.is "atom"
    %10 = irdl.is "bar"
    %11 = irdl.is "bar_arrive"
    %12 = irdl.is "bar_red"
    %13 = irdl.is "bfe"
    %14 = irdl.is "bfi"
    %15 = irdl.is "bfind"
    %16 = irdl.is "bmsk"
    %17 = irdl.is "bra"
    %18 = irdl.is "brev"
    %19 = irdl.is "cbra"
    %20 = irdl.is "clz"
    %21 = irdl.is "cnot"
    %22 = irdl.is "const"
    %23 = irdl.is "copy"
    %24 = irdl.is "copy_commit"
    %25 = irdl.is "copy_wait"
    %26 = irdl.is "copysign"
    %27 = irdl.is "cvt"
    %28 = irdl.is "cvt_pack"
    %29 = irdl.is "cvta"
    %30 = irdl.is "div"
    %31 = irdl.is "dp2a"
    %32 = irdl.is "dp4a"
    %33 = irdl.is "elect"
    %34 = irdl.is "fcvt"
    %35 = irdl.is "fcvti"
    %36 = irdl.is "fence"
    %37 = irdl.is "fns"
    %38 = irdl.is "fset"
    %39 = irdl.is "fsetp"
    %40 = irdl.is "isspacep"
    %41 = irdl.is "known"
    %42 = irdl.is "ld"
    %43 = irdl.is "ldmatrix"
    %44 = irdl.is "ldparam"
    %45 = irdl.is "lop3"
    %46 = irdl.is "lop3_pred"
    %47 = irdl.is "mad24"
    %48 = irdl.is "mad_hi"
    %49 = irdl.is "mad_hi_sat"
    %50 = irdl.is "mad_lo"
    %51 = irdl.is "mad_wide"
    %52 = irdl.is "madc"
    %53 = irdl.is "match"
    %54 = irdl.is "max"
    %55 = irdl.is "max_relu"
    %56 = irdl.is "max_x2"
    %57 = irdl.is "mbarrier_count"
    %58 = irdl.is "mbarrier_init"
    %59 = irdl.is "mbarrier_inval"
    %60 = irdl.is "mbarrier_signal"
    %61 = irdl.is "mbarrier_track"
    %62 = irdl.is "mbarrier_wait"
    %63 = irdl.is "min"
    %64 = irdl.is "min_relu"
    %65 = irdl.is "min_x2"
    %66 = irdl.is "mma"
    %67 = irdl.is "mov"
    %68 = irdl.is "movmatrix"
    %69 = irdl.is "mul24"
    %70 = irdl.is "mul_hi"
    %71 = irdl.is "mul_lo"
    %72 = irdl.is "mul_wide"
    %73 = irdl.is "neg"
    %74 = irdl.is "nop"
    %75 = irdl.is "not"
    %76 = irdl.is "opaque"
    %77 = irdl.is "or"
    %78 = irdl.is "pack"
    %79 = irdl.is "popc"
    %80 = irdl.is "prmt"
    %81 = irdl.is "prmt_mode"
    %82 = irdl.is "red"
    %83 = irdl.is "redux"
    %84 = irdl.is "rem"
    %85 = irdl.is "ret"
    %86 = irdl.is "sad"
    %87 = irdl.is "selp"
    %88 = irdl.is "set"
    %89 = irdl.is "setp"
    %90 = irdl.is "shf"
    %91 = irdl.is "shfl"
    %92 = irdl.is "shl"
    %93 = irdl.is "shr"
    %94 = irdl.is "slct"
    %95 = irdl.is "special"
    %96 = irdl.is "st"
    %97 = irdl.is "stmatrix"
    %98 = irdl.is "sub"
    %99 = irdl.is "szext"
    %100 = irdl.is "trap"
    %101 = irdl.is "unpack"
    %102 = irdl.is "value"
    %103 = irdl.is "vote"
    %104 = irdl.is "warpsync"
    %105 = irdl.is "xor"
    %106 = irdl.any_of(%2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, %104, %105)
    %107 = irdl.base "#builtin.string"
    %108 = irdl.base "#builtin.string"
    %109 = irdl.base "#builtin.string"
    %110 = irdl.base "#builtin.integer"
    %111 = irdl.base "#builtin.integer"
    %112 = irdl.base "#builtin.integer"
    %113 = irdl.is false
    %114 = irdl.is true
    %115 = irdl.any_of(%113, %114)
    %116 = irdl.base "#builtin.dense_array"
    %117 = irdl.base "#builtin.dense_array"
    irdl.attributes {"number" = %0, "origin" = %1, "op" = %106, "node" = %107, "type" = %108, "type2" = %109, "sub" = %110, "imm" = %111, "guard" = %112, "negated" = %115, "results" = %116, "inputs" = %117}
  }
  irdl.operation @const {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base @scta::@lanes
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.base "#builtin.string"
    %5 = irdl.base "#builtin.dense_array"
    %6 = irdl.is false
    %7 = irdl.is true
    %8 = irdl.any_of(%6, %7)
    irdl.operands(values: variadic %0)
    irdl.results(res: %1)
    irdl.attributes {"register" = %2, "base" = %3, "lanes" = %4, "pattern" = %5, "keeps" = %8}
  }
  irdl.operation @copy {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.is "source"
    %2 = irdl.is "target"
    %3 = irdl.any_of(%1, %2)
    %4 = irdl.base "#builtin.integer"
    %5 = irdl.base "#builtin.string"
    %6 = irdl.base "#builtin.integer"
    %7 = irdl.base "#builtin.integer"
    %8 = irdl.base "#builtin.string"
    %9 = irdl.is "if"
    %10 = irdl.is "none"
    %11 = irdl.is "unless"
    %12 = irdl.any_of(%9, %10, %11)
    %13 = irdl.base "#builtin.string"
    %14 = irdl.base "#builtin.dense_array"
    %15 = irdl.is false
    %16 = irdl.is true
    %17 = irdl.any_of(%15, %16)
    irdl.operands(values: variadic %0)
    irdl.attributes {"side" = %3, "bytes" = %4, "region" = %5, "offset" = %6, "code" = %7, "name" = %8, "guard" = %12, "lanes" = %13, "pattern" = %14, "keeps" = %17}
  }
  irdl.operation @cta {
    %0 = irdl.base "#builtin.dense_array"
    %1 = irdl.base "#builtin.integer"
    irdl.attributes {"index" = %0, "first" = %1}
  }
  irdl.operation @event {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.base "#builtin.string"
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.base "#builtin.dense_array"
    %5 = irdl.base "#builtin.integer"
    %6 = irdl.base "#builtin.integer"
    %7 = irdl.base "#builtin.array"
    irdl.attributes {"kind" = %0, "message" = %1, "instruction" = %2, "cta" = %3, "threads" = %4, "address" = %5, "other" = %6, "steps" = %7}
  }
  irdl.operation @initial {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base "#builtin.integer"
    irdl.results(res: %0)
    irdl.attributes {"register" = %1}
  }
  irdl.operation @matrix {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base @scta::@lanes
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.base "#builtin.string"
    %5 = irdl.is "if"
    %6 = irdl.is "none"
    %7 = irdl.is "unless"
    %8 = irdl.any_of(%5, %6, %7)
    %9 = irdl.base "#builtin.string"
    %10 = irdl.base "#builtin.dense_array"
    %11 = irdl.is false
    %12 = irdl.is true
    %13 = irdl.any_of(%11, %12)
    irdl.operands(values: variadic %0)
    irdl.results(res: variadic %1)
    irdl.attributes {"base" = %2, "code" = %3, "name" = %4, "guard" = %8, "lanes" = %9, "pattern" = %10, "keeps" = %13}
  }
  irdl.operation @mbarrier {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.is false
    %2 = irdl.is true
    %3 = irdl.any_of(%1, %2)
    %4 = irdl.base "#builtin.string"
    %5 = irdl.base "#builtin.integer"
    %6 = irdl.base "#builtin.integer"
    %7 = irdl.base "#builtin.string"
    %8 = irdl.is "if"
    %9 = irdl.is "none"
    %10 = irdl.is "unless"
    %11 = irdl.any_of(%8, %9, %10)
    %12 = irdl.base "#builtin.string"
    %13 = irdl.base "#builtin.dense_array"
    %14 = irdl.any_of(%1, %2)
    irdl.operands(values: variadic %0)
    irdl.attributes {"ends_phase" = %3, "region" = %4, "offset" = %5, "code" = %6, "name" = %7, "guard" = %11, "lanes" = %12, "pattern" = %13, "keeps" = %14}
  }
  irdl.operation @op {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base @scta::@lanes
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.base "#builtin.string"
    %5 = irdl.is "if"
    %6 = irdl.is "none"
    %7 = irdl.is "unless"
    %8 = irdl.any_of(%5, %6, %7)
    %9 = irdl.base "#builtin.string"
    %10 = irdl.base "#builtin.dense_array"
    %11 = irdl.is false
    %12 = irdl.is true
    %13 = irdl.any_of(%11, %12)
    irdl.operands(values: variadic %0)
    irdl.results(res: variadic %1)
    irdl.attributes {"base" = %2, "code" = %3, "name" = %4, "guard" = %8, "lanes" = %9, "pattern" = %10, "keeps" = %13}
  }
  irdl.operation @program {
    %0 = irdl.base "#builtin.integer"
    %1 = irdl.base "#builtin.dense_array"
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.is false
    %5 = irdl.is true
    %6 = irdl.any_of(%4, %5)
    %7 = irdl.any_of(%4, %5)
    %8 = irdl.base "#builtin.array"
    %9 = irdl.base "#builtin.array"
    %10 = irdl.base "#builtin.array"
    irdl.attributes {"threads" = %0, "block" = %1, "registers" = %2, "steps" = %3, "complete" = %6, "whole" = %7, "assumptions" = %8, "masks" = %9, "patterns" = %10}
  }
  irdl.operation @read {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base @scta::@lanes
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.string"
    %4 = irdl.base "#builtin.integer"
    %5 = irdl.base "#builtin.integer"
    %6 = irdl.base "#builtin.string"
    %7 = irdl.is "if"
    %8 = irdl.is "none"
    %9 = irdl.is "unless"
    %10 = irdl.any_of(%7, %8, %9)
    %11 = irdl.base "#builtin.string"
    %12 = irdl.base "#builtin.dense_array"
    %13 = irdl.is false
    %14 = irdl.is true
    %15 = irdl.any_of(%13, %14)
    irdl.operands(values: variadic %0)
    irdl.results(res: variadic %1)
    irdl.attributes {"part" = %2, "region" = %3, "offset" = %4, "code" = %5, "name" = %6, "guard" = %10, "lanes" = %11, "pattern" = %12, "keeps" = %15}
  }
  irdl.operation @region {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.base "#builtin.integer"
    %2 = irdl.is "const"
    %3 = irdl.is "global"
    %4 = irdl.is "local"
    %5 = irdl.is "shared"
    %6 = irdl.any_of(%2, %3, %4, %5)
    %7 = irdl.base "#builtin.integer"
    %8 = irdl.base "#builtin.integer"
    %9 = irdl.is "known"
    %10 = irdl.is "symbolic"
    %11 = irdl.is "uninitialised"
    %12 = irdl.any_of(%9, %10, %11)
    %13 = irdl.base "#builtin.integer"
    %14 = irdl.base "#builtin.string"
    %15 = irdl.base "#builtin.array"
    %16 = irdl.base "#builtin.string"
    irdl.attributes {"name" = %0, "number" = %1, "space" = %6, "start" = %7, "size" = %8, "init" = %12, "tensor" = %13, "role" = %14, "variables" = %15, "content" = %16}
  }
  irdl.operation @shuffle {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base @scta::@lanes
    %2 = irdl.base "#builtin.integer"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.base "#builtin.string"
    %5 = irdl.is "if"
    %6 = irdl.is "none"
    %7 = irdl.is "unless"
    %8 = irdl.any_of(%5, %6, %7)
    %9 = irdl.base "#builtin.string"
    %10 = irdl.base "#builtin.dense_array"
    %11 = irdl.is false
    %12 = irdl.is true
    %13 = irdl.any_of(%11, %12)
    irdl.operands(values: variadic %0)
    irdl.results(res: %1)
    irdl.attributes {"base" = %2, "code" = %3, "name" = %4, "guard" = %8, "lanes" = %9, "pattern" = %10, "keeps" = %13}
  }
  irdl.operation @sync {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.is false
    %2 = irdl.is true
    %3 = irdl.any_of(%1, %2)
    %4 = irdl.base "#builtin.integer"
    %5 = irdl.base "#builtin.integer"
    %6 = irdl.base "#builtin.string"
    %7 = irdl.is "if"
    %8 = irdl.is "none"
    %9 = irdl.is "unless"
    %10 = irdl.any_of(%7, %8, %9)
    %11 = irdl.base "#builtin.string"
    %12 = irdl.base "#builtin.dense_array"
    %13 = irdl.any_of(%1, %2)
    irdl.operands(values: variadic %0)
    irdl.attributes {"ends_phase" = %3, "base" = %4, "code" = %5, "name" = %6, "guard" = %10, "lanes" = %11, "pattern" = %12, "keeps" = %13}
  }
  irdl.operation @write {
    %0 = irdl.base @scta::@lanes
    %1 = irdl.base "#builtin.integer"
    %2 = irdl.base "#builtin.string"
    %3 = irdl.base "#builtin.integer"
    %4 = irdl.base "#builtin.integer"
    %5 = irdl.base "#builtin.string"
    %6 = irdl.is "if"
    %7 = irdl.is "none"
    %8 = irdl.is "unless"
    %9 = irdl.any_of(%6, %7, %8)
    %10 = irdl.base "#builtin.string"
    %11 = irdl.base "#builtin.dense_array"
    %12 = irdl.is false
    %13 = irdl.is true
    %14 = irdl.any_of(%12, %13)
    irdl.operands(values: variadic %0)
    irdl.attributes {"part" = %1, "region" = %2, "offset" = %3, "code" = %4, "name" = %5, "guard" = %9, "lanes" = %10, "pattern" = %11, "keeps" = %14}
  }
}
