/** Finds the address of an image, even if a script loads it late, and its alternative text. */
import { cutAfter } from "../../../cut-after.js";
import type { ElementNode, TreeNode } from "../../../document/tree.js";
import { classOf } from "../../bounded-attributes.js";
import type { Meaning } from "../spans.js";

/** The largest length of an alternative text, and of an address, in characters. */
const MAX_ALT = 1_000;
const MAX_SRC = 8_192;
/** Images with a smaller width or height, in pixels, are layout marks or tracking pixels. */
const MIN_PIXELS = 33;

/** Attributes with the address of an image; those of lazy-loading scripts come first. */
const SOURCES = [
  ...["data-src", "data-original", "data-lazy-src", "data-lazyload", "data-lazy", "data-echo"],
  ...["data-flickity-lazyload", "data-original-src", "src"],
] as const;
const SETS = ["data-srcset", "data-lazy-srcset", "srcset"] as const;
/**
 * Attributes that may hold other values as well, and are read only if no other attribute has an address: of Ezoic,
 * RapidLoad, Cloudflare, PageSpeed, Layzr, Discuz, and of publishers with many sites.
 */
const LAST = [
  ...["data-ezsrc", "data-rp-src", "data-cfsrc", "data-pagespeed-lazy-src", "data-layzr", "data-cp-src"],
  ...["data-delayed-url", "data-img-url", "data-img-src", "data-image-src", "zoomfile"],
] as const;

/** File names of placeholders and spacers: `spacer.gif`, `placeholder-300x200.png`. */
const PLACEHOLDERS = [
  /^(?:[a-z0-9]{1,8}[-_])?(?:blank|spacer?|clear(?:dot|pixel)?|transp(?:arent)?|trans|(?:pix(?:el)?|pxl)(?:[-_]trans)?|shim|1x1|1px|dot|empty|nothing|x|lazy(?:[-_]?load)?|loading|loader|spinner)(?:[-_.](?:\d{1,4}(?:x\d{1,4})?|[0-9a-f]{8,}))*\.gif$/i,
  /^(?:[a-z0-9]{1,8}[-_])?(?:blank|spacer|placeholder|transparent|1x1|lazy(?:[-_]?load)?|loading)(?:[-_.](?:\d{1,4}(?:x\d{1,4})?|[0-9a-f]{8,}))*\.(?:png|svg|webp)$/i,
  /^none\.gif$/i,
  /^(?:placeholder|blank)(?:[-_.]\d{1,4}(?:x\d{1,4})?)?\.jpe?g$/i,
  // The icon of a site, beside a link to it.
  /\.ico$/i,
];
/** Medium's addresses of images of a few pixels, which it draws blurred until a script loads the large ones. */
const BLURRED = /\/max\/\d\d\/[^/?]+\?q=20$/;
/** The start of Wix's addresses of images of a few pixels, which is the address of the image as it was uploaded. */
const WIX_BLURRED =
  /^(https:\/\/static\.wixstatic\.com\/media\/[^/]{1,200})\/v1\/[a-z]{1,9}\/[^/]{0,200},blur_\d/;
/** What the script of lazysizes, in themes of Shopify, fills with a number of pixels, and a number that fits a page. */
const WIDTH = "{width}";
const PAGE_WIDTH = "1080";
/** The largest length of a placeholder's file name. */
const MAX_NAME = 60;

/** Class names of images for dark pages, which have a twin for light ones: of Tailwind, Docusaurus and Sphinx. */
const DARK =
  /(?:^|\s)(?:(?:\w+:)?hidden(?=\s)(?:.*\s)?(?:\w+:)?dark:(?:block|inline|flex)|themed(?:Component|Image)--dark|only-dark)(?![\p{L}\p{N}-])/u;
/** Ends of addresses of such images: of Material for MkDocs and GitHub. */
const DARK_END = /#(?:only-dark|gh-dark-mode-only)$/;

