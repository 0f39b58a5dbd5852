/** Looks up an untrusted name in a table, without finding what every object inherits ("constructor"). */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
