/** Shows how far annotators agree, and on which lines they do not. */
import { ask } from "./ask.js";
import { make, part } from "./parts.js";
import type { AgreementView } from "./wire.js";

export async function showAgreement(onOpen: (key: string, line: number) => void): Promise<void> {
  const { others } = await ask<AgreementView>("/api/agreement");
  const box = part("agreement").querySelector("div");
  if (others.length === 0) {
    box?.replaceChildren(
      make("p", "No other annotator has marked lines in this journal (thresher inspect … --annotator NAME)."),
    );
    return;
  }
  box?.replaceChildren(
    ...others.flatMap(({ name, documents, lines, words, kappaLines, kappaWords, disagreements }) => [
      make(
        "p",
        `${name}, in common: documents ${documents}, lines ${lines}, words ${words}. Cohen's κ per line ${show(kappaLines)}, per word ${show(kappaWords)}.`,
      ),
      make(
        "ul",
        disagreements.map(({ key, line, text, yours, theirs }) => {
          const button = make("button", `${yours}, not ${theirs}: ${text.slice(0, 80)}`, { type: "button" });
          button.addEventListener("click", () => {
            onOpen(key, line);
          });
          return make("li", [button]);
        }),
      ),
    ]),
  );
}

function show(kappa: number | null): string {
  return kappa === null ? "–" : kappa.toFixed(3);
}
