/** Detects URLs that look like crawler traps: some of the endlessly many that a server can make up. */
import { withoutSession } from "./url.js";

/** The parts of a URL that the rules check, parsed once. */
interface Parts {
  readonly url: string;
  /** The URL with letters in place of their escapes. */
  readonly readable: string;
  /** The path with escapes, and its segments in lower case, without empty ones at the end. */
  readonly path: string;
  readonly segments: readonly string[];
  readonly params: readonly (readonly [name: string, value: string])[];
  /** The current year. */
  readonly year: number;
}

interface TrapRule {
  readonly name: string;
  readonly test: (parts: Parts) => boolean;
  readonly why: string;
}

/*
 * The limits are far from what ordinary pages have: of the 413,000 links in the pages that the benchmark reads (4,473
 * of which have a URL), 1,647 carry a session id and 130 more are rejected, nearly all of them to advertising servers;
 * of the pages' own URLs only six are rejected, which have session ids.
 */
/** Characters, with an escaped letter counted as one, since long titles in other scripts are ordinary. */
const MAX_CHARACTERS = 2000;
const MAX_PATH_CHARACTERS = 600;
const MAX_SEGMENTS = 20;
const MAX_PARAMS = 30;
/** How often a query may have the same name, and the same name with the same value. */
const MAX_SAME_NAME = 12;
const MAX_SAME_PARAM = 2;
/** Years ahead up to which calendars are fetched. */
const YEARS_AHEAD = 2;
const EARLIEST_YEAR = 1700;
/**
 * How often in a row a segment (unless it is only a number) may occur, a sequence of several segments may occur, and
 * the most segments in a sequence.
 */
const REPEATS = 4;
const SEQUENCE_REPEATS = 3;
const MAX_SEQUENCE = 6;

const CALENDAR =
  /(?:^|[^a-z])(?:calend[ae]r|calendario|calendrier|kalender|kalenteri|agenda|events?|cal|eventos|termine|veranstaltungen|tapahtumat)(?![a-z])/i;
const DATE_NAMES =
  /^(?:(?:.*[-_])?(?:date|day|month|year|yr|mo|week|dt|datum|monat|jahr|tag|mes|ano|mois|annee|vuosi|kuukausi)|date\w*|cal\w*|ical\w*|tribe\w*)$/i;
/** The name of a file that a server runs or sends, not of a folder. */
const FILE = /\.(?:html?|php\d?|aspx?|jsp|cgi|cfm)$/i;

/** The first rule that matches decides. */
const RULES: readonly TrapRule[] = [
  {
    name: "too-long",
    test: ({ readable }) => readable.length > MAX_CHARACTERS,
    why: `the URL has more than ${MAX_CHARACTERS} characters`,
  },
  {
    name: "long-path",
    test: ({ path }) => decodedLength(path) > MAX_PATH_CHARACTERS,
    why: `the path has more than ${MAX_PATH_CHARACTERS} characters`,
  },
  {
    name: "deep-path",
    test: ({ segments }) => segments.length > MAX_SEGMENTS,
    why: `the path is more than ${MAX_SEGMENTS} folders deep`,
  },
  {
    name: "repeated-parts",
    test: ({ segments }) => hasRepeats(segments),
    why: "parts of the path repeat, as when relative links make it grow",
  },
  {
    name: "file-as-folder",
    test: ({ segments }) => hasFileTwice(segments),
    why: "a page is a folder in its own path, as when relative links make it grow",
  },
  {
    name: "session-id",
    test: ({ url }) => withoutSession(url) !== url,
    why: "a session id gives each visit another URL",
  },
  {
    name: "calendar",
    test: isFarDate,
    why: `a calendar, more than ${YEARS_AHEAD} years ahead or before ${EARLIEST_YEAR}`,
  },
  {
    name: "many-parameters",
    test: ({ params }) => params.length > MAX_PARAMS,
    why: `the query has more than ${MAX_PARAMS} parameters`,
  },
  {
    name: "same-parameters",
    test: ({ params }) => hasSameParams(params),
    why: "the query has the same parameter again and again",
  },
  {
    name: "nested-escapes",
    test: ({ readable }) => /%25(?:25){2}/.test(readable),
    why: "escapes of escapes of escapes, as in links that contain themselves",
  },
];

