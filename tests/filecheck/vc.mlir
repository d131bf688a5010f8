// The operations of the vc dialect in their custom form, printed as they were read.
// CHECK: vc.conditions {assumptions = ["floats are real numbers"]}
// CHECK-NEXT: vc.tensor {name = "x", type = "f32", outputs = -1 : i64}
// CHECK-NEXT: vc.tensor {name = "y", type = "f32", outputs = 4 : i64}
// CHECK-NEXT: vc.parameter {name = "a", type = "f32"}
// CHECK-NEXT: func.func @elements() {
// CHECK-NEXT: %{{.*}} = vc.leaf "x" 3
// CHECK-NEXT: %{{.*}} = vc.const 0xfff0000000000000 : f64
// CHECK-NEXT: %{{.*}} = vc.const 1.000000e-01 : f64
// CHECK-NEXT: %{{.*}} = vc.scalar "a"
// CHECK-NEXT: %{{.*}} = vc.uninit 7
// CHECK-NEXT: %{{.*}} = vc.fma %{{.*}}, %{{.*}}, %{{.*}}
// CHECK-NEXT: %{{.*}} = vc.lt %{{.*}}, %{{.*}}
// CHECK-NEXT: %{{.*}} = vc.select %{{.*}}, %{{.*}}, %{{.*}}
// CHECK-NEXT: %{{.*}} = vc.ex2 %{{.*}}
// CHECK-NEXT: vc.output "y" 3 %{{.*}}
// CHECK-NEXT: func.return
module {
  vc.conditions {assumptions = ["floats are real numbers"]}
  vc.tensor {name = "x", type = "f32", outputs = -1}
  vc.tensor {name = "y", type = "f32", outputs = 4}
  vc.parameter {name = "a", type = "f32"}
  func.func @elements() {
    %0 = vc.leaf "x" 3
    %1 = vc.const 0xfff0000000000000 : f64
    %2 = vc.const 0.1 : f64
    %3 = vc.scalar "a"
    %4 = "vc.uninit"() {instruction = 7 : i64} : () -> !vc.real
    %5 = vc.fma %0, %2, %3
    %6 = vc.lt %5, %1
    %7 = vc.select %6, %4, %5
    %8 = vc.ex2 %7
    vc.output "y" 3 %8
    func.return
  }
}
