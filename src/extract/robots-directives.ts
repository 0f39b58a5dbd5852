/** Reads what a page or its HTTP response asks of robots: not to index it, not to follow its links. */

export interface RobotsDirectives {
  readonly noindex: boolean;
  readonly nofollow: boolean;
}

/** Values of X-Robots-Tag, or contents of `<meta>`, that are read, and characters of each. */
const MAX_VALUES = 20;
const MAX_VALUE = 2000;
/** Directives that have a value after a colon; any other name before a colon is that of a robot. */
const VALUED: ReadonlySet<string> = new Set([
  "unavailable_after",
  "max-snippet",
  "max-image-preview",
  "max-video-preview",
]);

/**
 * Reads the values of all X-Robots-Tag headers of a response. A value may begin with the name of the robot that it is
 * meant for; `agent` is ours, a product token in either case.
 */
export function readRobotsTag(values: readonly string[], agent: string): RobotsDirectives {
  const found: string[] = [];
  for (const value of values.slice(0, MAX_VALUES)) {
    let isOurs = true;
    for (const part of value.slice(0, MAX_VALUE).split(",")) {
      const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/s.exec(part) ?? [];
      const isNamed = name !== undefined && !VALUED.has(name.toLowerCase());
      if (isNamed) isOurs = name.toLowerCase() === agent.toLowerCase();
      if (isOurs) found.push((isNamed ? rest : part) ?? "");
    }
  }
  return toDirectives(found);
}

/** Reads the contents of `<meta name=robots>`, and of the `<meta>` elements that name our robot. */
export function readRobotsMeta(contents: readonly string[]): RobotsDirectives {
  return toDirectives(
    contents.slice(0, MAX_VALUES).flatMap((content) => content.slice(0, MAX_VALUE).split(/[,;\s]+/)),
  );
}

function toDirectives(words: readonly string[]): RobotsDirectives {
  const said = new Set(words.map((word) => word.trim().toLowerCase()));
  const isNone = said.has("none");
  return { noindex: isNone || said.has("noindex"), nofollow: isNone || said.has("nofollow") };
}
