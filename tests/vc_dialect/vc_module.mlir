module {
  vc.conditions {assumptions = ["floats are real numbers"]}
  vc.tensor {name = "x", type = "f32", outputs = -1 : i64}
  vc.tensor {name = "y", type = "f32", outputs = 10 : i64}
  vc.parameter {name = "a", type = "f32"}
  func.func @elements() {
    %0 = vc.leaf "x" 3
    %1 = vc.const 0x7ff0000000000000 : f64
    %2 = vc.scalar "a"
    %3 = vc.uninit 7
    %4 = vc.fma %0, %2, %3
    %5 = vc.lt %4, %1
    %6 = vc.select %5, %0, %4
    %7 = vc.neg %6
    vc.output "y" 3 %7
    vc.output "y" 4 %0
    func.return
  }
}
