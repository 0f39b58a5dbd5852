/** The one door of ONNX Runtime: features of one document in, one logit a line out, and those of the page. */
import { UsageError } from "../outcome.js";
import { InferenceSession, Tensor } from "onnxruntime-node";

export interface Logits {
  /** One a line. */
  readonly lines: Float32Array;
  /** Of the page as a whole, where the model judges pages: one a type, then that of main content. */
  readonly page?: Float32Array;
}

export interface Session {
  /** `hand` is rows × columns, `bags` rows × bag values. Never call it with no rows: that ends the process. */
  run(hand: Float32Array, bags: Float32Array, rows: number): Promise<Logits>;
  close(): Promise<void>;
}

/** Opens the network of the model in `folder`. Throws UsageError when the runtime cannot load it. */
export async function openModel(network: Uint8Array, folder: string): Promise<Session> {
  try {
    return await openSession(network);
  } catch (cause) {
    throw new UsageError(`the network of the model in ${folder} cannot be loaded by ONNX Runtime`, { cause });
  }
}

/** Opens a model. One session per labeller: making many leaks memory in the runtime. */
export async function openSession(model: Uint8Array): Promise<Session> {
  const session = await InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // Errors only: warnings would go straight to stderr.
    logSeverityLevel: 3,
  });
  return {
    async run(hand, bags, rows) {
      if (rows === 0) throw new Error("a document without lines must not reach the runtime");
      const result = await session.run({
        hand: new Tensor("float32", hand, [rows, hand.length / rows]),
        bags: new Tensor("float32", bags, [rows, bags.length / rows]),
      });
      const lines = result["logits"]?.data;
      if (!(lines instanceof Float32Array) || lines.length !== rows)
        throw new Error(`the model gave no logit for each of ${rows} lines`);
      const page = result["page"]?.data;
      return page instanceof Float32Array ? { lines, page } : { lines };
    },
    async close() {
      await session.release();
    },
  };
}
