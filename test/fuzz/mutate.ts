/** Damages good pages as disks, careless hands, lying servers and attackers do. */
import { readdirSync, readFileSync } from "node:fs";
import type { Random } from "../../src/random.js";
import { noise, pick, upTo } from "./random.js";

/** The input of a reader of pages. */
export interface Mutant {
  readonly bytes: Buffer;
  readonly contentType?: string;
  /** The names of the changes, in order. */
  readonly changes: readonly string[];
}

/** Reads every page of the fixtures, and every poison that is not an archive. */
export function readSeeds(): Buffer[] {
  const pages = readdirSync("fixtures/pages").map((slug) => `fixtures/pages/${slug}/source.html`);
  const poison = readdirSync("fixtures/poison").filter((file) => /\.(?:html|txt|jsonl)$/.test(file));
  return [...pages, ...poison.map((file) => `fixtures/poison/${file}`)].map((file) => readFileSync(file));
}

const TAGS =
  "p div b a i em span ul ol li table tr td th tbody caption pre br hr h1 h2 button ruby rt rp rb section article font script style textarea select option center dl dt dd img form svg math mi title iframe noscript template details summary html head body foreignObject annotation-xml nobr plaintext frameset dialog marquee xmp listing".split(
    " ",
  );
const ATTRIBUTES = [
  "",
  " hidden",
  ' style="display:none"',
  ' style="visibility:hidden"',
  ' style="display:block"',
  ' href="/x?a=1&amp;b"',
  ' class="a b"',
  " id=x",
  ' itemprop="articleBody"',
  ' role="button"',
  " =\"'",
  ' title="a>b',
  " /",
];
const PIECES = [
  "<!--",
  "-->",
  "--!>",
  "<!-->",
  "<![CDATA[",
  "]]>",
  "<!doctype html>",
  "</",
  "</ >",
  "</p>",
  "</body></html>",
  "<?xml ?>",
  "<",
  "<<<<",
  ">",
  "&",
  '"',
  "\0",
  "\r",
  "\r\n",
  "\f",
  "\t",
  "\u00ad",
  "\u200b",
  "\u2028",
  "\ufeff",
  "\ufffe",
  "\ud83d\ude00",
  "e\u0301",
  "\u200f",
  "漢字",
  "() [a](b) *c* _d_ `e` # 1. - > | \\",
  "]]&gt;",
  "<a href='x'>y</a><a href='x'>z</a>",
  "<pre>\n\n a\n\n\nb </pre>",
  "<table><tr><td>1<td>2<tr><td>3</table>",
  "<script>'</script>",
  "WARC/1.0\r\n\r\n",
];
const REFERENCES = [
  "&amp;",
  "&nbsp;",
  "&shy;",
  "&lt;p&gt;",
  "&#0;",
  "&#x0d;",
  "&#10;",
  "&#9;",
  "&#128;",
  "&#150;",
  "&#xd800;",
  "&#xdfff;",
  "&#x110000;",
  "&#99999999999;",
  "&#xfffe;",
  "&#x1F600;",
  "&notit;",
  "&copy",
  "&NotEqualTilde;",
  "&unknown;",
  "&#;",
  "&#x;",
  "&ThickSpace;",
  "&zwj;",
  "&#x2028;",
  "&#8203;",
];
const CHARSETS =
  "utf-8 utf-16 utf-16le utf-16be windows-1252 iso-8859-1 iso-8859-8 koi8-r shift_jis gbk gb18030 big5 euc-jp euc-kr iso-2022-jp windows-874 x-user-defined replacement hz-gb-2312 utf-7 utf-32 nonsense".split(
    " ",
  );

const tag = (random: Random): string => {
  const name = pick(random, TAGS);
  const kind = upTo(random, 3);
  if (kind === 0) return `</${name}>`;
  return `<${kind === 1 ? name : name.toUpperCase()}${pick(random, ATTRIBUTES)}>`;
};
const soup = (random: Random): string =>
  Array.from({ length: 1 + upTo(random, 30) }, () => {
    const kind = upTo(random, 4);
    if (kind === 0) return `w${upTo(random, 999)}`;
    return kind === 1 ? pick(random, PIECES) : tag(random);
  }).join("");

/** Returns a position, and one shortly after it. */
function stretch(bytes: Buffer, random: Random): readonly [number, number] {
  const from = upTo(random, bytes.length + 1);
  return [from, Math.min(bytes.length, from + upTo(random, pick(random, [2, 20, 200, 5000])))];
}

