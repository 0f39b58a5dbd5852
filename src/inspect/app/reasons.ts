/** Shows what counted most for the score of the selected line, while its section of the page is open. */
import { ask } from "./ask.js";
import { make, part, tell } from "./parts.js";
import type { Reasons } from "./wire.js";

export interface ReasonsView {
  /** Sends the request when the selection rests. */
  show(key: string, line: number): void;
  toggle(): void;
}

const RESTING_MS = 200;

export function createReasonsView(): ReasonsView {
  const details = part<HTMLDetailsElement>("why");
  const box = details.querySelector("div");
  let now: { readonly key: string; readonly line: number } | undefined;
  let resting: ReturnType<typeof setTimeout> | undefined;
  const load = async (): Promise<void> => {
    const asked = now;
    if (asked === undefined || !details.open) return;
    const reasons = await ask<Reasons>("/api/why", { key: asked.key, line: String(asked.line) });
    if (asked === now) box?.replaceChildren(...describe(reasons, asked.line));
  };
  details.addEventListener("toggle", () => {
    tell(load());
  });
  return {
    show(key, line) {
      now = { key, line };
      clearTimeout(resting);
      if (!details.open) return;
      resting = setTimeout(() => {
        tell(load());
      }, RESTING_MS);
    },
    toggle() {
      details.open = !details.open;
    },
  };
}

function describe({ score, effects, unknown }: Reasons, line: number): HTMLElement[] {
  if (unknown !== undefined) return [make("p", `Line ${line + 1}: this is unknown, because ${unknown}.`)];
  const about = `Line ${line + 1}: the network gives it ${score?.toFixed(3) ?? "no score"}. What changed the score, and the score if the line were average in this respect:`;
  if (effects.length === 0) return [make("p", `${about} nothing alone.`)];
  return [
    make("p", about),
    make(
      "ul",
      effects.map(({ name, by, without }) =>
        make("li", `${by > 0 ? "raised" : "lowered"} by ${name}: ${without.toFixed(3)} without`),
      ),
    ),
  ];
}
