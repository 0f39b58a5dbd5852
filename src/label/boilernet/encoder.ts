/** The seam between the text of a line and BoilerNet's network: whoever makes one vector a line. */

export interface LineEncoder {
  /** Values of one line. */
  readonly width: number;
  /** lines × width. Each line alone: what stands beside it must not touch its vector. */
  encode(texts: readonly string[]): Promise<Float32Array>;
  close(): Promise<void>;
}
