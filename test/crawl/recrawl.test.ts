import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it, onTestFinished } from "vitest";
import { openCrawl } from "../../src/crawl/crawl.js";
import type { CrawlEvent, CrawlOptions } from "../../src/crawl/types.js";
import { makeDir, openFarm, page, quick, runAll, type Farm, type Site } from "./farm.js";

const text = (name: string, times: number): string => page(`${name}, version ${times}`);

/** /tagged and /dated report when they have not changed; /same does not change but does not report it; /plain always changes; /changed has a new tag each time. */
function versions(): Site {
  const asked = new Map<string, number>();
  return (path, { headers }) => {
    const times = (asked.get(path) ?? 0) + 1;
    asked.set(path, times);
    if (path === "/robots.txt") return undefined;
    const date = "Sun, 01 Mar 2026 10:00:30 GMT";
    if (path === "/tagged" && headers["if-none-match"] === '"one"')
      return { status: 304, headers: { etag: '"one"' } };
    if (path === "/dated" && headers["if-modified-since"] === date) return { status: 304 };
    const validators: Record<string, Record<string, string>> = {
      "/tagged": { etag: '"one"' },
      "/dated": { "last-modified": date },
      "/changed": { etag: `"${times}"` },
    };
    return { body: text(path, path === "/same" ? 1 : times), headers: validators[path] ?? {} };
  };
}

const PATHS = ["/tagged", "/dated", "/changed", "/plain", "/same"];

async function crawl(farm: Farm, options: CrawlOptions, confirms = true): Promise<readonly CrawlEvent[]> {
  const opened = await openCrawl(options);
  try {
    await opened.add(PATHS.map((path) => ({ url: farm.url("one.test", path) })));
    return await runAll(opened, confirms);
  } finally {
    await opened.close();
  }
}

