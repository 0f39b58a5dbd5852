/**
 * Reads the flat form in which Nuxt writes its state (`__NUXT_DATA__`): an array whose values refer to others by index.
 */

/** Wrappers of Vue, and of JavaScript's own types, around the value that they refer to. */
const WRAPPER = /^(?:Reactive|ShallowReactive|Ref|ShallowRef|Object|NuxtError|Date|BigInt)$/;

/** Checks whether a value is an array of that form: its first item refers to another value. */
export function isDevalue(value: unknown): value is readonly unknown[] {
  if (!Array.isArray(value) || value.length < 2) return false;
  const first: unknown = value[0];
  if (Array.isArray(first)) return typeof first[0] === "string" && WRAPPER.test(first[0]);
  if (typeof first !== "object" || first === null || !value.some((item) => typeof item === "string"))
    return false;
  return Object.values(first).every((at) => Number.isInteger(at) && Number(at) < value.length);
}

/** Returns the value that the array encodes. A value that contains itself, at any depth, is the same object again. */
export function readDevalue(flat: readonly unknown[]): unknown {
  const built = new Map<number, unknown>();
  const waiting: (() => void)[] = [];
  const root = build(0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) next();
  return root;

  /** Fills objects afterwards, so that even a long chain of them does not overflow the stack. */
  function build(start: unknown): unknown {
    const seen = new Set<unknown>();
    for (let at = start; typeof at === "number" && flat[at] !== undefined && !seen.has(at);) {
      if (built.has(at)) return built.get(at);
      seen.add(at);
      const value = flat[at];
      if (typeof value !== "object" || value === null) return value;
      if (!Array.isArray(value)) return fill(at, Object.entries(value));
      const [name, inner] = value as readonly unknown[];
      if (typeof name !== "string") return list(at, value);
      if (!WRAPPER.test(name)) return list(at, value.slice(1));
      if (typeof inner !== "number") return inner;
      at = inner;
    }
    return undefined;
  }

  function fill(at: number, entries: readonly (readonly [string, unknown])[]): unknown {
    const object: Record<string, unknown> = Object.create(null) as Record<string, unknown>; // no key is special
    built.set(at, object);
    waiting.push(() => {
      for (const [key, value] of entries) object[key] = build(value);
    });
    return object;
  }

  function list(at: number, values: readonly unknown[]): unknown {
    const items: unknown[] = [];
    built.set(at, items);
    waiting.push(() => {
      for (const value of values) items.push(build(value));
    });
    return items;
  }
}
