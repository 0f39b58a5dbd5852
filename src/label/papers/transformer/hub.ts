/** Finds the local folder of a model on the Hugging Face hub, and downloads its files once. */
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../../outcome.js";
import { readManifest } from "../../models/model-folder.js";

const PREFIX = "hub:";
const NAME = /^([\w-][\w.-]*)\/([\w-][\w.-]*)(?:@([\w-][\w.-]*))?$/;
const HOST = "https://huggingface.co";
/** The limit for one file; XLM-RoBERTa large has 2.2 GB. */
const MOST_BYTES = 4e9;
/** The timeout for the hub's response headers; the download after them has no timeout. */
const ANSWER_MS = 30_000;

interface HubOptions {
  readonly host?: string;
  /** The folder for downloaded models. */
  readonly cache?: string;
}

/** Returns a folder unchanged; for a name that begins with `hub:`, downloads the model and returns its folder. */
export async function locateModel(model: string): Promise<string> {
  return model.startsWith(PREFIX) ? fetchHubModel(model) : model;
}

/**
 * Downloads `hub:OWNER/NAME` or `hub:OWNER/NAME@REVISION` into a folder. A model that is already there is used without
 * a request. Throws UsageError when the name is malformed, the hub cannot be reached, or the model is not for this
 * program.
 */
export async function fetchHubModel(model: string, options: HubOptions = {}): Promise<string> {
  const { host = HOST, cache = join(homedir(), ".cache", "thresher", "hub") } = options;
  const [, owner, name, revision = "main"] = NAME.exec(model.slice(PREFIX.length)) ?? [];
  if (owner === undefined || name === undefined)
    throw new UsageError(
      `"${model}" is not the name of a model on the hub: write hub:OWNER/NAME or hub:OWNER/NAME@REVISION`,
    );
  const folder = join(cache, `${owner}--${name}`, revision);
  if (existsSync(join(folder, "model.json"))) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const loading = await mkdtemp(join(dirname(folder), ".loading-"));
  try {
    const address = `${host}/${owner}/${name}/resolve/${revision}/`;
    const load = (file: string): Promise<void> => fetchFile(`${address}${file}`, join(loading, file), model);
    await load("model.json");
    const about = readManifest(loading);
    await mkdir(join(loading, "onnx"));
    for (const part of about.parts()) await load(about.fileName(part));
    await moveInto(folder, loading);
  } finally {
    await rm(loading, { recursive: true, force: true });
  }
  return folder;
}

/** Moves the finished download into place. If another process was faster with the same model, its files stay. */
async function moveInto(folder: string, loading: string): Promise<void> {
  try {
    await rename(loading, folder);
  } catch (error) {
    if (!existsSync(join(folder, "model.json"))) throw error;
  }
}

async function fetchFile(url: string, path: string, model: string): Promise<void> {
  const answer = await request(url, model);
  if (answer.status === 401 || answer.status === 403 || (answer.status === 404 && url.endsWith("model.json")))
    throw new UsageError(
      `there is no public model "${model}" with a model.json on the hub (${url}: status ${answer.status}); ` +
        `models/train/train_transformer.sh makes folders that can be uploaded there`,
    );
  if (!answer.ok || answer.body === null)
    throw new UsageError(`the hub did not send ${url} (status ${answer.status}); ${ELSEWHERE}`);
  try {
    const body = Readable.fromWeb(answer.body);
    await pipeline(body, limitBytes(url), createWriteStream(path));
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${url} broke off (${reasonOf(cause)}); try again, or ${ELSEWHERE}`, { cause });
  }
}

const ELSEWHERE = "download the folder in another way and give it with --model DIR (modelDir)";

async function request(url: string, model: string): Promise<Response> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort(new Error(`no answer within ${ANSWER_MS / 1000} s`));
  }, ANSWER_MS);
  try {
    return await fetch(url, { signal: late.signal });
  } catch (cause) {
    throw new UsageError(
      `the hub cannot be reached for "${model}" (${reasonOf(cause)}): check the connection, or ${ELSEWHERE}`,
      { cause },
    );
  } finally {
    clearTimeout(timer);
  }
}

function limitBytes(url: string): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.byteLength;
      if (bytes > MOST_BYTES)
        done(new UsageError(`${url} has more than ${MOST_BYTES / 1e9} GB; ${ELSEWHERE}`));
      else done(null, chunk);
    },
  });
}

/** fetch says only "fetch failed"; the reason is in its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message || error.name;
}
