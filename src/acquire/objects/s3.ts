/** Accesses stores of the S3 protocol through the AWS client, an optional package that only this module imports. */
import { createHash, randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { Readable } from "node:stream";
import type * as S3 from "@aws-sdk/client-s3";
import type { S3Client, S3ClientConfig } from "@aws-sdk/client-s3";
import { UsageError } from "../../outcome.js";
import { inPieces } from "../streams.js";
import { formatObjectAddress, type ObjectAddress } from "./address.js";
import { explainObjectError, ObjectError, statusOf } from "./failure.js";
import { createPace, MAX_TRIES, type Pace } from "./pace.js";
import type {
  ListedObject,
  ObjectBody,
  ObjectFacts,
  ObjectRange,
  Objects,
  ObjectsOptions,
  PutHow,
} from "./objects.js";
import { codeOf } from "../../thrown.js";

/** The package that users should install if it is missing; the version is the same as in package.json. */
const PACKAGE = "@aws-sdk/client-s3@3.1173.0";
/** Milliseconds within which a connection must be made, and a response begin. */
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
/** The size of upload parts, each of which is held in memory. The protocol allows 10,000 parts. */
const PART_BYTES = 32 << 20;
const MAX_PARTS = 10_000;
/** The region if no region is set: the oldest one, which redirects to the region of a bucket. */
const REGION = "us-east-1";
/**
 * The metadata key for the id of an upload: if its response was lost, the id shows that the object is not another
 * writer's.
 */
const WRITER = "thresher-writer";

type Library = typeof S3;

/** Connects to nothing yet. Throws UsageError if the package is not installed. */
export async function openObjects(options: ObjectsOptions = {}): Promise<Objects> {
  const library = await importLibrary();
  // The client itself reads the other AWS variables from the process environment.
  const { env = process.env, retryEveryMs, partBytes = PART_BYTES } = options;
  const pace = createPace(retryEveryMs);
  const client = await openClient(library, env, pace);
  const access: Access = { library, client, pace, partBytes };
  return {
    look: (at, signal) => look(access, at, signal),
    list: (at, signal) => list(access, at, signal),
    ask: (at, range, signal) => explained(at, () => ask(access, at, range, signal)),
    put: (at, file, how) => explained(at, () => put(access, at, file, how)),
    remove: (at) =>
      explained(at, async () => {
        await client.send(new library.DeleteObjectCommand({ Bucket: at.bucket, Key: at.key }));
      }),
    pace,
    close: () => {
      client.destroy();
    },
  };
}

interface Access {
  readonly library: Library;
  readonly client: S3Client;
  readonly pace: Pace;
  readonly partBytes: number;
}

async function importLibrary(): Promise<Library> {
  // Turns off a warning on stderr that tells users of Node.js 20 what later versions of the client need; ours is
  // pinned.
  process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";
  try {
    return await import("@aws-sdk/client-s3");
  } catch (cause) {
    const isMissing = codeOf(cause) === "ERR_MODULE_NOT_FOUND";
    throw new UsageError(
      `s3:// needs an optional package that ${isMissing ? "is not installed" : "cannot be loaded"}; run: npm install ${PACKAGE}`,
      { cause },
    );
  }
}

async function openClient(
  { S3Client }: Library,
  env: Readonly<Record<string, string | undefined>>,
  pace: Pace,
): Promise<S3Client> {
  const endpoint = env["AWS_ENDPOINT_URL_S3"] ?? env["AWS_ENDPOINT_URL"];
  const region = env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"];
  const isAnonymous = /^(?:1|true|yes|on)$/i.test(env["AWS_NO_SIGN_REQUEST"] ?? "");
  const config: S3ClientConfig = {
    maxAttempts: MAX_TRIES,
    followRegionRedirects: true,
    // Servers other than AWS seldom have a host name for each bucket.
    ...(endpoint !== undefined && endpoint !== "" && { endpoint, forcePathStyle: true }),
    ...(region !== undefined && region !== "" && { region }),
    ...(isAnonymous && {
      credentials: { accessKeyId: "", secretAccessKey: "" },
      signer: { sign: (request) => Promise.resolve(request) },
    }),
    // Not every server supports the newer checksums; all of them support Content-MD5.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
    // The client would print warnings of its own.
    logger: SILENT,
  };
  const regionOf = new S3Client(config);
  const known = await regionOf.config.region().catch(() => REGION);
  const own = await regionOf.config.retryStrategy();
  regionOf.destroy();
  if (!("acquireInitialRetryToken" in own)) throw new Error("the client has no strategy for retries");
  return new S3Client({
    ...config,
    region: known,
    // Uses the client's own rules on what to retry and when, but never more than one try in a second.
    retryStrategy: {
      mode: "standard",
      acquireInitialRetryToken: (scope) => own.acquireInitialRetryToken(scope),
      recordSuccess: (token) => {
        own.recordSuccess(token);
      },
      async refreshRetryTokenForRetry(token, info) {
        const next = await own.refreshRetryTokenForRetry(token, info);
        await pace();
        return next;
      },
    },
  });
}

function ignore(): void {
  return undefined;
}
const SILENT = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore };

async function explained<T>(at: ObjectAddress, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explainObjectError(formatObjectAddress(at), error);
  }
}

async function look(
  { library, client }: Access,
  at: ObjectAddress,
  signal?: AbortSignal,
): Promise<ObjectFacts | undefined> {
  try {
    const head = await client.send(
      new library.HeadObjectCommand({ Bucket: at.bucket, Key: at.key }),
      stopping(signal),
    );
    return { bytes: head.ContentLength ?? 0, etag: head.ETag ?? "" };
  } catch (error) {
    if (statusOf(error) === 404) return undefined;
    throw explainObjectError(formatObjectAddress(at), error);
  }
}

