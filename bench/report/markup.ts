/** Escapes the values in HTML templates, unless they are HTML already. */

export class Html {
  constructor(readonly markup: string) {}
}

export type HtmlValue = Html | string | number | undefined | false | readonly HtmlValue[];

/** A template tag. `undefined` and `false` write nothing; a list writes its items in order. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings.raw }, ...values.map(toMarkup)));
}

function toMarkup(value: HtmlValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.markup;
  if (typeof value === "object") return value.map(toMarkup).join("");
  return escapeHtml(String(value));
}

/**
 * Escapes a text for HTML text and quoted attributes. Characters that are invalid in HTML or change the text direction
 * become �.
 */
export function escapeHtml(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu, (character) =>
      /[\t\n]/u.test(character) ? character : "�",
    )
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/'/g, "&#39;");
}
