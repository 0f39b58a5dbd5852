/** Text in pieces into its lines. */

/** By line feeds alone: what this program wrote as JSON may hold any other line end, which `readline` would part it at. */
export async function* readLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
