/** Asks the server. */

/** What the server refuses, with its own words; asking again does not help. */
export class Refused extends Error {}

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
  if (!response.ok) throw new Refused(value.error ?? `the server answered ${response.status}`);
  return value;
}
