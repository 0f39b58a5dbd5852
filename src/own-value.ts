/** Looks names from outside up in tables: what every object inherits ("constructor") is in none of them. */
export function ownValue<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
