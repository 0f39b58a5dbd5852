/** Declares the interface of the engines, which run the network of a model in Node.js or in a browser. */

/** The engines: `native` is ONNX Runtime as machine code; `portable` is our own code, which runs in any JavaScript. */
export const ENGINE_NAMES = ["native", "portable"] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/**
 * Arguments of `npm install` for a missing package: the version of package.json, without its install script, which
 * downloads files for graphics cards and fails behind a firewall.
 */
export const NATIVE_PACKAGE = "--ignore-scripts onnxruntime-node@1.30.0";

/** Numbers in row-major order; `dims` is the length of each axis, and empty for a single number. */
export interface Tensor {
  readonly data: Float32Array | Int32Array;
  readonly dims: readonly number[];
}

/** A network that is ready to run. */
export interface Graph {
  readonly inputs: readonly string[];
  /** Returns outputs by name. Callers must not pass inputs without rows: ONNX Runtime would end the process. */
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
  close(): Promise<void>;
}

export interface Engine {
  readonly name: EngineName;
  /** What does the work, for messages: a library with its version, or how products are computed. */
  readonly by: string;
  /** Loads the bytes of a `model.onnx`. Rejects with an Error that says what is wrong with them. */
  load(model: Uint8Array): Promise<Graph>;
}
