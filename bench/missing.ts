/** Tells errors for files that do not exist from all other errors. */

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
