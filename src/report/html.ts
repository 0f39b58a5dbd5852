/** Builds the HTML of reports, escapes everything from a corpus, and lets pages run no scripts and fetch nothing. */

/** Markup whose inserted text is already escaped. */
export interface Markup {
  readonly html: string;
}

type Part = string | number | Markup | readonly Markup[];

/** A template tag that escapes text and inserts markup unchanged. */
export function html(parts: TemplateStringsArray, ...values: readonly Part[]): Markup {
  let built = parts[0] ?? "";
  for (const [at, value] of values.entries()) built += `${format(value)}${parts[at + 1] ?? ""}`;
  return { html: built };
}

function format(value: Part): string {
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return "html" in value ? value.html : value.map((one) => one.html).join("");
}

/** Control characters except tabs and line feeds, which HTML does not allow. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

/** Lone surrogates, which UTF-8 cannot encode. */
const LONE = /\p{Surrogate}/gu;

function escapeText(text: string): string {
  return text
    .replace(LONE, "\ufffd")
    .replace(CONTROLS, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}

export interface Column {
  readonly name: string;
  /** Numbers are aligned right, texts left. */
  readonly isNumber?: true;
}

export function table(columns: readonly Column[], rows: readonly (readonly Part[])[]): Markup {
  const kind = (at: number): string => (columns[at]?.isNumber === true ? "number" : "text");
  return html`<div class="wide">
    <table>
      <thead>
        <tr>
          ${columns.map(({ name }, at) => html`<th scope="col" class="${kind(at)}">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${row.map((cell, at) => html`<td class="${kind(at)}">${cell}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Draws a bar for a share from 0 to 1; `says` is its label for screen readers. */
export function bar(share: number, says: string): Markup {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10;
  return html`<span class="bar" role="img" aria-label="${says}"><span style="width:${width}%"></span></span>`;
}

/** Formats a share as "12.3 %"; "–" if `whole` is 0. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`;
}

const STYLE = `
:root { color-scheme: light dark; --kept: #2f7d4f; --dropped: #b5483a; --line: #8886; }
body { font: 1rem/1.45 system-ui, sans-serif; max-width: 64rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; font-variant-numeric: tabular-nums; } .text { text-align: left; overflow-wrap: anywhere; min-width: 7rem; }
td:has(> .bar) { white-space: nowrap; }
.bar { display: inline-block; width: 10rem; height: .8rem; background: #8883; }
.bar > span { display: block; height: 100%; background: var(--kept); }
.kept::before { content: "+ "; color: var(--kept); font-weight: bold; }
.dropped::before { content: "− "; color: var(--dropped); font-weight: bold; }
.lines { list-style: none; padding: 0; } .lines li { margin: .3rem 0; overflow-wrap: anywhere; } .line { white-space: pre-wrap; }
.score { font-variant-numeric: tabular-nums; opacity: .8; } .note { opacity: .8; }
summary { cursor: pointer; }`;

/** Returns a whole page, whose policy tells the browser to run no scripts and fetch no addresses. */
export function page(title: string, body: readonly Markup[]): string {
  const style: Markup = { html: STYLE };
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <h1>${title}</h1>
        ${body}
      </body>
    </html> `.html;
}
