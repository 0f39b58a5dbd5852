import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  COMMENT_OWNERS,
  COMMENT_STEMS,
  COMMENT_WORDS,
  FORM_NAMES,
  FORM_PARTS,
  isCommentPath,
  NOT_COMMENTS,
  OTHER_PARTS,
} from "../../src/extract/comment-paths.js";
import { walkLines } from "../../src/extract/lines/walk.js";
import { INNER_STEPS, OUTER_STEPS } from "../../src/extract/lines/path.js";
import { parseQuickly } from "../../src/parse/quick-tree.js";
import type { Line } from "../../src/document.js";
import { openReader } from "../../src/core/read-page.js";
import { expectLinear } from "../growth.js";

const inside = (...steps: string[]): boolean => isCommentPath(["body.single", "main", ...steps].join(">"));

describe("the word lists", () => {
  const lists = {
    COMMENT_OWNERS,
    COMMENT_STEMS,
    COMMENT_WORDS,
    FORM_NAMES,
    FORM_PARTS,
    NOT_COMMENTS,
    OTHER_PARTS,
  };
  it.each(Object.entries(lists))(
    "%s holds whole lower-case words without accents, each once",
    (_name, list) => {
      expect(new Set(list).size).toBe(list.length);
      // Names are matched without their accents.
      for (const word of list) expect(word).toMatch(/^\p{L}+$/u);
      for (const word of list) expect(word).toBe(word.toLowerCase());
      for (const word of list)
        expect(word.normalize("NFD").replace(/\p{M}/gu, "").normalize("NFC")).toBe(word);
    },
  );

  it("excludes with NOT_COMMENTS only words that a stem would match", () => {
    for (const word of NOT_COMMENTS) expect(COMMENT_STEMS.some((stem) => word.startsWith(stem))).toBe(true);
  });
});

describe("isCommentPath", () => {
  it.each([
    "div#comments",
    "section#comments.comment-area",
    "ol.commentlist",
    "ol.CommentList",
    "div#comment-2201.comment.even",
    "div.b-comment__text",
    "div.comment-body",
    "div.comment_body",
    "div.usercomments",
    "div#disqus_thread",
    "div#dsq-comments",
    "div.leserkommentare",
    "section#kommentarer",
    "div.kommentit",
    "ul.commentaires",
    "div.comentarios",
    "div.comentários",
    "div.commenti",
    "div.komentarze",
    "div.komentáře",
    "div.комментарии",
    "div.σχόλια",
    "div.reacties",
    "div.评论",
    "div[itemprop=comment]",
    "article[itemprop=comment][itemtype=Comment]",
    "div[itemtype=UserComments]",
    "comment-list",
  ])("is true below %s", (step) => {
    expect(inside(step, "div", "p")).toBe(true);
    expect(inside(step)).toBe(true);
  });

  it.each([
    "p",
    "article.post",
    "p.no-comments",
    "div.comments-off",
    "div.comments-closed",
    "span.comment-count",
    "span.commentcount",
    "a.comments-link",
    "div.widget_recent_comments",
    "article.has-comments",
    "div.single-comments-open",
    "div.match-commentary",
    "div.commentator",
    "div.commencement",
    "div[itemprop=commentCount]",
    "div.replies",
    "ul.reply",
  ])("is false below %s", (step) => {
    expect(inside(step, "p")).toBe(false);
  });

  it("ignores the classes and the id of the body", () => {
    expect(isCommentPath("body.has-comments>main>p")).toBe(false);
    expect(isCommentPath("body#comments.comments>main>p")).toBe(false);
    expect(isCommentPath("body#comments>main>div.comments>p")).toBe(true);
  });

  it.each([
    ["div#respond.comment-respond", "h3#reply-title.comment-reply-title"],
    ["form#commentform", "p.comment-notes"],
    ["div.comment-form-wrapper", "label"],
    ["div.leave-comment", "p"],
    ["form", "p"],
  ])("excludes the form for a new comment: %s", (...steps) => {
    expect(inside("section#comments", ...steps)).toBe(false);
  });

  it("is not misled by a form around the whole page, a class that names both, or omitted steps", () => {
    expect(isCommentPath("body>form#aspnetForm>div.comments>p")).toBe(true);
    expect(inside("ul.comments-list", "div.comment-text.js-comment-text-and-form", "div.comment-body")).toBe(
      true,
    );
    expect(isCommentPath("body>div>…>ol.comment-list>li>p")).toBe(true);
    expect(isCommentPath("")).toBe(false);
  });

  it("treats replies in a list of comments as comments", () => {
    expect(inside("ol.comment-list", "li", "ol.replies", "li.reply", "p")).toBe(true);
  });

  it("takes linear time on a path made to be slow", async () => {
    for (const part of ["comment", "comment-", "comment>", "[comment", "Cc", "/comment/"])
      await expectLinear(100_000, (size) => `body>div.${part.repeat(size)}`, isCommentPath);
  });
});

