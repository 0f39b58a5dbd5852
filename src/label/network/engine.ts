/** Declares the seam of the engines: what runs the network of a model, in Node.js as in a browser. */

/** The engines by name: ONNX Runtime as machine code, and our own code, which runs wherever JavaScript does. */
export const ENGINE_NAMES = ["native", "portable"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/**
 * What `npm install` should be told where the package is missing: the version of package.json, and without its install
 * script, which fetches what graphics cards need and fails behind a firewall.
 */
export const NATIVE_PACKAGE = "--ignore-scripts onnxruntime-node@1.30.0";

/** Numbers in rows; `dims` says how many there are of each size, and an empty list is a single number. */
export interface Tensor {
  readonly data: Float32Array | Int32Array;
  readonly dims: readonly number[];
}

/** A network that is ready to run. */
export interface Graph {
  readonly inputs: readonly string[];
  /** Outputs by name. Never call it without rows: ONNX Runtime ends the process. */
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  close(): Promise<void>;
}

export interface Engine {
  readonly name: EngineName;
  /** What does the work, for people: a library with its version, or how products are made. */
  readonly by: string;
  /** Reads the bytes of a `model.onnx`; throws an Error that says what is wrong with them. */
  load(model: Uint8Array): Promise<Graph>;
}
