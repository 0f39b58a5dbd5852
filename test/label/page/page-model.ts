import { createHash } from "node:crypto";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PAGE_TYPES } from "../../../src/document.js";
import { TABLE_ROWS } from "../../../src/label/features/bags.js";
import { PAGE_COLUMNS } from "../../../src/label/features/page/place-columns.js";
import { PAGE_BAGS } from "../../../src/label/features/page/path-bags.js";

const WIDTH = 8;
const FLOAT = 1;

export interface PageModelOptions {
  readonly window?: { readonly lines: number; readonly context: number };
  readonly verdict?: {
    readonly slope: number;
    readonly letters?: number;
    readonly highest?: number;
    readonly offset: number;
    readonly threshold: number;
  };
  /** The network adds these values to the logits of the page; with `isConstant` they are the logits. */
  readonly page?: readonly number[];
  readonly isConstant?: boolean;
  /** Whether the network has the output `page`; true when absent. */
  readonly judges?: boolean;
}

/**
 * Writes a complete but untrained page model: each line's logit is a random weighting of its own columns and
 * bags, and the page's logits are one of the means of the columns. So a score depends on its line alone.
 */
export function writePageModel(options: PageModelOptions = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "page-model-"));
  const network = encodeNetwork(options);
  const table = new Uint8Array(TABLE_ROWS * WIDTH).map(() => random() * 200);
  const fileOf = (file: string, bytes: Uint8Array): { file: string; sha256: string } => {
    writeFileSync(join(folder, file), bytes);
    return { file, sha256: createHash("sha256").update(bytes).digest("hex") };
  };
  const about = {
    name: "page-random",
    kind: "page",
    columns: PAGE_COLUMNS,
    bags: PAGE_BAGS,
    types: PAGE_TYPES,
    network: fileOf("model.onnx", network),
    table: { ...fileOf("table.bin", table), rows: TABLE_ROWS, width: WIDTH, scale: 0.01 },
    window: options.window ?? { lines: 4096, context: 64 },
    calibration: { slope: 1, offset: 0 },
    verdict: { letters: 0, highest: 0, ...(options.verdict ?? { slope: 1, offset: 5, threshold: 0.01 }) },
  };
  writeFileSync(join(folder, "model.json"), JSON.stringify(about));
  return folder;
}

let state = 6;
/** The same numbers in each run of a test file. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

function encodeNetwork({ page, isConstant = false, judges = true }: PageModelOptions): Uint8Array {
  const columns = PAGE_COLUMNS.length;
  const bags = PAGE_BAGS.length * WIDTH;
  const judgements = PAGE_TYPES.length + 1;
  const weights = (size: number, scale: number): number[] =>
    Array.from({ length: size }, () => (random() - 0.5) * scale);
  const pageWeights = isConstant
    ? Array<number>(columns * judgements).fill(0)
    : weights(columns * judgements, 1);
  const lineNodes = [
    node("MatMul", ["hand", "handWeights"], "fromHand"),
    node("MatMul", ["bags", "bagWeights"], "fromBags"),
    node("Add", ["fromHand", "fromBags"], "logits"),
  ];
  const pageNodes = [
    node("ReduceMean", ["hand"], "mean", [integers("axes", [0]), integer("keepdims", 0)]),
    node("MatMul", ["mean", "pageWeights"], "fromMean"),
    node("Add", ["fromMean", "pageOffsets"], "page"),
  ];
  const graph = [
    ...[...lineNodes, ...(judges ? pageNodes : [])].flatMap((one) => field(1, one)),
    ...field(2, text("random")),
    ...field(5, tensor("handWeights", [columns, 1], weights(columns, 1))),
    ...field(5, tensor("bagWeights", [bags, 1], weights(bags, 2))),
    ...field(5, tensor("pageWeights", [columns, judgements], pageWeights)),
    ...field(5, tensor("pageOffsets", [judgements], page ?? Array<number>(judgements).fill(0))),
    ...field(11, value("hand", ["rows", columns])),
    ...field(11, value("bags", ["rows", bags])),
    ...field(12, value("logits", ["rows", 1])),
    ...(judges ? field(12, value("page", [judgements])) : []),
  ];
  return Uint8Array.from([
    ...number(1, 8),
    ...field(7, graph),
    ...field(8, [...field(1, []), ...number(2, 13)]),
  ]);
}

// These are the parts of ONNX's protocol buffers that such a network needs, by their field numbers in onnx.proto.

type Bytes = readonly number[];

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

const number = (at: number, value: number): number[] => [...varint(at * 8), ...varint(value)];
const field = (at: number, bytes: Bytes): number[] => [
  ...varint(at * 8 + 2),
  ...varint(bytes.length),
  ...bytes,
];
const text = (value: string): Bytes => [...Buffer.from(value)];

function node(
  type: string,
  inputs: readonly string[],
  output: string,
  attributes: readonly Bytes[] = [],
): Bytes {
  const names = inputs.flatMap((name) => field(1, text(name)));
  return [
    ...names,
    ...field(2, text(output)),
    ...field(4, text(type)),
    ...attributes.flatMap((one) => field(5, one)),
  ];
}

const integer = (name: string, value: number): Bytes => [
  ...field(1, text(name)),
  ...number(3, value),
  ...number(20, 2),
];
const integers = (name: string, values: Bytes): Bytes => [
  ...field(1, text(name)),
  ...values.flatMap((one) => number(8, one)),
  ...number(20, 7),
];

function tensor(name: string, shape: Bytes, values: readonly number[]): Bytes {
  const raw = new Uint8Array(Float32Array.from(values).buffer);
  return [
    ...shape.flatMap((one) => number(1, one)),
    ...number(2, FLOAT),
    ...field(8, text(name)),
    ...field(9, [...raw]),
  ];
}

function value(name: string, shape: readonly (number | string)[]): Bytes {
  const dimensions = shape.flatMap((one) =>
    field(1, typeof one === "string" ? field(2, text(one)) : number(1, one)),
  );
  const tensorType = [...number(1, FLOAT), ...field(2, dimensions)];
  return [...field(1, text(name)), ...field(2, field(1, tensorType))];
}
