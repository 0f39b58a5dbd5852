/** Holds the styles of the inspector's page, for light and dark, and for widths of 500 pixels and less. */

export const STYLE = `
:root { color-scheme: light dark; --back: #fff; --text: #1a1a1a; --soft: #555; --rule: #8886; --kept: #1d7a43; --dropped: #b03a2e; --mark: #7a4d00; --focus: #1558c0; --on: #ffe9a8; --warn: #8a3b00; }
@media (prefers-color-scheme: dark) { :root { --back: #16181b; --text: #eceff1; --soft: #b4bbc2; --kept: #3fae6c; --dropped: #e07a6b; --mark: #f2c063; --focus: #8ab8ff; --on: #4a3f17; --warn: #ffb37a; } }
* { box-sizing: border-box; }
body { margin: 0; padding: .6rem; background: var(--back); color: var(--text); font: 1rem/1.4 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; align-items: baseline; }
h1 { font-size: 1.2rem; margin: 0; } h2 { font-size: 1.1rem; margin: .4rem 0; overflow-wrap: anywhere; } h3 { font-size: 1rem; margin: .4rem 0; }
p { margin: .3rem 0; } header p { margin: 0; } #error, .warning { color: var(--warn); font-weight: 600; }
[hidden] { display: none !important; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: .5rem; top: .5rem; background: var(--back); padding: .4rem; z-index: 2; }
a { color: var(--focus); } :focus-visible { outline: 3px solid var(--focus); outline-offset: 1px; }
button, input, select { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft); border-radius: .25rem; padding: .15rem .4rem; max-width: 100%; }
button:disabled { opacity: .6; }
#panes { display: grid; grid-template-columns: minmax(15rem, 21rem) minmax(0, 1fr); gap: 1rem; margin-top: .5rem; }
.row { display: flex; flex-wrap: wrap; gap: .4rem .7rem; align-items: center; }
#search { display: grid; grid-template-columns: 1fr 1fr; gap: .3rem .5rem; } #search label:first-child { grid-column: 1 / -1; }
#search label { display: flex; flex-direction: column; font-size: .85rem; color: var(--soft); } #search input, #search select { width: 100%; color: var(--text); }
#documents { position: relative; height: 55vh; overflow-y: auto; border: 1px solid var(--rule); }
.space { position: relative; }
.entry { position: absolute; left: 0; right: 0; height: 3.4rem; padding: .2rem .4rem; border-bottom: 1px solid var(--rule); overflow: hidden; cursor: pointer; font-size: .9rem; }
.entry b, .entry span { display: block; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .entry b { font-weight: 600; } .entry span { color: var(--soft); }
.entry[aria-selected=true] { background: var(--on); } .entry[aria-selected=true] span { color: var(--text); } .entry.active { box-shadow: inset 3px 0 var(--focus); }
#sides { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: .8rem; } #sides.alone { grid-template-columns: 1fr; } #sides.alone #page-side { display: none; }
#lines { height: 60vh; overflow-y: auto; margin: 0; padding: 0; list-style: none; border: 1px solid var(--rule); }
#lines li { display: grid; grid-template-columns: 3.2rem 5.6rem minmax(0, 1fr); gap: .4rem; padding: .12rem .4rem; border-left: .35rem solid color-mix(in oklab, var(--kept) calc(var(--score) * 100%), var(--dropped)); border-bottom: 1px solid var(--rule); background: color-mix(in oklab, color-mix(in oklab, var(--kept) calc(var(--score) * 100%), var(--dropped)) 11%, var(--back)); cursor: pointer; overflow-wrap: anywhere; white-space: pre-wrap; content-visibility: auto; contain-intrinsic-size: auto 1.7rem; }
#lines li[aria-selected=true] { background: var(--on); } #lines li.active { outline: 2px solid var(--focus); outline-offset: -2px; }
#lines .score { font-variant-numeric: tabular-nums; font-size: .85rem; } #lines .mark { font-size: .85rem; font-weight: 600; color: var(--mark); }
#lines .mark.own { font-weight: 400; font-style: italic; color: var(--text); } #lines li.changes .mark.own { text-decoration: underline wavy; }
#detail { min-height: 3.2rem; font-size: .9rem; overflow-wrap: anywhere; } .hint { font-size: .85rem; color: var(--soft); }
#page { width: 100%; height: 57vh; border: 1px solid var(--rule); background: #fff; }
#cut { width: 14rem; } #result { max-height: 50vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--rule); padding: .5rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem .8rem; } dd { margin: 0; }
dialog { max-width: 40rem; color: inherit; background: var(--back); border: 2px solid var(--warn); }
nav details { margin: .4rem 0; } nav details ul { padding-left: 1rem; font-size: .85rem; overflow-wrap: anywhere; }
@media (max-width: 60rem) { #sides { grid-template-columns: 1fr; } #lines { height: 50vh; } }
@media (max-width: 46rem) { #panes { grid-template-columns: minmax(0, 1fr); } #documents { height: 13rem; } #lines li { grid-template-columns: 3rem minmax(0, 1fr); } #lines .text { grid-column: 1 / -1; } }
`;
