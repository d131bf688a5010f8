// Every kind of operation in its custom form, printed as it was read.
// CHECK: ptx.variable @s {align = 4 : i64, size = 16 : i64, space = "shared"}
// CHECK: ptx.variable @c {align = 1 : i64, init = "0102", size = 2 : i64, space = "const"}
// CHECK: ptx.variable @x {align = 16 : i64, extern, size = 0 : i64, space = "shared"}
// CHECK: ptx.kernel @k {address_size = 64 : i64
// CHECK-NEXT: %{{.*}} = ptx.constant -1 : i32
// CHECK-NEXT: %{{.*}} = ptx.constant 1 : i1
// CHECK-NEXT: %{{.*}} = ptx.undef : i32
// CHECK-NEXT: %{{.*}} = ptx.special "tid.x" : i32
// CHECK-NEXT: %{{.*}} = ptx.address @s + 4 : i64
// CHECK-NEXT: %{{.*}} = ptx.ld_param 0 "u64" : i64
// CHECK-NEXT: %{{.*}} = ptx.setp "lt.s32" %{{.*}}, %{{.*}} : (i32, i32) -> i1
// CHECK-NEXT: %{{.*}} = ptx.add "s32" %{{.*}}, %{{.*}} if not %{{.*}} else %{{.*}} : (i32, i32, i1, i32) -> i32
// CHECK-NEXT: %{{.*}}, %{{.*}} = ptx.ld "shared.v2.f32" [%{{.*}} + -4] if %{{.*}} else %{{.*}}, %{{.*}} : (i64, i1, i32, i32) -> (i32, i32)
// CHECK-NEXT: ptx.st "shared.f32" [%{{.*}} + 4], %{{.*}} : (i64, i32) -> ()
// CHECK-NEXT: ptx.membar "gl" ()
// CHECK-NEXT: %{{.*}} = ptx.unmodelled "frob.x.b32" "$0, [$1+4]" because "no row" %{{.*}} if not %{{.*}} else %{{.*}} : (i64, i1, i32) -> i32
// CHECK-NEXT: ptx.unmodelled "frob.y" "" ()
// CHECK-NEXT: ptx.cond_br %{{.*}}, ^bb1(%{{.*}} : i32), ^bb2
// CHECK-NEXT: ^bb1(%{{.*}}: i32):
// CHECK-NEXT: ptx.br ^bb2
// CHECK-NEXT: ^bb2:
// CHECK-NEXT: ptx.cond_br %{{.*}}, ^bb3, ^bb4
// CHECK-NEXT: ^bb3:
// CHECK-NEXT: ptx.trap "an assertion fails"
// CHECK-NEXT: ^bb4:
// CHECK-NEXT: ptx.ret
builtin.module {
  ptx.variable @s {align = 4 : i64, size = 16 : i64, space = "shared"}
  ptx.variable @c {align = 1 : i64, size = 2 : i64, space = "const", init = "0102"}
  ptx.variable @x {align = 16 : i64, size = 0 : i64, space = "shared", extern}
  ptx.kernel @k {params = [{name = "a", type = "u64", size = 8 : i64, align = 8 : i64, offset = 0 : i64}], version = "9.0", target = "sm_80", address_size = 64 : i64} {
    %0 = ptx.constant 4294967295 : i32
    %1 = ptx.constant 1 : i1
    %2 = ptx.undef : i32
    %3 = ptx.special "tid.x" : i32
    %4 = ptx.address @s + 4 : i64
    %5 = ptx.ld_param 0 "u64" : i64
    %6 = ptx.setp "lt.s32" %0, %3 : (i32, i32) -> i1
    %7 = ptx.add "s32" %0, %3 if not %6 else %2 : (i32, i32, i1, i32) -> i32
    %8, %9 = ptx.ld "shared.v2.f32" [%4 + -4] if %1 else %2, %2 : (i64, i1, i32, i32) -> (i32, i32)
    ptx.st "shared.f32" [%4 + 4], %8 : (i64, i32) -> ()
    ptx.membar "gl" ()
    %11 = ptx.unmodelled "frob.x.b32" "$0, [$1+4]" because "no row" %4 if not %6 else %7 : (i64, i1, i32) -> i32
    ptx.unmodelled "frob.y" "" ()
    ptx.cond_br %6, ^bb1(%7 : i32), ^bb2
  ^bb1(%10: i32):
    ptx.br ^bb2
  ^bb2:
    ptx.cond_br %6, ^bb3, ^bb4
  ^bb3:
    ptx.trap "an assertion fails"
  ^bb4:
    ptx.ret
  }
}
