/** A URL with a session id into the URL without it: the same page, which every visit would find under another name. */

/** Names of parameters that carry one. */
const NAMES =
  /^(?:(?:php|j|asp|cf)?sess(?:ion)?[-_]?(?:id)?|aspsessionid\w*|sid|zenid|oscsid|xtcsid|cfid|cftoken|s_id|session_?key)$/i;
/** Long, of digits and letters: numbers of topics and words are none. */
const VALUE = /^(?=.{16})(?=\D*\d)(?=[^a-z]*[a-z])[\w.!,-]+$/i;
/** What vBulletin calls its own. */
const SHORT_NAME = /^s=[0-9a-f]{32}$/i;
const IN_PATH = /;(?:jsessionid|phpsessid|sid)=[\w.!-]{8,}/gi;
/** As ASP.NET writes it for visitors without cookies. */
const ASP_NET = /\/\((?:[A-Z]\([\w-]{10,}\))+\)(?:\/|$)/gi;

/** `url` is in its canonical form, and so is the result; it is the same where there is nothing to leave out. */
export function withoutSession(url: string): string {
  const at = url.indexOf("?");
  const path = (at === -1 ? url : url.slice(0, at)).replace(IN_PATH, "").replace(ASP_NET, "/");
  if (at === -1) return path;
  const params = url.slice(at + 1).split("&");
  const kept = params.filter((param) => !isSession(param));
  return kept.length === 0 ? path : `${path}?${kept.join("&")}`;
}

function isSession(param: string): boolean {
  const at = param.indexOf("=");
  if (at === -1) return false;
  return SHORT_NAME.test(param) || (NAMES.test(param.slice(0, at)) && VALUE.test(param.slice(at + 1)));
}
