/** Normalises the language codes of pages, records and archives to BCP 47 tags. */

/** Matches language, extended language, script, region, and the rest (RFC 5646, section 2.1). */
const TAG = /^([a-z]{2,3})((?:-[a-z]{3}){0,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?((?:-[a-z0-9]{1,8})*)$/;

/** Codes that name no language: undetermined, no linguistic content, multiple, uncoded; and UTF-8, which some pages state. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis", "utf"]);

/** Country codes and withdrawn language codes, with the language that pages mean by them. */
const MEANT: Readonly<Record<string, string>> = {
  cn: "zh",
  cz: "cs",
  dk: "da",
  gb: "en",
  gr: "el",
  in: "id",
  iw: "he",
  ji: "yi",
  jp: "ja",
  jw: "jv",
  kr: "ko",
  mo: "ro",
  ua: "uk",
  us: "en",
  vn: "vi",
};

/** The prefix of fastText's labels. */
const LABEL_MARK = /^\s*__label__/;

/**
 * Normalises a language code: `EN_us` becomes `en-US`. A three-letter code becomes the two-letter code if there is one:
 * `eng_Latn` becomes `en`. Only the first entry of a list counts. Undefined for text that is not a language tag.
 */
export function normaliseLang(value: string): string | undefined {
  const [first = ""] = value.slice(0, 200).replace(LABEL_MARK, "").split(/[,;]/);
  const match = TAG.exec(first.trim().replaceAll("_", "-").replace(/\..*$/, "").toLowerCase());
  if (match === null) return undefined;
  const [, code = "", extended = "", script = "", region = "", rest = ""] = match;
  if (NO_LANGUAGE.has(code)) return undefined;
  const language = code.length === 3 ? new Intl.Locale(code).language : (MEANT[code] ?? code);
  // "zh-cmn-Hans" is Mandarin in three parts.
  const variety = extended === "-cmn" ? "" : extended;
  const named = `${script.charAt(0).toUpperCase()}${script.slice(1)}`;
  // Corpora write the script after each three-letter code, even if the language is hardly ever written in another one.
  const isUsual = language !== code && new Intl.Locale(language).maximize().script === named;
  const scriptPart = script === "" || isUsual ? "" : `-${named}`;
  const regionPart = region === "" ? "" : `-${region.toUpperCase()}`;
  return `${language}${variety}${scriptPart}${regionPart}${rest}`;
}

/**
 * The language code without region, for statistics: "pt" for "pt-BR". Text that is not a tag counts as "unknown", so
 * that pages cannot add endless rows.
 */
export function nameLanguage(lang = ""): string {
  return /^[a-z]{2,3}(?=$|[-_])/.exec(lang.toLowerCase())?.[0] ?? "unknown";
}
