/** An element path into the lists that it leads through, the outermost first. */

export type ListTag = "ul" | "ol";

export function findLists(path: string): readonly ListTag[] {
  // The pattern matches nothing but the two tags.
  return (path.match(/(?<=^|>)[ou]l(?=[>.#[]|$)/g) ?? []) as ListTag[];
}

export function countLists(path: string): number {
  return findLists(path).length;
}
