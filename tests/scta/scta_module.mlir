module {
  scta.program {threads = 32 : i64, block = array<i64: 8, 4, 1>, registers = 10 : i64, steps = 320 : i64, complete = true, whole = true, assumptions = ["a"], masks = [], patterns = []}
  scta.region {name = "x", number = 16 : i64, space = "global", start = 0 : i64, size = 512 : i64, init = "symbolic", tensor = 0 : i64, role = "inout", variables = [], content = ""}
  scta.region {name = "shared", number = 1 : i64, space = "shared", start = 0 : i64, size = 512 : i64, init = "uninitialised", tensor = -1 : i64, role = "", variables = [{name = "s", offset = 0 : i64, size = 512 : i64}], content = ""}
  scta.event {kind = "race", message = "two", instruction = 3 : i64, cta = 0 : i64, threads = array<i64: 1>, address = -1 : i64, other = 2 : i64, steps = [{text = "why", instruction = 1 : i64}]}
  scta.code 0 from 0 "ldparam" "none" "b32" "b0" sub 0 imm 0 guard -1 false : [] -> [0]
  scta.code 1 from 1 "ld" "none" "f32" "b64" sub 4 imm 0 guard -1 false : [9] -> [1]
  scta.code 2 from 2 "value" "fma" "f32" "f32" sub 0 imm 0 guard 1 true : [1, 0, 1] -> [2]
  scta.code 3 from 3 "st" "none" "f32" "b64" sub 4 imm 0 guard -1 false : [9, 2] -> []
  scta.code 4 from 4 "shfl" "none" "b32" "b32" sub 3 imm 0 guard -1 false : [2, 9, 9, 9] -> [3]
  scta.code 5 from 5 "mma" "none" "s32" "s8" sub 67129784 imm 0 guard -1 false : [1, 2, 3, 2] -> [4, 5]
  scta.code 6 from 6 "bar" "none" "b0" "b0" sub 1 imm 0 guard -1 false : [9] -> []
  scta.code 7 from 7 "atom" "none" "f32" "b64" sub 0 imm 0 guard -1 false : [9, 2] -> [6]
  scta.code 8 from 8 "copy" "none" "b128" "b64" sub 0 imm 0 guard -1 false : [9, 9, 9] -> []
  scta.code 9 from 9 "mbarrier_signal" "none" "b64" "b64" sub 1 imm 0 guard -1 false : [9] -> []
  func.func @cta0() {
    scta.cta {index = array<i64: 0, 0, 0>, first = 0 : i64}
    %0 = scta.op "ldparam.b32" at 0 lanes "0..31" code 0
    %1 = scta.read "ld.f32" at "x" + 0 by 4 lanes "0..31" code 1
    %2 = scta.const register 2 at 7 by [0, 1, 3] lanes "0, 3..4"
    %3 = scta.op "fma.f32" %1, %0, %1 lanes "0..31" code 2 unless %1 else %2
    scta.write "st.f32" %3 at "x" + 128 by 4 lanes "0..31" code 3
    %4 = scta.shuffle "shfl.b32" %3 at 1 lanes "0..31" code 4
    %5, %6 = scta.matrix "mma.s32" %1, %3, %4, %3 lanes "0..31" code 5 -> 2
    scta.sync "bar" at 15 lanes "0..31" code 6
    %7 = scta.atomic "atom.f32" %3 at "x" + 4 lanes "0..31" code 7 decided
    scta.copy "copy.b128" at "x" + 0 lanes "0" code 8 source of 12
    scta.copy "copy.b128" at "shared" + 16 lanes "0" code 8 target of 12
    scta.mbarrier "mbarrier_signal.b64" at "shared" + 8 lanes "0..31" code 9 ends_phase
    func.return
  }
  func.func @cta1() {
    scta.cta {index = array<i64: 1, 0, 0>, first = 12 : i64}
    %8 = scta.initial {register = 1 : i64}
    scta.sync "bar" lanes "0..31" code 6
    func.return
  }
}
