/** Groups near-copies by the first document of each group, with their number and the first few ids. */

import { compareTexts } from "../text-order.js";
import { keepFrequent } from "./tally.js";

export interface Cluster {
  /** The id of the first document. */
  readonly first: string;
  readonly copies: number;
  /** The ids of the first copies. */
  readonly some: readonly string[];
}

/** Most clusters that are counted; beyond that, small ones are forgotten. */
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

  /** Returns the largest clusters first, equal ones sorted by id. */
  list(most: number): readonly Cluster[] {
    return [...this.#clusters]
      .map(([first, { copies, some }]) => ({ first, copies, some }))
      .sort((a, b) => b.copies - a.copies || compareTexts(a.first, b.first))
      .slice(0, most);
  }
}
