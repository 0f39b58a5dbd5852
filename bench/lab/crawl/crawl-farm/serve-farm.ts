/** Runs a farm in its own process: opens it on request, and sends the visits that it recorded. */
import { readSources } from "../crawl-speed/varied-pages.js";
import { openFarm, type Farm } from "../farm/farm.js";
import { makeWeb, nameSite } from "../farm/web.js";
import type { FarmReply, FarmRequest } from "./farm-protocol.js";

let farm: Farm | undefined;

async function answer(request: FarmRequest): Promise<FarmReply> {
  if (request.kind === "open") {
    const { files, fixtures, ...web } = request.web;
    const opened = await openFarm({
      sites: makeWeb({ ...web, sources: await readSources(files, fixtures) }),
    });
    farm = opened;
    const urls = Array.from({ length: web.sites * web.pages }, (_, at) => {
      const page = Math.floor(at / web.sites);
      return opened.url(nameSite(at % web.sites), page === 0 ? "/" : `/p/${page}`);
    });
    return { kind: "opened", names: opened.names, urls };
  }
  const visits = farm?.visits() ?? [];
  farm?.forget();
  return { kind: "visits", visits };
}

process.on("message", (request: FarmRequest) => {
  void answer(request).then((reply) => process.send?.(reply));
});
process.on("disconnect", () => process.exit(0));
