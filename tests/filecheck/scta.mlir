// Every kind of operation of the scta dialect in its custom form, printed as it was read.
// CHECK: scta.program {threads = 64 : i64
// CHECK-NEXT: scta.region {name = "x"
// CHECK-NEXT: scta.event {kind = "race"
// CHECK-NEXT: scta.code 30 from 41 "value" "fma" "f32" "f32" sub 0 imm 0 guard 4 true : [1, 0, 1] -> [2]
// CHECK-NEXT: func.func @cta0() {
// CHECK-NEXT: scta.cta {index = array<i64: 1, 0, 0>, first = 5 : i64}
// CHECK-NEXT: %{{.*}} = scta.initial {register = 4 : i64}
// CHECK-NEXT: %{{.*}} = scta.const register 7 at 1065353216 lanes "0..63"
// CHECK-NEXT: %{{.*}} = scta.const register 8 at -4 by [0, 1, 3] lanes "0, 3..4" else %{{.*}}
// CHECK-NEXT: %{{.*}} = scta.op "ldparam.b32" lanes "0..63" code 3
// CHECK-NEXT: %{{.*}} = scta.op "ldparam.b32" at 1 lanes "0..63" code 3
// CHECK-NEXT: %{{.*}} = scta.op "fma.f32" %{{.*}}, %{{.*}}, %{{.*}} lanes "0..35" code 30 unless %{{.*}} else %{{.*}}
// CHECK-NEXT: %{{.*}} = scta.op "unpack.b64" %{{.*}} lanes "0..35" code 31 -> 2
// CHECK-NEXT: %{{.*}} = scta.read "ld.f32" at "x" + 256 by 4 lanes "0..63" code 15
// CHECK-NEXT: %{{.*}}, %{{.*}} = scta.read "ld.f32" at "x" + -4 lanes "0" code 16 part 3 if %{{.*}} else %{{.*}}, %{{.*}} -> 2
// CHECK-NEXT: scta.write "st.f32" %{{.*}}, %{{.*}} at 4096 by 4 lanes "0..63" code 17
// CHECK-NEXT: %{{.*}} = scta.shuffle "shfl.b32" %{{.*}} at 3 lanes "0..31" code 18
// CHECK-NEXT: %{{.*}}, %{{.*}} = scta.matrix "mma.f32" %{{.*}}, %{{.*}} lanes "0..31" code 19 -> 2
// CHECK-NEXT: %{{.*}} = scta.atomic "atom.f32" %{{.*}} at "x" + 0 lanes "0..31" code 20 decided
// CHECK-NEXT: scta.atomic "red.f32" %{{.*}} at "x" + 0 lanes "0..31" code 21 -> 0
// CHECK-NEXT: scta.copy "copy.b128" at "x" + 0 by 16 lanes "0..31" code 22 source of 12
// CHECK-NEXT: scta.copy "copy.b128" at "shared" + 0 by 16 lanes "0..31" code 22 target of 12
// CHECK-NEXT: scta.sync "bar" at 1 lanes "0..63" code 23
// CHECK-NEXT: scta.sync "bar_arrive" lanes "0..31" code 24 ends_phase
// CHECK-NEXT: scta.mbarrier "mbarrier_wait.b64" at "shared" + 8 lanes "0..31" code 25 {note.why = "seen"}
// CHECK-NEXT: func.return
module {
  scta.program {threads = 64, block = array<i64: 64, 1, 1>, registers = 61, steps = 3624, complete = true, whole = false, assumptions = [], masks = [], patterns = []}
  scta.region {name = "x", number = 16, space = "global", start = 0, size = 400, init = "symbolic", tensor = 0, role = "in", variables = [], content = ""}
  scta.event {kind = "race", message = "two threads", instruction = 3, cta = 0, threads = array<i64: 1, 2>, address = -1, other = 4, steps = []}
  scta.code 30 from 41 "value" "fma" "f32" "f32" sub 0 imm 0 guard 4 true : [1, 0, 1] -> [2]
  func.func @cta0() {
    scta.cta {index = array<i64: 1, 0, 0>, first = 5}
    %p = scta.initial {register = 4}
    %0 = scta.const register 7 at 1065353216 lanes "0..63"
    %1 = scta.const register 8 at -4 by [0, 1, 3] lanes "0, 3..4" else %0
    %2 = scta.op "ldparam.b32" at 0 lanes "0..63" code 3
    %3 = "scta.op"() {name = "ldparam.b32", code = 3 : i64, base = 1 : i64, pattern = array<i64>, guard = "none", keeps = false, lanes = "0..63"} : () -> !scta.lanes
    %4 = scta.op "fma.f32" %1, %0, %1 lanes "0..35" code 30 unless %p else %2
    %5:2 = scta.op "unpack.b64" %1 lanes "0..35" code 31 -> 2
    %6 = scta.read "ld.f32" at "x" + 256 by 4 lanes "0..63" code 15
    %7, %8 = scta.read "ld.f32" at "x" + -4 lanes "0" code 16 part 3 if %p else %6, %5 -> 2
    scta.write "st.f32" %7, %8 at 4096 by 4 lanes "0..63" code 17
    %9 = scta.shuffle "shfl.b32" %8 at 3 lanes "0..31" code 18
    %10, %11 = scta.matrix "mma.f32" %8, %9 lanes "0..31" code 19 -> 2
    %12 = scta.atomic "atom.f32" %11 at "x" + 0 lanes "0..31" code 20 decided
    scta.atomic "red.f32" %11 at "x" + 0 lanes "0..31" code 21 -> 0
    scta.copy "copy.b128" at "x" + 0 by 16 lanes "0..31" code 22 source of 12
    scta.copy "copy.b128" at "shared" + 0 by 16 lanes "0..31" code 22 target of 12
    scta.sync "bar" at 1 lanes "0..63" code 23
    scta.sync "bar_arrive" lanes "0..31" code 24 ends_phase
    scta.mbarrier "mbarrier_wait.b64" at "shared" + 8 lanes "0..31" code 25 {note.why = "seen"}
    func.return
  }
}
