/** The one door of ONNX Runtime: features of one document in, one logit a line out. */
import { InferenceSession, Tensor } from "onnxruntime-node";

export interface Session {
  /** `hand` is rows × columns, `bags` rows × bag values. Never call it with no rows: that ends the process. */
  run(hand: Float32Array, bags: Float32Array, rows: number): Promise<Float32Array>;
  close(): Promise<void>;
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
      const logits = result["logits"]?.data;
      if (!(logits instanceof Float32Array) || logits.length !== rows)
        throw new Error(`the model gave no logit for each of ${rows} lines`);
      return logits;
    },
    async close() {
      await session.release();
    },
  };
}