/** Returns why a canonical URL looks like a trap; undefined for an ordinary URL. */
export function looksLikeTrap(url: string, now: Date = new Date()): string | undefined {
  const { pathname, search } = new URL(url);
  const segments = pathname.toLowerCase().split("/").slice(1);
  while (segments.at(-1) === "") segments.pop();
  const parts: Parts = {
    url,
    readable: decode(url),
    path: pathname,
    segments,
    params: [...new URLSearchParams(search)],
    year: now.getUTCFullYear(),
  };
  return RULES.find(({ test }) => test(parts))?.why;
}

/** Decodes the escapes of letters beyond ASCII, and keeps those of other characters. */
function decode(text: string): string {
  return text.replace(/(?:%[89A-F][0-9A-F])+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch (error) {
      if (error instanceof URIError) return escapes;
      throw error;
    }
  });
}

function decodedLength(path: string): number {
  return decode(path).length;
}

/**
 * Whether segments repeat. Numbers do not count alone, since dates may repeat one (2011/11/11), nor do empty segments.
 */
function hasRepeats(segments: readonly string[]): boolean {
  for (let size = 1; size <= MAX_SEQUENCE; size += 1) {
    const repeats = size === 1 ? REPEATS : SEQUENCE_REPEATS;
    // Counts segments in a row that equal the one a sequence length before them.
    let same = 0;
    let isTelling = false;
    for (let at = size; at < segments.length; at += 1) {
      const segment = segments[at] ?? "";
      if (segment !== segments[at - size]) {
        same = 0;
        isTelling = false;
        continue;
      }
      same += 1;
      isTelling ||= /[^\d-]/.test(segment);
      if (isTelling && same >= size * (repeats - 1)) return true;
    }
  }
  return false;
}

function hasFileTwice(segments: readonly string[]): boolean {
  const files = segments.filter((segment) => FILE.test(segment));
  return new Set(files).size < files.length;
}

function hasSameParams(params: Parts["params"]): boolean {
  const names = new Map<string, number>();
  const pairs = new Map<string, number>();
  for (const [name, value] of params) {
    const times = (names.get(name) ?? 0) + 1;
    names.set(name, times);
    // Names of list parameters end with brackets.
    if (times > MAX_SAME_NAME && !name.endsWith("]")) return true;
    const pair = `${name}=${value}`;
    const same = (pairs.get(pair) ?? 0) + 1;
    pairs.set(pair, same);
    if (same > MAX_SAME_PARAM) return true;
  }
  return false;
}

/** Whether a calendar path or date parameters have a year too far away for events. */
function isFarDate({ path, segments, params, year }: Parts): boolean {
  const isFar = (text: string | undefined): boolean => {
    const stated = Number(text);
    return stated > year + YEARS_AHEAD || (stated > 0 && stated < EARLIEST_YEAR);
  };
  const isCalendar = CALENDAR.test(path);
  for (let at = 0; at < segments.length; at += 1) {
    const segment = segments[at] ?? "";
    const dated = /^(\d{4})-(?:0[1-9]|1[0-2])(?:-\d{2})?$/.exec(segment)?.[1];
    const next = segments[at + 1] ?? "";
    const split = /^\d{4}$/.test(segment) && /^(?:0?[1-9]|1[0-2])$/.test(next) ? segment : undefined;
    const stated = dated ?? split;
    if (stated !== undefined && isCalendar && isFar(stated)) return true;
  }
  const dates = params.filter(([name]) => DATE_NAMES.test(name));
  // A year alone may be a filter; with a month, or in a calendar, it means a calendar page.
  return dates.some(([, value]) => {
    const stated = /^(\d{4})-?(?:0[1-9]|1[0-2])(?:-?\d{2})?$/.exec(value)?.[1];
    if (stated !== undefined) return isFar(stated);
    return /^\d{4}$/.test(value) && (isCalendar || dates.length > 1) && isFar(value);
  });
}
