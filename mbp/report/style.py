"""The style sheets of pictures and pages: light and dark, from 360 pixels of width on.

Colours are variables, and every pair of text and ground has a contrast of 4.5 or more.
"""

from __future__ import annotations

LIGHT = (
    "color-scheme:light;--ground:#fbfaf7;--ink:#20201d;--faint:#5d5c56;--line:#c9c6bc;"
    "--raised:#fff;--accent:#1c5d99;--good:#1b6e3c;--bad:#b3261e;--back:#dcd8cc;"
)
DARK = (
    "color-scheme:dark;--ground:#17181a;--ink:#ececea;--faint:#a9a8a2;--line:#44464a;"
    "--raised:#222427;--accent:#8cbdf0;--good:#7dd69b;--bad:#ff8f85;--back:#3a3c41;"
)

# Cards keep their colours in the dark; the frame tells a black one from a black ground.
BOARD = """
.ground{fill:var(--ground)}
.board text{font-family:system-ui,sans-serif;fill:var(--ink)}
.board .t{font-size:14px}
.board .t.b{font-size:16px;font-weight:700}
.board .t.d{fill:var(--faint)}
.board .t.r{text-anchor:end}
.board .f{fill:var(--raised);stroke:var(--line)}
.board .c rect{stroke:var(--ink);stroke-opacity:.45}
.board .c text{font-size:16px;font-weight:700;text-anchor:middle}
.board .c text.n{font-size:14px;font-weight:600}
.board .s rect{stroke-width:3;stroke-opacity:1}
.board .d rect{fill:var(--back);stroke-dasharray:3 2}
.board .e rect{fill:none;stroke-dasharray:2 3}
.board .e text.n{fill:var(--faint)}
.board .k0 rect{fill:#26262b}
.board .k1 rect{fill:#1a7a43}
.board .k2 rect{fill:#7b3fa8}
.board .k3 rect{fill:#f4cf1f}
.board .k4 rect{fill:#f0852a}
.board .k5 rect{fill:#c4242c}
.board .k0 text,.board .k1 text,.board .k2 text,.board .k5 text{fill:#fff}
.board .k3 text,.board .k4 text{fill:#1c1a10}
"""

PAGE = """
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.45 system-ui,sans-serif}
main,header,footer{max-width:1180px;margin:0 auto;padding:0 14px}
h1{font-size:1.35rem;line-height:1.25;margin:16px 0 4px;overflow-wrap:anywhere}
h2{font-size:1.05rem;margin:18px 0 6px}
h3{font-size:.95rem;margin:12px 0 4px}
p{margin:4px 0}
a{color:var(--accent)}
.faint{color:var(--faint)}
.verdict{border-left:4px solid var(--good);padding:6px 10px;margin:10px 0;background:var(--raised)}
.verdict strong{color:var(--good)}
.verdict.bad{border-color:var(--bad)}
.verdict.bad strong{color:var(--bad)}
.two{display:grid;gap:8px 28px;grid-template-columns:minmax(0,1fr)}
.board,.chart{display:block;width:100%;height:auto}
.board{max-width:640px;margin:0 auto;overflow:hidden}
.stage{min-width:0}
.control{position:sticky;bottom:0;background:var(--ground);padding:6px 0}
.steer{display:flex;flex-wrap:wrap;gap:4px 8px;align-items:center}
.steer[hidden]{display:none}
.steer input{flex:1 1 180px;min-width:60px;height:32px;accent-color:var(--accent)}
.steer div{flex:1 1 300px;display:flex;gap:4px}
button{font:inherit;color:inherit;background:var(--raised);border:1px solid var(--line);
border-radius:6px;cursor:pointer}
.steer button{flex:1;min-width:44px;min-height:44px;padding:0;white-space:nowrap}
button:focus-visible,input:focus-visible,a:focus-visible,summary:focus-visible,
[tabindex]:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
.now{min-height:3em;margin-top:4px}
.now p{overflow-wrap:anywhere}
.note{font-style:italic}
.moves{list-style:none;margin:0;padding:0;max-height:60vh;overflow-y:auto;
border:1px solid var(--line);border-radius:6px;position:relative}
.moves button{display:grid;grid-template-columns:2.6em minmax(0,1fr) auto;gap:2px 8px;width:100%;
min-height:32px;text-align:left;border:0;border-radius:0;padding:5px 8px;background:none}
.moves button span{overflow-wrap:anywhere}
.moves .note{grid-column:2/4}
.moves [aria-current]{background:var(--back);box-shadow:inset 4px 0 var(--accent)}
.moves .q{color:var(--faint);text-align:right}
.chart text{font:14px system-ui,sans-serif;fill:var(--ink)}
.chart .axis{stroke:var(--line)}
.chart polyline{fill:none;stroke-width:2;stroke:var(--accent)}
.chart .lb{stroke:var(--bad);stroke-dasharray:6 3}
.chart .cursor{stroke:var(--ink);stroke-width:1}
.chart rect{fill:var(--accent)}
summary{cursor:pointer;padding:6px 0}
ul.words{margin:0;padding-left:1.2em;font-size:.92rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-size:.95rem}
th,td{padding:5px 8px;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
td.n{overflow-wrap:anywhere;min-width:5em}
td.n:first-child{min-width:11.5em}
td.r,th.r{text-align:right;font-variant-numeric:tabular-nums}
td.r{white-space:nowrap}
.plots{display:grid;gap:8px 28px;grid-template-columns:repeat(auto-fit,minmax(min(100%,330px),1fr))}
.plots .chart{max-width:520px}
dl{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:2px 12px;
margin:6px 0;font-size:.92rem}
dt{color:var(--faint);overflow-wrap:anywhere}
dd{margin:0;overflow-wrap:anywhere}
footer{margin:26px auto 18px;font-size:.88rem}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media(max-width:479px){main,header,footer{padding:0 10px}.m{display:none}th,td{padding:5px 4px}}
@media(min-width:860px){.two{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}
.moves{max-height:52vh}.board{max-height:max(calc(100vh - 19rem),28rem)}}
@media print{.steer,.moves button{break-inside:avoid}.moves{max-height:none}}
"""


def sheet() -> str:
    """The style sheet of a page."""
    return (
        f":root{{{LIGHT}}}@media(prefers-color-scheme:dark){{:root{{{DARK}}}}}{PAGE}{BOARD}"
    ).replace("\n", "")
