irdl.dialect @vc {
  irdl.type @real
  irdl.operation @abs {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @add {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @and {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @ceil {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @conditions {
    %0 = irdl.base "#builtin.array"
    irdl.attributes {"assumptions" = %0}
  }
  irdl.operation @const {
    %0 = irdl.base @vc::@real
    %1 = irdl.base "#builtin.float"
    irdl.results(res: %0)
    irdl.attributes {"value" = %1}
  }
  irdl.operation @cos {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @div {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @eq {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @erf {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @ex2 {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @exp {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @expm1 {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @floor {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @fma {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    %3 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1, c: %2)
    irdl.results(res: %3)
  }
  irdl.operation @le {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @leaf {
    %0 = irdl.base @vc::@real
    %1 = irdl.base "#builtin.string"
    %2 = irdl.base "#builtin.integer"
    irdl.results(res: %0)
    irdl.attributes {"tensor" = %1, "index" = %2}
  }
  irdl.operation @lg2 {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @log {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @log10 {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @log1p {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @lt {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @max {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @min {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @mul {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @ne {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @neg {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @not {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @or {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @output {
    %0 = irdl.base @vc::@real
    %1 = irdl.base "#builtin.string"
    %2 = irdl.base "#builtin.integer"
    irdl.operands(value: %0)
    irdl.attributes {"tensor" = %1, "index" = %2}
  }
  irdl.operation @parameter {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.is ""
    %2 = irdl.is "b8"
    %3 = irdl.is "bf16"
    %4 = irdl.is "e4m3"
    %5 = irdl.is "e5m2"
    %6 = irdl.is "f16"
    %7 = irdl.is "f32"
    %8 = irdl.is "f64"
    %9 = irdl.is "s16"
    %10 = irdl.is "s32"
    %11 = irdl.is "s64"
    %12 = irdl.is "s8"
    %13 = irdl.is "tf32"
    %14 = irdl.is "u16"
    %15 = irdl.is "u32"
    %16 = irdl.is "u64"
    %17 = irdl.is "u8"
    %18 = irdl.any_of(%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17)
    irdl.attributes {"name" = %0, "type" = %18}
  }
  irdl.operation @pow {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @rcp {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @rint {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @rsqrt {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @sat {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @scalar {
    %0 = irdl.base @vc::@real
    %1 = irdl.base "#builtin.string"
    irdl.results(res: %0)
    irdl.attributes {"parameter" = %1}
  }
  irdl.operation @select {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    %3 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1, c: %2)
    irdl.results(res: %3)
  }
  irdl.operation @sin {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @sqrt {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @sub {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
  irdl.operation @tanh {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @tensor {
    %0 = irdl.base "#builtin.string"
    %1 = irdl.is ""
    %2 = irdl.is "b8"
    %3 = irdl.is "bf16"
    %4 = irdl.is "e4m3"
    %5 = irdl.is "e5m2"
    %6 = irdl.is "f16"
    %7 = irdl.is "f32"
    %8 = irdl.is "f64"
    %9 = irdl.is "s16"
    %10 = irdl.is "s32"
    %11 = irdl.is "s64"
    %12 = irdl.is "s8"
    %13 = irdl.is "tf32"
    %14 = irdl.is "u16"
    %15 = irdl.is "u32"
    %16 = irdl.is "u64"
    %17 = irdl.is "u8"
    %18 = irdl.any_of(%1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17)
    %19 = irdl.base "#builtin.integer"
    irdl.attributes {"name" = %0, "type" = %18, "outputs" = %19}
  }
  irdl.operation @trunc {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    irdl.operands(a: %0)
    irdl.results(res: %1)
  }
  irdl.operation @uninit {
    %0 = irdl.base @vc::@real
    %1 = irdl.base "#builtin.integer"
    irdl.results(res: %0)
    irdl.attributes {"instruction" = %1}
  }
  irdl.operation @xor {
    %0 = irdl.base @vc::@real
    %1 = irdl.base @vc::@real
    %2 = irdl.base @vc::@real
    irdl.operands(a: %0, b: %1)
    irdl.results(res: %2)
  }
}
