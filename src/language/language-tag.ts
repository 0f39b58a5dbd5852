/** Reads names of languages as pages, records and archives write them, and writes them as BCP 47 does. */

/** Language, extended language, script, region, and the rest (RFC 5646, section 2.1). */
const TAG = /^([a-z]{2,3})((?:-[a-z]{3}){0,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?((?:-[a-z0-9]{1,8})*)$/;

/** Not languages: undetermined, no linguistic content, several, uncoded. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis"]);

/** Codes of countries that are of no language, and what pages mean by them. */
const COUNTRIES: Readonly<Record<string, string>> = {
  cn: "zh",
  cz: "cs",
  dk: "da",
  gb: "en",
  gr: "el",
  jp: "ja",
  ua: "uk",
  us: "en",
  vn: "vi",
};

/** What fastText writes before each of its labels. */
const LABEL_MARK = /^\s*__label__/;

/**
 * `EN_us` becomes `en-US`, and the code of three letters the shorter one where there is one: `eng_Latn` becomes `en`.
 * Undefined for what is no language tag. Of a list, the first counts.
 */
export function normaliseLang(value: string): string | undefined {
  const [first = ""] = value.slice(0, 200).replace(LABEL_MARK, "").split(/[,;]/);
  const match = TAG.exec(first.trim().replaceAll("_", "-").replace(/\..*$/, "").toLowerCase());
  if (match === null) return undefined;
  const [, code = "", extended = "", script = "", region = "", rest = ""] = match;
  if (NO_LANGUAGE.has(code)) return undefined;
  const language = code.length === 3 ? new Intl.Locale(code).language : (COUNTRIES[code] ?? code);
  const named = `${script.charAt(0).toUpperCase()}${script.slice(1)}`;
  // Corpora write the script after each code of three letters, also where the language is hardly written in another.
  const isUsual = language !== code && new Intl.Locale(language).maximize().script === named;
  const scriptPart = script === "" || isUsual ? "" : `-${named}`;
  const regionPart = region === "" ? "" : `-${region.toUpperCase()}`;
  return `${language}${extended}${scriptPart}${regionPart}${rest}`;
}

/** "pt-BR" counts as "pt"; what is no tag at all is unknown, so that pages cannot add rows without end. */
export function nameLanguage(lang = ""): string {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(lang.toLowerCase())?.[0] ?? "unknown";
}
