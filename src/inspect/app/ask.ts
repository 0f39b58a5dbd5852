/** Asks the server. */

/** What the server refuses, with its own words. */
export class Refused extends Error {
  readonly status: number;

  constructor(message: string, status: number) {
    super(message);
    this.status = status;
  }

  /** Asking again may help: its disk is full, or it is another server, of which this browser has no token yet. */
  get mayPass(): boolean {
    return this.status === 403 || this.status >= 500;
  }
}

export async function ask<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
  return read<T>(await fetch(`${path}?${new URLSearchParams(query).toString()}`));
}

export async function send<T>(path: string, body: unknown): Promise<T> {
  return read<T>(
    await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }),
  );
}

/** The server's answers are of the types in `wire.ts`. */
async function read<T>(response: Response): Promise<T> {
  const value = (await response.json()) as T & { readonly error?: string };
  if (!response.ok)
    throw new Refused(value.error ?? `the server answered ${response.status}`, response.status);
  return value;
}
