/**
 * Holds the CSS of the page, for light, dark, phone and print; its colours follow Okabe and Ito's palette for colour
 * blindness.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f6f3; --card: #ffffff; --text: #1c1c1a; --muted: #6b6b66; --grid: #e4e4df; --edge: #d9d9d3;
  --ours: #0065a8; --ours-light: #7db8e0; --rival: #c2500b; --stored: #a8467f;
  --clean: #00805f; --lost: #c2500b; --shade: #0065a8;
  --lost-row: #fde7d9; --let-in-row: #fbe4f1;
  --s1: #0065a8; --s2: #c2500b; --s3: #00805f; --s4: #a8467f; --s5: #8a6d00; --s6: #5b5b57;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #151514; --card: #1e1e1c; --text: #ecece6; --muted: #a3a39c; --grid: #33332f; --edge: #3d3d38;
    --ours: #63b5ee; --ours-light: #2f6f9c; --rival: #f0934a; --stored: #dd8fbd;
    --clean: #3fc49b; --lost: #f0934a; --shade: #2f7fb8;
    --lost-row: #4a2c17; --let-in-row: #46233a;
    --s1: #63b5ee; --s2: #f0934a; --s3: #3fc49b; --s4: #dd8fbd; --s5: #e6cb4d; --s6: #b9b9b2;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; scroll-padding-top: .5rem; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  overflow-wrap: anywhere;
}
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 .75rem; padding-top: .75rem; border-top: 3px solid var(--ours); }
h3 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
h4 { font-size: 1rem; margin: 1rem 0 .25rem; }
p { margin: .5rem 0; }
a { color: var(--ours); }
code { font: .875em ui-monospace, "DejaVu Sans Mono", monospace; }
small { font-size: .75rem; color: var(--muted); display: block; }
.note, .facts, figcaption span, .url { color: var(--muted); font-size: .875rem; }
.url { margin: .25rem 0; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .375rem; margin: 1rem 0 0; padding: 0; }
nav a {
  display: inline-block; padding: .3rem .7rem; border: 1px solid var(--edge); border-radius: 99px;
  background: var(--card); text-decoration: none; font-size: .875rem;
}
.command { display: block; background: var(--card); border: 1px solid var(--edge); border-radius: 6px; padding: .5rem .75rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
.card, figure, .scroll, details:not(details details) {
  background: var(--card); border: 1px solid var(--edge); border-radius: 8px;
}
.card { padding: 1rem 1.25rem; min-width: 0; }
.card h3 { margin: 0; }
.card p { font-size: .9rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 32rem), 1fr)); gap: 1rem; margin: 1rem 0; }
.figures:empty { display: none; }
figure { margin: 0; padding: 1rem 1.25rem; min-width: 0; break-inside: avoid; }
figcaption b, figcaption span { display: block; }
figcaption span::first-letter { text-transform: uppercase; }
figure svg.plot { display: block; max-width: 100%; height: auto; margin: 0 auto; --plot-background: var(--card); }
.narrow { display: none; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .125rem 1rem; padding: 0; margin: .5rem 0; font-size: .8125rem; }
.legend li { display: flex; align-items: center; gap: .375rem; min-width: 0; }
.swatch { width: 16px; height: 14px; flex: none; stroke-width: 2; }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums; }
caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
th, td { padding: .35rem .6rem; text-align: right; vertical-align: top; white-space: nowrap; }
thead th { border-bottom: 2px solid var(--edge); vertical-align: bottom; white-space: normal; overflow-wrap: normal; min-width: 4.25rem; font-weight: 600; }
thead th.name { font-weight: 600; }
tbody tr + tr > * { border-top: 1px solid var(--grid); }
.scroll { overflow-x: auto; margin: 1rem 0; position: relative; }
.scroll:focus-visible, summary:focus-visible, a:focus-visible { outline: 3px solid var(--ours); outline-offset: 1px; }
.scroll > table { min-width: 100%; }
th.name { text-align: left; position: sticky; left: 0; background: var(--card); z-index: 1; font-weight: 500; white-space: normal; overflow-wrap: break-word; }
tbody th.name span { border-left: 4px solid var(--muted); padding-left: .5rem; display: block; width: max-content; max-width: 16rem; }
tbody th.name.extracted span { border-left: 4px double var(--ours); }
tbody th.name.labelled span { border-color: var(--ours); }
tbody th.name.extracted, tbody th.name.labelled { font-weight: 650; }
tbody th.name.rival span { border-color: var(--rival); }
tbody th.name.stored span { border-color: var(--stored); }
.matrix td { background: color-mix(in srgb, var(--shade) calc(var(--place, 0%) * .38), transparent); }
.matrix td.best span, td b, b.best { font-weight: 750; }
.matrix td.best span { text-decoration: underline; text-underline-offset: 3px; text-decoration-thickness: 2px; }
.matrix td small { color: inherit; opacity: .75; }
.matrix th small { font-weight: 400; }
abbr { text-decoration: none; }
abbr.failed { color: var(--rival); margin-left: .35rem; font-size: .75rem; white-space: nowrap; }
.absent { color: var(--muted); }
.steps { width: 100%; margin: .5rem 0; }
.steps th, .steps td { padding: .35rem .4rem; min-width: 0; }
.steps th:first-child { text-align: left; padding-left: 0; white-space: normal; }
.steps thead th:not(:first-child) { width: 17%; }
.steps small { overflow-wrap: anywhere; }
.steps tbody th { font-weight: 600; }
.meter { display: block; height: 6px; margin-top: 3px; background: var(--grid); border-radius: 3px; overflow: hidden; }
.meter i { display: block; height: 100%; }
.meter.clean i { background: var(--clean); }
.meter.lost i { background: repeating-linear-gradient(135deg, var(--lost) 0 4px, color-mix(in srgb, var(--lost) 55%, transparent) 4px 6px); }
.facts { display: grid; gap: .25rem; margin: .5rem 0; }
.facts div { display: grid; grid-template-columns: minmax(8rem, 14rem) 1fr; gap: 0 1rem; }
.facts dt { font-weight: 600; color: var(--text); }
.facts dd { margin: 0; }
details { margin: .5rem 0; padding: .5rem 1rem; }
details details { padding: .25rem 0; border-top: 1px solid var(--grid); }
summary { cursor: pointer; font-weight: 600; padding: .25rem 0; }
details.document summary { font-weight: 400; }
details .scroll { border: 0; margin: .5rem 0; }
.plain { padding-left: 1.25rem; font-size: .875rem; }
.lines { width: 100%; }
.lines th, .lines td { text-align: left; white-space: nowrap; }
.lines thead th { min-width: 0; }
.lines td:last-child { white-space: normal; min-width: 16rem; width: 100%; }
.lines td span { white-space: pre-wrap; }
.lines td[dir=auto] { text-align: start; }
.lines .right td:not(:last-child) { color: var(--muted); }
tr.lost, b.lost { background: var(--lost-row); }
tr.let-in, b.let-in { background: var(--let-in-row); }
tr.lost td:nth-child(2), tr.let-in td:nth-child(2) { font-weight: 700; }
b.lost, b.let-in { padding: 0 .25rem; border-radius: 3px; color: var(--text); }
.top { text-align: right; font-size: .875rem; }
footer { padding-top: 2rem; padding-bottom: 3rem; }
@media (max-width: 640px) {
  header, main, footer { padding-left: .75rem; padding-right: .75rem; }
  header { padding-top: 1.25rem; }
  h1 { font-size: 1.5rem; }
  .wide { display: none; }
  .narrow { display: block; }
  .card { padding: .75rem; }
  figure { padding: .75rem .5rem; }
  .facts div { grid-template-columns: 1fr; margin-bottom: .35rem; }
  tbody th.name span { max-width: 9rem; padding-left: .375rem; }
  th, td { padding: .35rem .45rem; }
  .steps { font-size: .8125rem; }
  .steps th, .steps td { padding: .35rem .2rem; }
  .meter { min-width: 2.75rem; }
}
@media print {
  :root {
    color-scheme: light; --page: #fff; --card: #fff; --text: #000; --muted: #444; --grid: #ddd; --edge: #bbb;
    --ours: #0065a8; --ours-light: #7db8e0; --rival: #c2500b; --stored: #a8467f; --clean: #00805f; --lost: #c2500b;
    --shade: #7db8e0; --s1: #0065a8; --s2: #c2500b; --s3: #00805f; --s4: #a8467f; --s5: #8a6d00; --s6: #5b5b57;
  }
  body { font-size: 11px; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  nav, .top { display: none; }
  h2, h3, figcaption { break-after: avoid; }
  .card, tr { break-inside: avoid; }
  .scroll { overflow: visible; border: 0; }
  .scroll > table { min-width: 0; }
  table { font-size: 8px; }
  th, td { padding: .15rem .3rem; }
  thead th { min-width: 0; }
  th.name { position: static; }
  .wide { display: block; }
  .narrow { display: none; }
}
`;
