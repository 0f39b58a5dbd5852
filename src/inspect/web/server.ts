/** Runs the inspector: reads the inputs, opens the journal, and listens on this machine only. */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tellCount } from "../../count.js";
import type { InputOptions } from "../../acquire/inputs.js";
import { openChoice } from "../../label/folder-choice.js";
import type { CleanOptions } from "../../options/options.js";
import { UsageError } from "../../outcome.js";
import { createAnnotations, type Annotations } from "../annotate/annotations.js";
import { createCatalog, type Catalog } from "../records/catalog.js";
import { cleanInputs } from "../records/clean-inputs.js";
import { createRoutes } from "./endpoints.js";
import { createGuard } from "./guard.js";
import { createHandler } from "./http.js";
import { holdsScored, indexRecords } from "../records/index-records.js";
import { openJournal, type OpenedJournal } from "../annotate/journal.js";
import { createReasoner } from "../explain.js";
import { createSession } from "../session.js";
import { codeOf, messageOf } from "../../thrown.js";

export interface InspectOptions {
  readonly inputs: readonly string[];
  readonly clean: CleanOptions;
  /** For inputs that are URLs. */
  readonly proxy?: InputOptions["proxy"];
  readonly port: number;
  readonly journal: string;
  readonly annotator: string;
}

export interface InspectTools {
  readonly signal: AbortSignal;
  /** Reports a message to the user who runs the server. */
  readonly say: (sentence: string) => void;
  readonly onBug: (error: unknown) => void;
}

export interface Corpus {
  readonly catalog: Catalog;
  readonly annotations: Annotations;
  /** Resolves when all inputs have been read. */
  readonly whole: Promise<void>;
  close(): Promise<void>;
}

export interface Inspecting {
  /** The address with the token. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Goes on reading while it is used. Throws UsageError if the inputs hold no document, or if the journal is not one. */
export async function openCorpus(
  options: Pick<InspectOptions, "inputs" | "clean" | "journal">,
  { signal, say }: InspectTools,
): Promise<Corpus> {
  const catalog = createCatalog();
  const folder = await mkdtemp(join(tmpdir(), "thresher-inspect-"));
  const stop = new AbortController();
  const job = { ...options, folder, signal: AbortSignal.any([signal, stop.signal]) };
  const whole = readAll(job, catalog).finally(() => {
    catalog.isRead = true;
  });
  let opened: OpenedJournal | undefined;
  const close = async (): Promise<void> => {
    stop.abort();
    await whole.catch(() => undefined); // its error was reported before, or it was stopped here
    await opened?.journal.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await Promise.race([whole, untilFirst(catalog)]);
    if (catalog.size === 0) throw noDocuments(options.inputs, catalog);
    // Only now, because a mistyped input would leave a journal behind.
    opened = await openJournal(options.journal);
  } catch (error) {
    await close();
    throw error;
  }
  const { journal, entries, lostBytes } = opened;
  if (lostBytes > 0)
    say(
      `the last entry of ${options.journal} was cut off (${tellCount(lostBytes, "byte")}): its mark is lost`,
    );
  const annotations = createAnnotations(journal, entries);
  whole.then(
    () => {
      const absent = [...annotations.keys].filter((key) => catalog.get(key) === undefined).length;
      if (absent > 0)
        say(`${options.journal} has marks of ${tellCount(absent, "document")} ${NOT_IN_INPUTS}`);
    },
    () => undefined, // callers that await it get the error
  );
  return { catalog, annotations, whole, close };
}

/** The id of a page, and the key of a record without an id, begin with the path of the input as it was given. */
const NOT_IN_INPUTS =
  "that the inputs do not have; to find pages again, give their paths in the same form as before";

interface ReadJob extends Pick<InspectOptions, "inputs" | "clean" | "proxy"> {
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Files of scored records are read in place; all other inputs are cleaned first. */
async function readAll({ inputs, clean, proxy, folder, signal }: ReadJob, catalog: Catalog): Promise<void> {
  for (const [at, input] of inputs.entries()) {
    signal.throwIfAborted();
    if (await holdsScored(input).catch(() => false)) await indexRecords(input, catalog, signal);
    else {
      const path = join(folder, `${at}.jsonl`);
      await cleanInputs({ inputs: [input], options: clean, proxy, path, signal }, catalog);
    }
  }
}

const LOOK_MS = 20;

async function untilFirst(catalog: Catalog): Promise<void> {
  while (catalog.size === 0 && !catalog.isRead) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
}

function noDocuments(inputs: readonly string[], { damage }: Catalog): UsageError {
  const [first] = damage.first;
  const why =
    first === undefined ? "" : `: ${first}${damage.count > 1 ? `, and ${damage.count - 1} more` : ""}`;
  return new UsageError(`there is no document in ${inputs.join(", ")}${why}`);
}

/** Throws UsageError if the port cannot be used, and the errors of `openCorpus`. */
export async function startInspector(options: InspectOptions, tools: InspectTools): Promise<Inspecting> {
  const reasoner = createReasoner(options.clean.modelDir);
  const choice = await openChoice({ focus: "balanced", mayAskText: false });
  const corpus = await openCorpus(options, tools);
  const { catalog, annotations } = corpus;
  let isClosing = false;
  corpus.whole.then(
    () => {
      tellRead(catalog, tools);
    },
    (error: unknown) => {
      if (!tools.signal.aborted && !isClosing) tools.say(`not all inputs could be read: ${messageOf(error)}`);
    },
  );
  const { annotator } = options;
  const session = createSession({ catalog, annotations, annotator, choice, reasoner });
  const server = createServer();
  const portOf = (): number => (server.address() as AddressInfo).port; // it listens on a port
  const guard = createGuard(portOf);
  const handler = createHandler({
    ...{ guard, onBug: tools.onBug },
    routes: createRoutes({ session, catalog, annotations, annotator }),
  });
  server.on("request", (request, response) => void handler(request, response));
  const closeAll = async (): Promise<void> => {
    isClosing = true;
    await choice.close();
    await reasoner.close();
    await corpus.close();
  };
  try {
    await listen(server, options.port);
    // Node.js reports a connection that it could not accept.
    server.on("error", tools.onBug);
  } catch (error) {
    await closeAll();
    throw error;
  }
  return {
    url: `http://127.0.0.1:${portOf()}/${guard.query}`,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await closeAll();
    },
  };
}

function tellRead({ size, damage }: Catalog, { say }: InspectTools): void {
  const left =
    damage.count === 0 ? "" : `; ${damage.count} could not be used, the first: ${damage.first[0] ?? ""}`;
  say(`${tellCount(size, "document")}${left}`);
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there; without --port, the inspector takes any free port",
  EACCES: "only the administrator can use ports below 1024",
};

async function listen(server: Server, port: number): Promise<void> {
  server.listen({ host: "127.0.0.1", port });
  try {
    await once(server, "listening");
  } catch (error) {
    const why = WHY[codeOf(error) ?? ""];
    throw why === undefined
      ? error
      : new UsageError(`cannot listen on port ${port}: ${why}`, { cause: error });
  }
}
