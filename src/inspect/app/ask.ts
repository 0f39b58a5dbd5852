/** Sends requests to the server. */

/** An error that the server reported, with its message. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Whether another try may succeed: the disk was full, or a new server has not given this browser a token yet. */
  get mayPass(): boolean {
    return this.status === 403 || this.status >= 500;
  }
}

/** Sends a GET request and returns the parsed answer. Throws Refused if the server reports an error. */
export async function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return read<T>(await fetch(`${path}?${new URLSearchParams(query).toString()}`));
}

/** Sends a POST request with JSON and returns the parsed answer. Throws Refused if the server reports an error. */
export async function send<T>(path: string, body: unknown): Promise<T> {
  return read<T>(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

/** The server's answers have the types in `wire.ts`. */
async function read<T>(response: Response): Promise<T> {
  const value = (await response.json()) as T & { readonly error?: string };
  if (!response.ok)
    throw new Refused(value.error ?? `the server answered ${response.status}`, response.status);
  return value;
}
