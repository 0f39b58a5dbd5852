/** Derives from the order of changes what an annotator can undo or redo, because the journal does not record it. */
import type { Change, History } from "../app/wire.js";

type Step = readonly Change[];

export interface Steps extends History {
  /** Adds a step. A step that undoes the last one, or redoes an undone one, is recognised by its changes. */
  add(step: Step): void;
}

/** Number of steps remembered for a document, and of lines in all of them. */
const MOST_STEPS = 200;
const MOST_LINES = 20_000;

export function createSteps(): Steps {
  const done: Step[] = [];
  const undone: Step[] = [];
  return {
    ...{ done, undone },
    add(step) {
      const back = step.map(({ line, was, mark }): Change => ({ line, was: mark, mark: was }));
      if (isSame(done.at(-1), back)) {
        done.pop();
        push(undone, step);
        return;
      }
      if (isSame(undone.at(-1), back)) undone.pop();
      else undone.length = 0;
      push(done, step);
    },
  };
}

function push(steps: Step[], step: Step): void {
  steps.push(step);
  let lines = steps.reduce((sum, one) => sum + one.length, 0);
  while (steps.length > MOST_STEPS || (lines > MOST_LINES && steps.length > 1))
    lines -= steps.shift()?.length ?? 0;
}

function isSame(one: Step | undefined, other: Step): boolean {
  return (
    one?.length === other.length &&
    one.every(({ line, was, mark }, at) => {
      const to = other[at];
      return to?.line === line && to.was === was && to.mark === mark;
    })
  );
}
