import { describe, expect, it } from "vitest";
import { createPageExtractor } from "../../src/extract/body.js";
import { openSelection } from "../../src/extract/selection.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import { UsageError } from "../../src/outcome.js";
import { createPipeline } from "../../src/pipeline.js";
import { createThresher } from "../../src/thresher.js";
import { expectLinear } from "../growth.js";

const PAGE =
  "<title>T</title><nav>menu</nav><main><h1>Head</h1><p data-a=1>one<p class=b>two</main><footer>end</footer>";

function textsOf(keep: readonly string[], remove: readonly string[]): readonly string[] {
  const page = parseQuickly({ id: "page", url: "", html: PAGE, keeps: "all" });
  openSelection({ keep, remove })(page);
  const outcome = createPageExtractor().extract(page);
  return outcome.ok ? outcome.value.lines.map(({ text }) => text) : [outcome.reason];
}

describe("the options keep and remove", () => {
  it("select everything by default, and otherwise the parts that are kept and not removed", () => {
    expect(textsOf([], [])).toEqual(["menu", "Head", "one", "two", "end"]);
    expect(textsOf(["main"], [])).toEqual(["Head", "one", "two"]);
    expect(textsOf(["main > p", "footer"], [".b"])).toEqual(["one", "end"]);
    expect(textsOf([], ["nav, footer", "p:has(+ .b)", "[data-a='2']"])).toEqual(["Head", "two"]);
    expect(textsOf(["aside"], [])).toEqual(["no-lines"]);
  });

  it.each([{ keep: ["aside"] }, { remove: ["main", "nav", "footer"] }])(
    "are named if they leave no text: %j",
    async (selectors) => {
      const thresher = await createThresher(selectors);
      const outcome = await thresher.clean({ html: PAGE });
      await thresher.close();
      expect(outcome).toMatchObject({ reason: "no-lines", detail: `after --${Object.keys(selectors)[0]}` });
    },
  );

  it("report a wrong selector before any page is read", async () => {
    await expect(createPipeline({ keep: ["p:has("] })).rejects.toThrow(UsageError);
    await expect(createPipeline({ remove: [""] })).rejects.toThrow(
      "remove must be an array of CSS selectors",
    );
    for (const name of ["keep", "remove"])
      await expect(createPipeline({ [name]: ["p["] })).rejects.toThrow(
        new RegExp(String.raw`^"p\[" \(${name}\) is not a CSS selector: .*found its end$`),
      );
  });

  it("takes an element with more children than a call takes arguments", async () => {
    await expectLinear(
      150_000,
      (size) => parseQuickly({ id: "page", url: "", html: "<p>x</p><i>y</i>".repeat(size), keeps: "all" }),
      (page) => {
        openSelection({ keep: ["p", "i"], remove: ["p"] })(page);
      },
    );
  });
});
