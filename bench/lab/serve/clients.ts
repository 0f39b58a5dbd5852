/** Sends requests as many clients do: one after another on each connection, or at a steady rate. */
import { setTimeout as pause } from "node:timers/promises";
import { Pool } from "undici";

/** How many answers had each status; "lost" counts requests without an answer. */
export type Counts = Record<string, number>;

const HEADERS = { "content-type": "application/json" };

async function ask(pool: Pool, path: string, body: string, counts: Counts): Promise<void> {
  let status = "lost";
  try {
    const answer = await pool.request({ path, method: "POST", headers: HEADERS, body });
    await answer.body.dump({ limit: Number.MAX_SAFE_INTEGER });
    status = String(answer.statusCode);
  } catch (error) {
    process.stderr.write(`lost: ${String(error)}\n`);
  }
  counts[status] = (counts[status] ?? 0) + 1;
}

/**
 * Sends the next request on each connection as soon as its last answer is complete. Calls `isOver` before each request.
 */
export async function sendClosed(
  url: string,
  bodies: Iterable<string>,
  { connections, isOver = () => false }: { readonly connections: number; readonly isOver?: () => boolean },
): Promise<Counts> {
  const pool = new Pool(url, { connections });
  const counts: Counts = {};
  const left = bodies[Symbol.iterator]();
  const client = async (): Promise<void> => {
    for (let next = left.next(); next.done !== true && !isOver(); next = left.next())
      await ask(pool, "/clean", next.value, counts);
  };
  await Promise.all(Array.from({ length: connections }, client));
  await pool.close();
  return counts;
}

/** Starts `perSecond` requests a second, however long the answers take. */
export async function sendOpen(url: string, bodies: readonly string[], perSecond: number): Promise<Counts> {
  const pool = new Pool(url, { connections: null });
  const counts: Counts = {};
  const start = performance.now();
  const under: Promise<void>[] = [];
  for (const [at, body] of bodies.entries()) {
    const early = (at / perSecond) * 1000 - (performance.now() - start);
    if (early > 1) await pause(early);
    under.push(ask(pool, "/clean", body, counts));
  }
  await Promise.all(under);
  await pool.close();
  return counts;
}

/** Sends all records in one stream and returns the number of lines that came back. Throws unless the status is 200. */
export async function sendStream(url: string, records: readonly string[]): Promise<number> {
  const pool = new Pool(url, { connections: 1, bodyTimeout: 0, headersTimeout: 0 });
  const { statusCode, body } = await pool.request({
    path: "/clean/stream",
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: inParts(records) as unknown as Uint8Array, // undici accepts async iterables, but its type does not say so
  });
  if (statusCode !== 200) throw new Error(`the stream was answered with ${statusCode}`);
  let lines = 0;
  for await (const part of body as AsyncIterable<Uint8Array>)
    for (const byte of part) if (byte === 0x0a) lines += 1;
  await pool.close();
  return lines;
}

async function* inParts(records: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const record of records) yield Promise.resolve(Buffer.from(record));
}