function insert(bytes: Buffer, random: Random, what: string | Buffer): Buffer {
  const at = upTo(random, bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), Buffer.from(what), bytes.subarray(at)]);
}

type Change = (bytes: Buffer, random: Random, seeds: readonly Buffer[]) => Buffer;

/** Each insertion has at most this number of levels; a few of them on one page exceed the caps of parsers. */
const MAX_NESTING = 700;

const CHANGES = {
  flip(bytes, random) {
    const copy = Buffer.from(bytes);
    for (let count = 1 + upTo(random, 8); count > 0 && copy.length > 0; count -= 1) {
      const at = upTo(random, copy.length);
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << upTo(random, 8)), at);
    }
    return copy;
  },
  cut: (bytes, random) => bytes.subarray(0, upTo(random, bytes.length + 1)),
  behead: (bytes, random) => bytes.subarray(upTo(random, bytes.length + 1)),
  drop(bytes, random) {
    const [from, to] = stretch(bytes, random);
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
  },
  double(bytes, random) {
    const [from, to] = stretch(bytes, random);
    return insert(bytes, random, bytes.subarray(from, to));
  },
  zero(bytes, random) {
    const [from, to] = stretch(bytes, random);
    return Buffer.from(bytes).fill(0, from, to);
  },
  noise: (bytes, random) => insert(bytes, random, noise(random, 1 + upTo(random, 40))),
  splice(bytes, random, seeds) {
    const other = pick(random, seeds);
    const from = upTo(random, other.length);
    return Buffer.concat([bytes.subarray(0, upTo(random, bytes.length + 1)), other.subarray(from)]);
  },
  soup: (bytes, random) => insert(bytes, random, soup(random)),
  tag: (bytes, random) => insert(bytes, random, tag(random)),
  reference: (bytes, random) => insert(bytes, random, pick(random, REFERENCES)),
  nesting(bytes, random) {
    const [one, other] = [tag(random), tag(random)];
    return insert(bytes, random, `${one}${other}`.repeat(1 + upTo(random, MAX_NESTING)));
  },
  run: (bytes, random) => insert(bytes, random, pick(random, PIECES).repeat(1 + upTo(random, 300))),
  unquote: (bytes, random) => replaceSome(bytes, random, /["'>]/g, ""),
  close: (bytes, random) => replaceSome(bytes, random, /<\/[a-z0-9]+>/gi, ""),
  hide: (bytes, random) => replaceSome(bytes, random, /<(?:div|p|body|ul|table)\b/gi, "$& hidden"),
  rename: (bytes, random) => replaceSome(bytes, random, /<[a-z0-9]+/gi, `<${pick(random, TAGS)}`),
  charset(bytes, random) {
    const lie = `<meta charset="${pick(random, CHARSETS)}">`;
    return Buffer.from(bytes.toString("latin1").replace(/<meta[^>]*charset[^>]*>|^/i, lie), "latin1");
  },
  wide: (bytes, random) => {
    const wide = Buffer.from(bytes.toString("utf8"), "utf16le");
    return upTo(random, 2) === 0 ? wide : Buffer.concat([Buffer.from([0xff, 0xfe]), wide]);
  },
} satisfies Readonly<Record<string, Change>>;

/** Picks about one position in eight. */
function replaceSome(bytes: Buffer, random: Random, pattern: RegExp, by: string): Buffer {
  const text = bytes.toString("latin1");
  return Buffer.from(
    text.replace(pattern, (found) => (upTo(random, 8) === 0 ? found.replace(pattern, by) : found)),
    "latin1",
  );
}

const MOST_CHANGES = 4;
/** This limits the size, since mutants of mutants would grow. */
const MAX_BYTES = 60_000;

export function mutatePage(seeds: readonly Buffer[], random: Random): Mutant {
  let bytes = pick(random, seeds);
  const changes: string[] = [];
  for (let count = 1 + upTo(random, MOST_CHANGES); count > 0; count -= 1) {
    const [name, change] = pick(random, Object.entries<Change>(CHANGES));
    bytes = change(bytes, random, seeds).subarray(0, MAX_BYTES);
    changes.push(name);
  }
  const isTold = upTo(random, 4) === 0;
  return {
    bytes: Buffer.from(bytes),
    changes,
    ...(isTold ? { contentType: `text/html; charset=${pick(random, CHARSETS)}` } : {}),
  };
}
