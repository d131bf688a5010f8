"""The look of the page: light and dark, narrow and wide, on paper. Nothing is loaded from anywhere."""

STYLE = """
:root { --back: #ffffff; --text: #1d2329; --soft: #59636e; --line: #d5dae0; --panel: #f5f7f9; --code: #f5f7f9; --link: #0b57a4;
  --good: #15703a; --bad: #b3201f; --open: #8a5a00; --good-text: #15703a; --bad-text: #b3201f; --open-text: #8a5a00;
    --warn: #fff3d6; --warn-line: #c98a00; --key: #0b57a4; --value: #8a3b00;
  --a: #f6c28b; --a-text: #4a2600; --b: #a9cff5; --b-text: #06325c; --race: #c4161c; --mark: #ffe9a8; --cell: #ffffff; }
@media (prefers-color-scheme: dark) {
  :root { --back: #15191e; --text: #e3e7eb; --soft: #a2adb8; --line: #39424c; --panel: #1d232a; --code: #1d232a;
    --link: #7db8f5;
    --good: #1a703d; --bad: #b02e2b; --open: #835a07; --good-text: #5ecb8a; --bad-text: #ff8a85; --open-text: #e3b04b;
    --warn: #3a2e10; --warn-line: #d9a22b; --key: #7db8f5; --value: #f0b27a;
    --a: #8f5317; --a-text: #ffe9d2; --b: #1f5488; --b-text: #dcedff; --race: #ff6b66; --mark: #4f4316; --cell: #15191e; }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; background: var(--back); color: var(--text);
    font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 0 20px 60px; }
a { color: var(--link); }
h1 { margin: 4px 0 10px; font-size: 1.7rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 0 0 10px; font-size: 1.25rem; }
h3 { margin: 18px 0 6px; font-size: 1rem; }
h4 { margin: 22px 0 6px; font-size: 1rem; }
h3 small { font-weight: normal; }
p { margin: 6px 0; overflow-wrap: anywhere; }
li { overflow-wrap: anywhere; }
ul, ol { margin: 6px 0; padding-left: 1.4em; }
section { margin-top: 34px; padding-top: 18px; border-top: 1px solid var(--line); }
nav + section { margin-top: 14px; border-top: 0; }
code, pre { font: 0.86em/1.5 ui-monospace, "SFMono-Regular", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
small, .hint { color: var(--soft); }
small { font-size: 0.85em; }
.banner { padding: 22px max(20px, calc((100% - 1180px) / 2 + 20px)); color: #ffffff; }
.banner.good { background: var(--good); } .banner.bad { background: var(--bad); } .banner.open { background: var(--open); }
.banner a { color: inherit; font-weight: 600; }
.banner .kicker { margin: 0; font-size: 0.85rem; letter-spacing: 0.04em; opacity: 0.9; }
.banner .verdict { display: inline-block; margin-right: 0.4em; }
.banner .name { font-weight: 400; }
nav { display: flex; flex-wrap: wrap; gap: 2px 18px; margin-top: 14px; font-size: 0.9rem; }
nav a { text-decoration: none; }
.warning { margin-top: 24px; padding: 16px 18px; border: 2px solid var(--warn-line); border-radius: 6px;
    background: var(--warn); }
.wide { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; margin: 6px 0; font-size: 0.92rem; }
th, td { padding: 5px 14px 5px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; }
td.time { white-space: nowrap; color: var(--soft); }
td code { white-space: nowrap; }
td code.digest, td code.args { white-space: normal; overflow-wrap: anywhere; }
.digest { color: var(--soft); }
.result { white-space: nowrap; font-weight: 600; }
.result.passed { color: var(--good-text); }
.result.failed { color: var(--bad-text); } .result.other { color: var(--open-text); }
.role { font-weight: 600; }
.beside { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px 32px; align-items: start; }
.tables > h3:first-child { margin-top: 0; }
.dims { columns: 16em auto; padding: 0; list-style: none; }
pre.code { margin: 0; padding: 10px 12px; overflow-x: auto; background: var(--code); border: 1px solid var(--line);
    border-radius: 6px; }
pre + pre.code { margin-top: 8px; }
pre.wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
pre b { color: var(--text); } pre i { color: var(--soft); font-style: normal; }
pre .k { color: var(--key); } pre .v { color: var(--value); }
.file, figcaption { margin: 0 0 4px; color: var(--soft); font-size: 0.88rem; }
figure { margin: 0; min-width: 0; }
.code-pair { display: grid; grid-template-columns: minmax(0, 1fr); gap: 10px 16px; }
figure pre.code { padding: 8px 0; }
figure pre.code .line { display: block; min-width: max-content; padding-right: 12px; }
.no { color: var(--soft); user-select: none; }
.line.marked { background: var(--mark); } .line.marked .no { color: inherit; font-weight: 700; }
details { margin: 10px 0; }
summary { cursor: pointer; color: var(--link); overflow-wrap: anywhere; }
details.finding { padding: 10px 16px; border: 1px solid var(--line); border-left: 4px solid var(--bad); border-radius: 6px; }
details.finding > summary { color: var(--text); }
.banner.open ~ main details.finding { border-left-color: var(--open); }
.title { font-weight: 700; } .of { margin-left: 0.8em; color: var(--soft); }
.place { margin-left: 0.8em; font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.86em; }
.message { font-size: 1.03rem; }
.who { margin-top: 18px; font-weight: 600; }
.letter { display: inline-block; min-width: 1.6em; padding: 0 0.4em; border-radius: 4px; text-align: center; font-weight: 700; }
.letter.a { background: var(--a); color: var(--a-text); } .letter.b { background: var(--b); color: var(--b-text); }
.letter.c, .letter.d { background: var(--panel); }
.steps li { margin: 4px 0; }
.steps code.line { display: block; margin-top: 2px; color: var(--soft); white-space: pre-wrap; overflow-wrap: anywhere; }
.memory { margin-top: 22px; } .memory figcaption { font-weight: 600; color: var(--text); font-size: 0.95rem; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 22px; margin: 6px 0 10px; padding: 0; list-style: none; font-size: 0.9rem; }
.key { display: inline-block; width: 1.5em; height: 1.1em; vertical-align: -0.15em; border-radius: 3px; }
.key.race { border: 3px solid var(--race); } .key.both { border: 2px dashed var(--race); }
svg.map { display: block; font: 11px ui-monospace, "DejaVu Sans Mono", monospace; }
svg .half { fill: var(--cell); stroke: var(--line); } svg .half.a { fill: var(--a); } svg .half.b { fill: var(--b); }
svg text { fill: var(--soft); } svg .thread.a { fill: var(--a-text); } svg .thread.b { fill: var(--b-text); }
svg .frame { fill: none; pointer-events: none; } svg .frame.race { stroke: var(--race); stroke-width: 4; }
svg .frame.both { stroke: var(--race); stroke-width: 1; stroke-dasharray: 3 2; }
td small.path { overflow-wrap: anywhere; }
tr.matters td { font-weight: 600; }
@media (min-width: 980px) {
  .beside { grid-template-columns: minmax(0, 1fr) minmax(0, 1.3fr); }
  .beside.even { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .code-pair { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
}
@media (max-width: 600px) {
  main { padding: 0 12px 40px; } .banner { padding: 16px 12px; } h1 { font-size: 1.35rem; }
  details.finding { padding: 8px 10px; } .of, .place { display: block; margin-left: 0; }
}
@media print {
  :root { --back: #ffffff; --text: #000000; --soft: #444444; --line: #bbbbbb; --panel: #f5f5f5; --code: #ffffff;
    --link: #000000;
    --mark: #eeeeee; --cell: #ffffff; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  .banner { color: #000000; background: none !important; border: 3px solid #000000; }
  pre.code { white-space: pre-wrap; overflow-wrap: anywhere; } figure pre.code .line { min-width: 0; }
    .wide { overflow: visible; }
  svg.map { max-width: 100%; height: auto; } figure, tr { break-inside: avoid; }
  h2, h3, h4, summary, .who { break-after: avoid; }
  .code-pair { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); } .code-pair pre { font-size: 7.5pt; }
  nav { display: none; }
  details::details-content { content-visibility: visible; display: block; height: auto; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
