/** Compares the marks of two annotators on the lines that both have marked. */
import { countWords } from "../../language/words.js";
import type { AgreementView, Mark } from "../app/wire.js";
import type { Catalog } from "../records/catalog.js";
import type { Entry } from "../records/entry.js";
import type { StoredDocument } from "../records/stored.js";
import { createAgreement, isContentMark } from "./agreement.js";
import type { Annotations } from "./annotations.js";

type Comparison = AgreementView["others"][number];

interface ComparisonTools {
  readonly catalog: Catalog;
  readonly annotations: Annotations;
  readonly stored: (entry: Entry) => Promise<StoredDocument>;
}

const SHOWN_DISAGREEMENTS = 200;

/** `annotator` makes the marks called "yours", `name` those called "theirs". Lists at most `SHOWN_DISAGREEMENTS`. */
export async function compareAnnotators(
  annotator: string,
  name: string,
  { catalog, annotations, stored }: ComparisonTools,
): Promise<Comparison> {
  const [lines, words] = [createAgreement(), createAgreement()];
  const disagreements: Comparison["disagreements"][number][] = [];
  let documents = 0;
  for (const key of annotations.keys) {
    const entry = catalog.get(key);
    if (entry === undefined) continue;
    const mine = annotations.marksOf(annotator, key, entry.digest);
    const theirs = annotations.marksOf(name, key, entry.digest);
    if (mine.size === 0 || theirs.size === 0) continue;
    documents += 1;
    const { document } = await stored(entry);
    for (const [line, yours] of mine) {
      const other = theirs.get(line);
      const pair = other === undefined ? undefined : toPair(yours, other);
      if (other === undefined || pair === undefined) continue;
      const text = document.lines[line]?.text ?? "";
      lines.add(...pair, 1);
      words.add(...pair, countWords(text));
      if (pair[0] !== pair[1] && disagreements.length < SHOWN_DISAGREEMENTS)
        disagreements.push({ key, line, text, yours, theirs: other });
    }
  }
  return {
    ...{ name, documents, lines: lines.weight, words: words.weight },
    ...{ kappaLines: lines.kappa(), kappaWords: words.kappa(), disagreements },
  };
}

/** Returns undefined if one of them was not sure. */
function toPair(one: Mark, other: Mark): readonly [boolean, boolean] | undefined {
  const [first, second] = [isContentMark(one), isContentMark(other)];
  return first === undefined || second === undefined ? undefined : [first, second];
}
