/** Declares what a network of lines takes and gives, whichever engine runs it. */
import type { LineGroups } from "../features/page/line-groups.js";

export interface Logits {
  /** One a line. */
  readonly lines: Float32Array;
  /**
   * Of the document as a whole, where the model judges it. Of a page: one logit a type, then that of main content; of a
   * text: the shares of its conditions.
   */
  readonly whole?: Float32Array;
}

export interface NetworkInput {
  readonly rows: number;
  /** rows × columns. */
  readonly hand: Float32Array;
  /** rows × bag values. */
  readonly bags: Float32Array;
  /** rows × values of the pieces, for a model that has some. */
  readonly pieces?: Float32Array;
  /**
   * What is known of a text, for a model that asks: a share for each condition, or zeros where that is not said; then how far its
   * language is one that the network for crawled text knows.
   */
  readonly condition?: Float32Array;
  /** Which lines stand together, for a model that asks. */
  readonly groups?: LineGroups;
}

export interface Session {
  readonly takesGroups: boolean;
  /** Never call it with no rows: that ends the process. */
  run(input: NetworkInput): Promise<Logits>;
  close(): Promise<void>;
}

/** Opens a network; `place` is where messages say that it came from. Throws UsageError when the engine cannot load it. */
export type OpenSession = (network: Uint8Array, place: string) => Promise<Session>;
