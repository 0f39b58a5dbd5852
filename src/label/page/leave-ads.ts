/**
 * Drops the word above an advertisement ("Advertisement", "Anzeige", "Story continues below advertisement").
 *
 * To the network the word looks like a short line of the article in which the advertisement was. Of 2,300 pages with gold
 * labels that may be used for development, 23 have 47 of these lines that the cut keeps: two are main content, on two pages
 * of a forum whose gold has all that is inside of a post. As an item, a heading or a cell, the word may be the name of a
 * topic, so it stays there.
 */
import type { LabelledLine } from "../../document.js";
import { overrule } from "../label-line.js";
import { isKeptText } from "./elements-of-lines.js";

const WORDS =
  "ads?|advert|advertise?ments?|advertising|anzeigen?|werbung|publicité|publicidade?|pubblicità|publicitate|advertentie|" +
  "annons|annonse|mainos|reklam[ae]?|hirdetés|реклама|διαφήμιση|広告|广告|廣告|광고|إعلان|تبلیغات|iklan|quảng cáo";
const GOES_ON = "(?:story|article|post) continues (?:below|after)(?: th(?:is|e))? ad(?:vertisement)?";
/** What may be behind the word. */
const SCROLL = "[^\\p{L}\\p{N}]+(?:scroll|continue|story|article)[\\p{L} ]*";
const AD = new RegExp(`^[^\\p{L}\\p{N}]*(?:(?:${WORDS})(?:${SCROLL})?|${GOES_ON})[^\\p{L}\\p{N}]*$`, "iu");
/** In characters. */
const LONGEST = 60;
/** The share of these lines that is main content: 2 of 47. */
const SCORE = 0.043;

/** Takes lines that are not blank, and returns the same lines, some of them now boilerplate. */
export function leaveAds(shown: readonly LabelledLine[], cut: number): readonly LabelledLine[] {
  if (cut <= SCORE || !shown.some(isAd)) return shown;
  return shown.map((line) =>
    isAd(line) ? overrule(line, { score: SCORE, label: "boilerplate", why: "label-of-ad" }) : line,
  );
}

function isAd(line: LabelledLine): boolean {
  const { text, block, why } = line;
  return (
    text.length <= LONGEST &&
    (block === "p" || block === "div") &&
    why === undefined &&
    isKeptText(line) &&
    AD.test(text)
  );
}