describe("the lines of a page", () => {
  const read = async (slug: string): Promise<readonly Line[]> => {
    const reader = await openReader("page", { leftOut: "drop" });
    const bytes = new Uint8Array(readFileSync(`fixtures/pages/${slug}/source.html`));
    const outcome = reader({ id: slug, url: "", content: { kind: "bytes", bytes, format: "html" } });
    if (!outcome.ok) throw new Error(outcome.reason);
    return outcome.value.lines;
  };

  it("are marked in the five comments of a blog post, but not in the post or the form", async () => {
    const lines = await read("blog-with-comments-fi");
    const marked = lines.filter(({ kind }) => kind === "comment").map(({ text }) => text);
    expect(marked[0]).toBe("5 kommenttia");
    expect(marked.filter((text) => text.includes(" kirjoitti "))).toHaveLength(5);
    expect(marked.some((text) => text.startsWith("Nauroin ääneen"))).toBe(true);
    const rest = lines.filter(({ kind }) => kind === undefined).map(({ text }) => text);
    expect(rest).toContain("Jätä kommentti");
    expect(rest).toContain("Ruisleivän juuri, joka ei suostunut kuolemaan");
  });

  it("are not marked on a page without comments", async () => {
    const lines = await read("news-article-el");
    expect(lines.filter((line) => "kind" in line)).toEqual([]);
  });

  it("are marked like isCommentPath for each word of the lists, in any case and any part of a name", () => {
    const words = [...COMMENT_STEMS, ...COMMENT_WORDS, ...FORM_NAMES, ...FORM_PARTS, "respond", "reply"];
    const names = words.flatMap((word) => [word, word.toUpperCase(), `my-${word}`, `co${word}`, `${word}_2`]);
    const html = names.map((name) => `<div class="${name}"><p>One text.</p></div>`).join("");
    const lines = walkLines(parseQuickly({ id: "", url: "", html: `<body>${html}` }));
    expect(lines).toHaveLength(names.length);
    expect(lines.map(({ kind }) => kind === "comment")).toEqual(lines.map(({ path }) => isCommentPath(path)));
    expect(lines.filter(({ kind }) => kind === "comment").length).toBeGreaterThan(COMMENT_STEMS.length);
  });

  it("are marked like isCommentPath for each path, at any depth and with any neighbours", () => {
    const names = [
      "comments",
      "respond",
      "comment-list",
      "komentáře",
      "a≯comment",
      "\u0338",
      "…",
      "x",
      "reply",
    ];
    const tag = fc.tuple(fc.constantFrom("div", "form", "section", "comment-box"), fc.constantFrom(...names));
    const page = fc.array(fc.oneof(tag, fc.constant("up" as const)), { maxLength: 60 });
    const [deep, shallow] = [fc.constant(OUTER_STEPS + INNER_STEPS - 3), fc.constant(0)];
    fc.assert(
      fc.property(page, fc.oneof(deep, shallow), (moves, depth) => {
        let html = "<body>" + "<div>".repeat(depth);
        const open: string[] = [];
        for (const move of moves) {
          if (move === "up") html += open.length > 0 ? `</${open.pop() ?? ""}>` : "";
          else {
            open.push(move[0]);
            html += `<${move[0]} class="${move[1]}">text`;
          }
        }
        const lines = walkLines(parseQuickly({ id: "", url: "", html }));
        expect(lines.map(({ kind }) => kind === "comment")).toEqual(
          lines.map(({ path }) => isCommentPath(path)),
        );
      }),
      { numRuns: 500 },
    );
  });
});
