/** Asks which marks to keep if another window has marked the same lines differently. */
import { make, part, say } from "./parts.js";
import type { Conflict } from "./wire.js";

/** Number of conflicts that are listed. */
const MOST_SHOWN = 30;

/** Resolves to true if this window's marks are kept. */
export function askWhose(conflicts: readonly Conflict[]): Promise<boolean> {
  const dialog = part<HTMLDialogElement>("conflict");
  say("Another window has set different marks.");
  const items = conflicts
    .slice(0, MOST_SHOWN)
    .map(({ line, theirs, yours }) =>
      make("li", `Line ${line + 1}: ${yours ?? "no mark"} here, ${theirs ?? "no mark"} there`),
    );
  if (conflicts.length > MOST_SHOWN) items.push(make("li", `and ${conflicts.length - MOST_SHOWN} more`));
  dialog.querySelector("ul")?.replaceChildren(...items);
  dialog.showModal();
  return new Promise((resolve) => {
    const close = (isMine: boolean) => (): void => {
      dialog.close();
      resolve(isMine);
    };
    part("mine").onclick = close(true);
    part("theirs").onclick = close(false);
    dialog.oncancel = (event) => {
      event.preventDefault(); // one of the two must be chosen
    };
  });
}
