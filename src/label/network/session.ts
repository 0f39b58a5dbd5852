/** Runs a model's network with an engine: features of a document in, logits of its lines and of the whole out. */
import { UsageError } from "../../outcome.js";
import type { LineGroups } from "../features/page/line-groups.js";
import type { Engine, Graph, Tensor } from "./engine.js";

export interface Logits {
  /** One logit per line. */
  readonly lines: Float32Array;
  /**
   * The output for the whole document, if the model has one. For a page: one logit per page type, then one for main
   * content. For a text: the shares of its conditions.
   */
  readonly whole?: Float32Array;
}

export interface NetworkInput {
  readonly rows: number;
  /** rows × columns. */
  readonly hand: Float32Array;
  /** rows × bag values. */
  readonly bags: Float32Array;
  /** rows × piece values, for a model with word pieces. */
  readonly pieces?: Float32Array;
  /**
   * The condition of a text, for a model with that input: a share for each condition, or zeros if unknown; then how far
   * its language is one that the network for crawled text knows.
   */
  readonly condition?: Float32Array;
  /** Groups of related lines, for a model with that input. */
  readonly groups?: LineGroups;
}

export interface Session {
  readonly takesGroups: boolean;
  /** Rejects with an Error if there are no rows, because ONNX Runtime would end the process. */
  run(input: NetworkInput): Promise<Logits>;
  close(): Promise<void>;
}

/** Opens the network of the model in `folder`. Throws UsageError if the engine cannot load it. */
export async function openModel(network: Uint8Array, folder: string, engine: Engine): Promise<Session> {
  return toSession(await loadGraph(network, folder, engine));
}

async function loadGraph(network: Uint8Array, folder: string, engine: Engine): Promise<Graph> {
  try {
    return await engine.load(network);
  } catch (cause) {
    const why = cause instanceof Error ? `: ${cause.message}` : "";
    throw new UsageError(
      `a network of the model in ${folder} cannot be loaded by the engine ${engine.name} (${engine.by})${why}`,
      { cause },
    );
  }
}

function toSession(graph: Graph): Session {
  return {
    takesGroups: graph.inputs.includes("groups"),
    async run({ rows, hand, bags, pieces, condition, groups }) {
      const result = await graph.run({
        hand: toRows(hand, rows),
        bags: toRows(bags, rows),
        ...(pieces && { pieces: toRows(pieces, rows) }),
        ...(condition && { condition: { data: condition, dims: [condition.length] } }),
        ...(groups && {
          groups: toRows(groups.of, rows),
          shares: { data: groups.shares, dims: [groups.shares.length] },
        }),
      });
      const lines = result["logits"]?.data;
      if (!(lines instanceof Float32Array) || lines.length !== rows)
        throw new Error(`the model did not return one logit for each of ${rows} lines`);
      const whole = (result["page"] ?? result["conditions"])?.data;
      return whole instanceof Float32Array ? { lines, whole } : { lines };
    },
    close: () => graph.close(),
  };
}

function toRows(data: Tensor["data"], rows: number): Tensor {
  if (rows === 0) throw new Error("a document without lines must not reach the engine");
  return { data, dims: [rows, data.length / rows] };
}

/** A network with any inputs and outputs of floats. */
export interface Network {
  /** Each input is rows × columns. Rejects if there are no rows, because ONNX Runtime would end the process. */
  run(
    rows: number,
    inputs: Readonly<Record<string, Float32Array>>,
  ): Promise<Readonly<Record<string, Float32Array>>>;
  close(): Promise<void>;
}

/** Opens a network of the model in `folder`. Throws UsageError if the engine cannot load it. */
export async function openNetwork(network: Uint8Array, folder: string, engine: Engine): Promise<Network> {
  const graph = await loadGraph(network, folder, engine);
  return {
    async run(rows, inputs) {
      const tensors = Object.entries(inputs).map(([name, data]) => [name, toRows(data, rows)] as const);
      const result = await graph.run(Object.fromEntries(tensors));
      const outputs = Object.entries(result).flatMap(([name, { data }]) =>
        data instanceof Float32Array ? [[name, data] as const] : [],
      );
      return Object.fromEntries(outputs);
    },
    close: () => graph.close(),
  };
}
