/** Checks whether the changelog mentions a lower floor. */

/** Checks whether a line of the section [Unreleased] names "floor" and this corpus. */
export function mentionsFloor(changelog: string, corpus: string): boolean {
  const lines = changelog.split(/\r?\n/);
  const start = lines.findIndex((line) => /^##\s+\[unreleased\]/i.test(line));
  if (start < 0) return false;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => /^##\s/.test(line));
  const words = (line: string): string[] => line.toLowerCase().match(/[a-z0-9]+(?:-[a-z0-9]+)*/g) ?? [];
  return rest
    .slice(0, end < 0 ? undefined : end)
    .map(words)
    .some((line) => line.some((word) => /^floors?$/.test(word)) && line.includes(corpus.toLowerCase()));
}
