/** A language as pages write it into a BCP 47 tag. */

/** Language, extended language, script, region, and the rest (RFC 5646, section 2.1). */
const TAG = /^([a-z]{2,3})((?:-[a-z]{3}){0,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?((?:-[a-z0-9]{1,8})*)$/;

/** Not languages: undetermined, no linguistic content, several, uncoded. */
const NO_LANGUAGE: ReadonlySet<string> = new Set(["und", "zxx", "mul", "mis"]);

/** `EN_us` becomes `en-US`; undefined for what is no language tag. Of a list, the first counts. */
export function normaliseLang(value: string): string | undefined {
  const [first = ""] = value.slice(0, 200).split(/[,;]/);
  const match = TAG.exec(first.trim().replaceAll("_", "-").replace(/\..*$/, "").toLowerCase());
  if (match === null) return undefined;
  const [, language = "", extended = "", script = "", region = "", rest = ""] = match;
  if (NO_LANGUAGE.has(language)) return undefined;
  const scriptPart = script === "" ? "" : `-${script.charAt(0).toUpperCase()}${script.slice(1)}`;
  const regionPart = region === "" ? "" : `-${region.toUpperCase()}`;
  return `${language}${extended}${scriptPart}${regionPart}${rest}`;
}