async function* list(
  { library, client }: Access,
  at: ObjectAddress,
  signal?: AbortSignal,
): AsyncGenerator<ListedObject> {
  let token: string | undefined;
  do {
    const answer = await explained(at, () =>
      client.send(
        new library.ListObjectsV2Command({
          Bucket: at.bucket,
          Prefix: at.key,
          ...(token !== undefined && { ContinuationToken: token }),
        }),
        stopping(signal),
      ),
    );
    for (const { Key, Size, ETag } of answer.Contents ?? [])
      if (Key !== undefined) yield { key: Key, bytes: Size ?? 0, etag: ETag ?? "" };
    const next = answer.IsTruncated === true ? answer.NextContinuationToken : undefined;
    if (next !== undefined && next === token)
      throw new ObjectError(`${formatObjectAddress(at)}: the listing repeats itself`, {
        reason: "unreadable",
        retryable: false,
      });
    token = next;
  } while (token !== undefined);
}

async function ask(
  { library, client }: Access,
  at: ObjectAddress,
  { from, to, etag }: ObjectRange,
  signal?: AbortSignal,
): Promise<ObjectBody> {
  const isPart = from > 0 || to !== undefined;
  const answer = await client.send(
    new library.GetObjectCommand({
      Bucket: at.bucket,
      Key: at.key,
      ...(isPart && { Range: `bytes=${from}-${to === undefined ? "" : to - 1}` }),
      ...(etag !== undefined && { IfMatch: etag }),
    }),
    stopping(signal),
  );
  const { Body: body, ContentLength: length = 0, ETag = "", ContentRange } = answer;
  if (!(body instanceof Readable)) throw new Error("the client gave no stream");
  const [, first, size] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange ?? "") ?? [];
  if (isPart && Number(first) !== from) {
    body.destroy();
    const why = { reason: "unreadable", retryable: false } as const;
    throw new ObjectError(`${formatObjectAddress(at)}: the server does not support range requests`, why);
  }
  return { body, etag: ETag, bytes: isPart ? Number(size) : length, end: from + length };
}

/** Uploads in one request, or in parts that stay invisible until all are there. */
async function put(access: Access, at: ObjectAddress, file: string, how: PutHow): Promise<"done" | "exists"> {
  const { size } = await stat(file);
  const writer = randomUUID();
  const partBytes = Math.max(access.partBytes, Math.ceil(size / MAX_PARTS));
  const send = size > partBytes ? sendParts : sendWhole;
  for (let tries = 1; ; tries += 1) {
    try {
      await send({ ...access, partBytes }, at, { file, writer, how });
      return "done";
    } catch (error) {
      const status = statusOf(error);
      if (status === 412 && how !== "replace")
        return (await isWrittenBy(access, at, writer)) ? "done" : "exists";
      if (status === 404 && typeof how === "object") return "exists";
      // Another writer wrote at the same time (409); the next try shows which one was first.
      if (status !== 409 || tries >= MAX_TRIES) throw error;
      await access.pace();
    }
  }
}

/**
 * Checks whether this writer wrote the object after all: the response to a try may be lost, and the next try then finds
 * the object.
 */
async function isWrittenBy({ library, client }: Access, at: ObjectAddress, writer: string): Promise<boolean> {
  try {
    const head = await client.send(new library.HeadObjectCommand({ Bucket: at.bucket, Key: at.key }));
    return head.Metadata?.[WRITER] === writer;
  } catch (error) {
    // Another writer's object may be removed before it is looked at, as a lock is.
    if (statusOf(error) === 404) return false;
    throw error;
  }
}

interface Sent {
  readonly file: string;
  readonly writer: string;
  readonly how: PutHow;
}

async function sendWhole(
  { library, client }: Access,
  { bucket, key }: ObjectAddress,
  { file, writer, how }: Sent,
): Promise<void> {
  const bytes = await readFile(file);
  await client.send(
    new library.PutObjectCommand({
      Bucket: bucket,
      Key: key,
      Body: bytes,
      ContentMD5: digest(bytes),
      Metadata: { [WRITER]: writer },
      ...toCondition(how),
    }),
  );
}

async function sendParts(
  { library, client, partBytes }: Access,
  { bucket, key }: ObjectAddress,
  { file, writer, how }: Sent,
): Promise<void> {
  const of = { Bucket: bucket, Key: key };
  const { UploadId } = await client.send(
    new library.CreateMultipartUploadCommand({ ...of, Metadata: { [WRITER]: writer } }),
  );
  const upload = { ...of, UploadId };
  try {
    const Parts: { readonly ETag: string | undefined; readonly PartNumber: number }[] = [];
    for await (const Body of inPieces(createReadStream(file), partBytes)) {
      const PartNumber = Parts.length + 1;
      const part = { ...upload, PartNumber, Body, ContentMD5: digest(Body) };
      const { ETag } = await client.send(new library.UploadPartCommand(part));
      Parts.push({ ETag, PartNumber });
    }
    const whole = { ...upload, MultipartUpload: { Parts }, ...toCondition(how) };
    await client.send(new library.CompleteMultipartUploadCommand(whole));
  } catch (error) {
    // Abandoned parts would still be billed. If removing them fails, too, the first error is more useful.
    await client.send(new library.AbortMultipartUploadCommand(upload)).catch(ignore);
    throw error;
  }
}

function toCondition(how: PutHow): { readonly IfNoneMatch?: string; readonly IfMatch?: string } {
  if (how === "replace") return {};
  return how === "first" ? { IfNoneMatch: "*" } : { IfMatch: how.etag };
}

function digest(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("base64");
}

function stopping(signal: AbortSignal | undefined): { readonly abortSignal?: AbortSignal } {
  return signal === undefined ? {} : { abortSignal: signal };
}
