/** Rows of features into rows of what text alone can say, so that lines look alike wherever they come from. */
import { FEATURES, FEATURE_COUNT, type Evidence } from "./table.js";

const OF_TEXT: ReadonlySet<Evidence> = new Set<Evidence>(["text", "place"]);

/** The features that are left; the others are 0. */
export const TEXT_FEATURES = FEATURES.filter(({ needs }) => OF_TEXT.has(needs)).map(({ name }) => name);

const HIDDEN_COLUMNS = FEATURES.flatMap(({ needs }, column) => (OF_TEXT.has(needs) ? [] : [column]));

/** Changes the rows that it gets. */
export function hideMarkup(rows: Float32Array): void {
  for (let base = 0; base < rows.length; base += FEATURE_COUNT)
    for (const column of HIDDEN_COLUMNS) rows[base + column] = 0;
}
