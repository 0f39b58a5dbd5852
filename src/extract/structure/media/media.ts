/** Reads videos and embedded frames: the poster image or the title, and the address. */
import type { ElementNode } from "../../../document/tree.js";
import { findAddress, oneLine } from "./image.js";
import type { Meaning } from "../spans.js";

const FRAME_SOURCES = ["data-src", "data-lazy-src", "src"] as const;

/**
 * Returns the poster as an image, or the title as an image without `src` that has a link. Undefined for videos that
 * start by themselves (moving backgrounds), frames without `allowfullscreen`, and media with neither a poster nor both
 * a title and an address.
 */
export function readMedia(element: ElementNode): Meaning | undefined {
  const { tag, attributes } = element;
  const isFrame = tag === "iframe";
  if (isFrame ? !attributes.has("allowfullscreen") : attributes.has("autoplay")) return undefined;
  const alt = oneLine(attributes.get("title"));
  const href = isFrame ? findAddress(element, FRAME_SOURCES) : findFilm(element);
  const poster = findAddress(element, ["poster"]);
  if (!isFrame && poster !== undefined)
    return { kind: "image", src: poster, alt, ...(href !== undefined && { href }) };
  return href === undefined || alt === "" ? undefined : { kind: "image", alt, href };
}

function findFilm(video: ElementNode): string | undefined {
  const [source] = video.children.filter((child) => child.kind === "element" && child.tag === "source");
  const own = findAddress(video, ["src"]);
  return own ?? (source?.kind === "element" ? findAddress(source, ["src"]) : undefined);
}