/** Reads the address and the alternative text; undefined for images that are small, without address, or for dark pages. */
export function readImage(image: ElementNode): Meaning | undefined {
  const { attributes } = image;
  const isSmall = (name: string): boolean => isLessThan(MIN_PIXELS, attributes.get(name));
  if (isSmall("width") || isSmall("height") || DARK.test(classOf(image))) return undefined;
  const src = findAddress(image, SOURCES) ?? findLargest(image) ?? findAddress(image, LAST);
  if (src === undefined || DARK_END.test(src)) return undefined;
  const alt = oneLine(attributes.get("alt"));
  return { kind: "image", src: WIX_BLURRED.exec(src)?.[1] ?? src.replace(WIDTH, PAGE_WIDTH), alt };
}

/** Whether an image is one pixel or less in both directions, and leaves no gap in the text. */
export function isPixel({ attributes }: ElementNode): boolean {
  return isLessThan(2, attributes.get("width")) && isLessThan(2, attributes.get("height"));
}

function isLessThan(most: number, pixels: string | undefined): boolean {
  return pixels !== undefined && /^\s*\d+(?:px)?\s*$/.test(pixels) && Number.parseInt(pixels, 10) < most;
}

/** The text of an attribute on one line, cut to the longest that is kept. */
export function oneLine(value = ""): string {
  return cutAfter(value, MAX_ALT).replace(/\s+/g, " ").trim();
}

/** The first of these attributes that has the address of an image, and not that of a placeholder. */
export function findAddress({ attributes }: ElementNode, names: readonly string[]): string | undefined {
  return names.map((name) => attributes.get(name)?.trim() ?? "").find(isShown);
}

function isShown(src: string): boolean {
  return isAddress(src) && !isPlaceholder(src);
}

/** Whether an address is that of a placeholder image. */
export function isPlaceholder(src: string): boolean {
  // ShortPixel shows the first image until it knows the width of the window; the others load nothing.
  if (src.includes("/spai/ret_blank") || src.startsWith("//:0") || src.startsWith("#")) return true;
  if (BLURRED.test(src)) return true;
  const path = /^[^?#]*/.exec(src)?.[0] ?? src;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return name.length <= MAX_NAME && PLACEHOLDERS.some((pattern) => pattern.test(name));
}

/** The largest image of a `srcset`: of the image itself, or of the `source` elements beside it in a `picture`. */
function findLargest({ attributes, parent }: ElementNode): string | undefined {
  const sources = parent?.tag === "picture" ? parent.children.filter(isSource) : [];
  const sets = [attributes, ...sources.map((source) => source.attributes)].flatMap((of) =>
    SETS.map((name) => of.get(name) ?? ""),
  );
  return sets.map(readSet).find((largest) => largest !== undefined);
}

function isSource(node: TreeNode): node is ElementNode {
  return node.kind === "element" && node.tag === "source";
}

/** An address and its descriptor. An address may hold commas; at its end they separate it from the next one. */
const CANDIDATE = /[\s,]*(?=[^\s,])(\S*[^\s,])(?:,+|\s+([^,]*)|$)/gy;

/** Parses `a.jpg 300w, b.jpg 2x` (HTML, 4.8.4.2.1). */
function readSet(set: string): string | undefined {
  let largest: { readonly src: string; readonly size: number } | undefined;
  for (const [, src = "", descriptor = ""] of set.slice(0, MAX_SRC).matchAll(CANDIDATE)) {
    const size = Number.parseFloat(descriptor) || 1;
    if (isShown(src) && (largest === undefined || size > largest.size)) largest = { src, size };
  }
  return largest?.src;
}

/** Whether an address is relative, http or https: not one that runs a script or holds the image itself (`data:`). */
export function isAddress(src: string): boolean {
  if (src === "" || src.length > MAX_SRC) return false;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(src)?.[1]?.toLowerCase();
  return scheme === undefined || scheme === "http" || scheme === "https";
}
