/** Runs networks with ONNX Runtime, as its one door: features of one document in, one logit a line out, and those of the page. */
import { UsageError } from "../../outcome.js";
import { InferenceSession, Tensor } from "onnxruntime-node";
import type { Session } from "./network.js";

/** Opens the network of the model in `folder`. Throws UsageError when the runtime cannot load it. */
export async function openModel(network: Uint8Array, folder: string): Promise<Session> {
  try {
    return await openSession(network);
  } catch (cause) {
    throw new UsageError(`the network of the model in ${folder} cannot be loaded by ONNX Runtime`, { cause });
  }
}

/** One thread, and errors only: warnings would go straight to stderr. */
export const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  logSeverityLevel: 3,
} as const;

/** Opens a model. One session per labeller: making many leaks memory in the runtime. */
export async function openSession(model: Uint8Array): Promise<Session> {
  const session = await InferenceSession.create(model, SESSION_OPTIONS);
  return {
    takesGroups: session.inputNames.includes("groups"),
    async run({ rows, hand, bags, pieces, condition, groups }) {
      if (rows === 0) throw new Error("a document without lines must not reach the runtime");
      const result = await session.run({
        hand: new Tensor("float32", hand, [rows, hand.length / rows]),
        bags: new Tensor("float32", bags, [rows, bags.length / rows]),
        ...(pieces && { pieces: new Tensor("float32", pieces, [rows, pieces.length / rows]) }),
        ...(condition && { condition: new Tensor("float32", condition, [condition.length]) }),
        ...(groups && {
          groups: new Tensor("int32", groups.of, [rows, groups.of.length / rows]),
          shares: new Tensor("float32", groups.shares, [groups.shares.length]),
        }),
      });
      const lines = result["logits"]?.data;
      if (!(lines instanceof Float32Array) || lines.length !== rows)
        throw new Error(`the model gave no logit for each of ${rows} lines`);
      const whole = (result["page"] ?? result["conditions"])?.data;
      return whole instanceof Float32Array ? { lines, whole } : { lines };
    },
    async close() {
      await session.release();
    },
  };
}

/** A network of any inputs and outputs, all of floats. */
export interface Network {
  readonly inputs: readonly string[];
  /** Each input is rows × columns. Never call it with no rows: that ends the process. */
  run(
    rows: number,
    inputs: Readonly<Record<string, Float32Array>>,
  ): Promise<Readonly<Record<string, Float32Array>>>;
  close(): Promise<void>;
}

/** Opens a network of the model in `folder`. Throws UsageError when the runtime cannot load it. */
export async function openNetwork(network: Uint8Array, folder: string): Promise<Network> {
  const session = await InferenceSession.create(network, SESSION_OPTIONS).catch((cause: unknown) => {
    throw new UsageError(`a network of the model in ${folder} cannot be loaded by ONNX Runtime`, { cause });
  });
  return {
    inputs: session.inputNames,
    async run(rows, inputs) {
      if (rows === 0) throw new Error("a document without lines must not reach the runtime");
      const tensors = Object.entries(inputs).map(
        ([name, data]) => [name, new Tensor("float32", data, [rows, data.length / rows])] as const,
      );
      const result = await session.run(Object.fromEntries(tensors));
      const outputs = Object.entries(result).flatMap(([name, { data }]) =>
        data instanceof Float32Array ? [[name, data] as const] : [],
      );
      return Object.fromEntries(outputs);
    },
    close: () => session.release(),
  };
}
