/** Keeps documents that are like one that came before them, by that one: how many there are, and the first few of them. */

import { keepFrequent } from "./tally.js";

export interface Cluster {
  /** The id of the document that came first. */
  readonly first: string;
  readonly copies: number;
  /** The ids of the first of these. */
  readonly some: readonly string[];
}

/** Clusters that are counted one by one; among more, the small ones are forgotten. */
const MOST_CLUSTERS = 50_000;
const MOST_NAMED = 5;

export class Clusters {
  readonly #clusters = new Map<string, { copies: number; readonly some: string[] }>();

  add(first: string, copy: string): void {
    const cluster = this.#clusters.get(first) ?? { copies: 0, some: [] };
    this.#clusters.set(first, cluster);
    cluster.copies += 1;
    if (cluster.some.length < MOST_NAMED) cluster.some.push(copy);
    if (this.#clusters.size > MOST_CLUSTERS) keepFrequent(this.#clusters, ({ copies }) => copies);
  }

  /** The largest first, of equal ones by name. */
  list(most: number): readonly Cluster[] {
    return [...this.#clusters]
      .map(([first, { copies, some }]) => ({ first, copies, some }))
      .sort((a, b) => b.copies - a.copies || (a.first < b.first ? -1 : 1))
      .slice(0, most);
  }
}
