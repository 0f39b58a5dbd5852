import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { openChoice } from "../../../../src/label/folder-choice.js";
import { fetchHubModel, locateModel } from "../../../../src/label/papers/transformer/hub.js";
import { createTransformerLabeller } from "../../../../src/label/papers/transformer/transformer-labeller.js";
import { UsageError } from "../../../../src/outcome.js";
import { SEQUENCE, withManifest } from "./folders.js";

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  }
});

/** Starts a hub on this machine. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Serves the files of a folder as the hub does, and notes the requests. */
function serveFolder(folder: string, asked: string[] = []): RequestListener {
  return (request, response) => {
    const url = request.url ?? "";
    asked.push(url);
    const file = join(folder, url.replace("/someone/some-model/resolve/main/", ""));
    if (url.startsWith("/someone/some-model/resolve/main/") && existsSync(file))
      response.end(readFileSync(file));
    else response.writeHead(404).end();
  };
}

const newCache = (): string => mkdtempSync(join(tmpdir(), "hub-"));

async function refusal(model: string, host: string, cache = newCache()): Promise<string> {
  try {
    await fetchHubModel(model, { host, cache });
    return "fetched";
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return error instanceof Error ? error.message : "";
  }
}

describe("a model on the hub", () => {
  it("is downloaded once, file by file, and then labels offline", async () => {
    const asked: string[] = [];
    const cache = newCache();
    const host = await listen(serveFolder(SEQUENCE, asked));
    const folder = await fetchHubModel("hub:someone/some-model", { host, cache });
    expect(asked[0]).toBe("/someone/some-model/resolve/main/model.json");
    expect(asked).toHaveLength(6);
    expect(await fetchHubModel("hub:someone/some-model", { host: "http://127.0.0.1:9", cache })).toBe(folder);
    expect(asked).toHaveLength(6);
    const labeller = await createTransformerLabeller({ focus: "balanced", modelDir: folder });
    await labeller.close();
  });

  it("is downloaded by two at once, and leaves no partial file", async () => {
    const cache = newCache();
    const host = await listen(serveFolder(SEQUENCE));
    const both = [1, 2].map(() => fetchHubModel("hub:someone/some-model", { host, cache }));
    const [one, two] = await Promise.all(both);
    expect(one).toBe(two);
    expect(readdirSync(join(cache, "someone--some-model"))).toEqual(["main"]);
  });

  it("is rejected with advice if it is missing, private or of another kind", async () => {
    const host = await listen(serveFolder(SEQUENCE));
    expect(await refusal("hub:someone/another", host)).toMatch(
      /no public model.*models\/train\/train_transformer.sh/,
    );
    const shut = await listen((_request, response) => response.writeHead(401).end());
    expect(await refusal("hub:someone/some-model", shut)).toContain("no public model");
    const odd = await listen((_request, response) => response.end("<html>"));
    expect(await refusal("hub:someone/some-model", odd)).toContain("not JSON");
  });

  it("is rejected if the hub is unreachable, fails or breaks off, and leaves no file", async () => {
    const cache = newCache();
    expect(await refusal("hub:someone/some-model", "http://127.0.0.1:9", cache)).toMatch(
      /cannot be reached for "hub:someone\/some-model".*--model DIR \(modelDir\)/,
    );
    const failing = await listen((_request, response) => response.writeHead(503).end());
    expect(await refusal("hub:someone/some-model", failing, cache)).toMatch(
      /status 503.*--model DIR \(modelDir\)/,
    );
    const broken = await listen((request, response) => {
      if (request.url?.endsWith("model.json") === true) {
        serveFolder(SEQUENCE)(request, response);
        return;
      }
      response.writeHead(200, { "content-length": "100000" });
      response.write("some");
      setTimeout(() => response.destroy(), 20);
    });
    expect(await refusal("hub:someone/some-model", broken, cache)).toMatch(/broke off.*try again/);
    expect(readdirSync(join(cache, "someone--some-model"))).toEqual([]);
  });

  it("cannot name files outside its folder", async () => {
    const asked: string[] = [];
    const folder = withManifest((about) => Object.assign(about["head"] as object, { file: "../../evil" })); // an object, by the format
    const host = await listen(serveFolder(folder, asked));
    expect(await refusal("hub:someone/some-model", host)).toContain("not a plain file name");
    expect(asked.some((url) => url.includes("evil"))).toBe(false);
  });

  it.each(["hub:", "hub:name", "hub:../..", "hub:a/b/c", "hub:a/..", "hub:a/b@../x", "hub:a b/c"])(
    "is rejected if its name is invalid: %s",
    async (name) => {
      expect(await refusal(name, "http://127.0.0.1:9")).toContain("write hub:OWNER/NAME");
    },
  );

  it("is meant only if the name says so", async () => {
    expect(await locateModel("someone/some-model")).toBe("someone/some-model");
    const options = { focus: "balanced", mayAskText: false, labeller: "transformer" } as const;
    await expect(openChoice({ ...options, modelDir: "someone/some-model" })).rejects.toThrow(
      /there is no model.json/,
    );
    await expect(openChoice({ ...options, modelDir: "hub:nobody" })).rejects.toThrow(/write hub:OWNER\/NAME/);
  });
});
