/** The bytes of a model's network into a function that runs it, with the runtime's settings that the package uses. */
import { InferenceSession, Tensor } from "onnxruntime-node";

export interface Network {
  /** Both are rows × values; whatever else the network asks is answered with zeros: nobody said anything. */
  run(rows: number, hand: Float32Array, bags: Float32Array): Promise<void>;
  close(): Promise<void>;
}

export async function openNetwork(bytes: Uint8Array): Promise<Network> {
  const session = await InferenceSession.create(bytes, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    logSeverityLevel: 3,
  });
  const others = session.inputMetadata.filter(({ name }) => name !== "hand" && name !== "bags");
  const zeros = others.map((input) => {
    const shape = input.isTensor ? input.shape.map(Number) : [];
    const size = shape.reduce((all, one) => all * one, 1);
    return [input.name, new Tensor("float32", new Float32Array(size), shape)] as const;
  });
  return {
    async run(rows, hand, bags) {
      await session.run({
        ...Object.fromEntries(zeros),
        hand: new Tensor("float32", hand, [rows, hand.length / rows]),
        bags: new Tensor("float32", bags, [rows, bags.length / rows]),
      });
    },
    close: () => session.release(),
  };
}