function tell(events: readonly CrawlEvent[]): string[] {
  return events.map(({ about: { url, result, reason } }) =>
    [url.replace(/^.*\//, ""), result, ...(reason === undefined ? [] : [reason])].join(" "),
  );
}

interface WarcRecord {
  readonly type: string;
  readonly fields: string;
}

function readWarcs(dir: string): WarcRecord[] {
  const all = readdirSync(join(dir, "warc")).map((name) =>
    gunzipSync(readFileSync(join(dir, "warc", name))).toString(),
  );
  return all
    .join("")
    .split(/^(?=WARC\/1\.1\r\n)/m)
    .map((record) => ({
      type: /WARC-Type: (\S+)/.exec(record)?.[1] ?? "",
      fields: record.slice(0, record.indexOf("\r\n\r\n")),
    }));
}

describe("a recrawl", () => {
  it("follows redirects to their new targets, even if one was reversed", async () => {
    let round = 1;
    const farm = await openFarm((path) => {
      const targets: Record<string, string> = {
        "/latest": `/issue/${round}`,
        ...(round === 1 ? { "/old": "/new" } : { "/new": "/old" }),
      };
      const location = targets[path];
      if (path === "/robots.txt") return undefined;
      return location === undefined ? { body: page(path) } : { status: 301, headers: { location } };
    });
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const ends = async (options: CrawlOptions): Promise<string[]> => {
      const opened = await openCrawl(options);
      await opened.add(["/latest", "/old"].map((path) => farm.url("one.test", path)));
      const events = await runAll(opened);
      await opened.close();
      return tell(events).sort();
    };
    expect(await ends(quick(dir))).toEqual(["1 page", "new page"]);
    round = 2;
    expect(await ends(quick(dir, { recrawl: true }))).toEqual([
      "1 rejected not-modified",
      "2 page",
      "old page",
    ]);
  });

  it("reports changed pages, records unchanged ones as revisits, and ends on its own", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    expect(tell(await crawl(farm, quick(dir)))).toEqual(PATHS.map((path) => `${path.slice(1)} page`));
    // Without the option recrawl nothing is fetched again.
    expect(await crawl(farm, quick(dir))).toEqual([]);
    for (const round of [1, 2]) {
      const events = await crawl(farm, quick(dir, { recrawl: true }));
      expect(tell(events)).toEqual([
        "tagged rejected not-modified",
        "dated rejected not-modified",
        "changed page",
        "plain page",
        "same rejected not-modified",
      ]);
      expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5].map((at) => at + 5 * round));
    }
    expect(farm.visits.filter(({ path }) => path === "/robots.txt")).toHaveLength(1);
    expect(farm.pages()).toHaveLength(15);
    const records = readWarcs(dir);
    const revisits = records.filter(({ type }) => type === "revisit").map(({ fields }) => fields);
    expect(revisits).toHaveLength(6);
    const profiles = revisits.map((fields) => /^WARC-Profile: .*\/(.*)\r$/m.exec(fields)?.[1]);
    expect(profiles.filter((profile) => profile === "identical-payload-digest")).toHaveLength(2);
    const [first] = records.filter(({ type, fields }) => type === "response" && fields.includes("/tagged"));
    const idOf = (fields: string): string | undefined => /WARC-Record-ID: (\S+)/.exec(fields)?.[1];
    // Both revisits refer to the record with the page, not to each other.
    for (const revisit of revisits.filter((fields) => fields.includes("/tagged"))) {
      expect(revisit).toContain(`WARC-Refers-To: ${idOf(first?.fields ?? "")}`);
      expect(revisit).toContain(`WARC-Refers-To-Date: ${/WARC-Date: (\S+)/.exec(first?.fields ?? "")?.[1]}`);
      expect(revisit).toContain(/WARC-Payload-Digest: \S+/.exec(first?.fields ?? "")?.[0]);
    }
  });

  it("requests the known pages again if new seeds are given with them, also one that is out of scope", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const scope = { exclude: ["/closed"] };
    await crawl(farm, quick(dir, { scope }));
    const opened = await openCrawl(quick(dir, { recrawl: true, scope }));
    await opened.add(["/new", "/closed"].map((path) => farm.url("one.test", path)));
    await opened.add([farm.url("one.test", "/same")]);
    const events = await runAll(opened);
    await opened.close();
    expect(tell(events).sort()).toEqual([
      "changed page",
      "closed rejected out-of-scope",
      "dated rejected not-modified",
      "new page",
      "plain page",
      "same rejected not-modified",
      "tagged rejected not-modified",
    ]);
  });

  it("waits until the earlier crawl is complete and confirmed", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    await crawl(farm, quick(dir), false);
    const events = await crawl(farm, quick(dir, { recrawl: true }));
    expect(tell(events)).toEqual(PATHS.map((path) => `${path.slice(1)} page`));
    expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(farm.pages()).toHaveLength(5);
  });

  it("sends no conditional request for pages that were neither confirmed nor archived", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    await crawl(farm, quick(dir, { warc: false }), false);
    const events = await crawl(farm, quick(dir, { warc: false }));
    expect(tell(events)).toEqual(PATHS.map((path) => `${path.slice(1)} page`));
    expect(
      farm
        .pages()
        .slice(5)
        .every(({ headers }) => headers["if-none-match"] === undefined),
    ).toBe(true);
  });

  it("still reports where unchanged pages are in the archive", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const places = (events: readonly CrawlEvent[]): unknown[] =>
      events
        .filter(({ about }) => /tagged|same/.test(about.url))
        .map(({ about: { warcFile, warcOffset } }) => [warcFile, warcOffset]);
    const first = places(await crawl(farm, quick(dir)));
    expect(first).toHaveLength(2);
    expect(places(await crawl(farm, quick(dir, { recrawl: true })))).toEqual(first);
  });

  it("starts with new budgets", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    const options = quick(dir, { budgets: { bytes: 10_000, pagesPerHost: 5 } });
    expect(await crawl(farm, options)).toHaveLength(5);
    const again = await openCrawl({ ...options, recrawl: true });
    expect(await runAll(again)).toHaveLength(5);
    await again.close();
    expect(farm.pages()).toHaveLength(10);
  });

  it("does not count pages that were lost without an archive", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const options = quick(makeDir(), { warc: false, budgets: { pagesPerHost: 5 } });
    expect(await crawl(farm, options, false)).toHaveLength(5);
    expect(await crawl(farm, options)).toHaveLength(5);
  });

  it("recognises an unchanged page even without an archive", async () => {
    const farm = await openFarm(versions());
    onTestFinished(() => farm.close());
    const dir = makeDir();
    await crawl(farm, quick(dir, { warc: false }));
    const events = await crawl(farm, quick(dir, { warc: false, recrawl: true }));
    expect(tell(events)).toContain("same rejected not-modified");
  });
});
