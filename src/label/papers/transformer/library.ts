/** Opens a local folder in the hub's layout as tokenizer and encoder; only this file uses @huggingface/transformers. */
import { UsageError } from "../../../outcome.js";
import { codeOf, messageOf } from "../../../thrown.js";
import { SESSION_OPTIONS, silenceRuntime } from "../../network/native-engine.js";

/** The package to install when it is missing, in the version of package.json. */
const PACKAGE = "@huggingface/transformers@4.3.1";

/** A batch of rows with the same number of tokens; shorter lines are padded and masked. */
export interface TokenBatch {
  readonly rows: number;
  readonly tokens: number;
  /** rows × tokens. */
  readonly ids: BigInt64Array;
  readonly mask: BigInt64Array;
}

/** A tensor of the shape `dims`, in row-major order. */
export interface EncoderOutput {
  readonly data: Float32Array;
  readonly dims: readonly number[];
}

export interface Encoder {
  /** Returns the token numbers of a text, without the special tokens around it. */
  tokenize(text: string): number[];
  /** The special tokens before and after a line. */
  readonly before: readonly number[];
  readonly behind: readonly number[];
  readonly padding: number;
  /** The highest token number of the tokenizer, and the size of the network's vocabulary. */
  readonly highest: number;
  readonly known: number;
  /** Returns the outputs by name. Throws for a batch without rows or tokens, which would crash the process. */
  run(batch: TokenBatch): Promise<Readonly<Record<string, EncoderOutput>>>;
  close(): Promise<void>;
}

/** The parts of the package that are used here; it may not be installed, so its own types cannot be imported. */
interface Library {
  readonly env: { logLevel: number; allowRemoteModels: boolean };
  readonly LogLevel: { readonly NONE: number };
  readonly AutoTokenizer: { from_pretrained(folder: string, options: object): Promise<Tokenizer> };
  readonly AutoModel: { from_pretrained(folder: string, options: object): Promise<Model> };
  readonly Tensor: new (type: "int64", data: BigInt64Array, dims: readonly number[]) => object;
}

interface Tokenizer {
  encode(text: string, options?: { readonly add_special_tokens: boolean }): number[];
  readonly pad_token_id?: number;
  get_vocab(): ReadonlyMap<string, number> | Readonly<Record<string, number>>;
}

interface Model {
  (
    inputs: object,
  ): Promise<Readonly<Record<string, { readonly data: unknown; readonly dims: readonly number[] }>>>;
  dispose(): Promise<unknown>;
  readonly config: { readonly vocab_size?: unknown };
}

async function importLibrary(): Promise<Library> {
  let library: unknown;
  silenceRuntime();
  try {
    library = await import("@huggingface/transformers");
  } catch (cause) {
    throw new UsageError(
      `the labeller transformer needs an optional package that ${isMissing(cause) ? "is not installed" : "cannot be loaded"}; ` +
        `run: npm install ${PACKAGE}`,
      { cause },
    );
  }
  // Safe to cast: the version is pinned, and a mismatch would fail at once, before any document.
  const loaded = library as Library;
  // Otherwise it prints its own warnings, and looks on the hub for files that the folder lacks.
  loaded.env.logLevel = loaded.LogLevel.NONE;
  loaded.env.allowRemoteModels = false;
  return loaded;
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === "ERR_MODULE_NOT_FOUND";
}

export interface EncoderFolder {
  /** An absolute path. */
  readonly folder: string;
  readonly isQuantized: boolean;
  /** Throws UsageError that says what is wrong with the folder. */
  readonly refuse: (problem: string) => never;
}

/** Opens tokenizer and network of a folder without any network request. Throws UsageError when either is unusable. */
export async function openEncoder({ folder, isQuantized, refuse }: EncoderFolder): Promise<Encoder> {
  const { AutoTokenizer, AutoModel, Tensor } = await importLibrary();
  const local = { local_files_only: true };
  const tokenizer = await AutoTokenizer.from_pretrained(folder, local).catch((cause: unknown) =>
    refuse(`its tokenizer cannot be read (${inOneLine(cause)})`),
  );
  const model = await AutoModel.from_pretrained(folder, {
    ...local,
    device: "cpu",
    dtype: isQuantized ? "q8" : "fp32",
    session_options: SESSION_OPTIONS,
  }).catch((cause: unknown) => refuse(`its encoder cannot be loaded (${inOneLine(cause)})`));
  const { vocab_size: known } = model.config;
  return {
    tokenize: (text) => tokenizer.encode(text, { add_special_tokens: false }),
    ...surrounding(tokenizer),
    padding: tokenizer.pad_token_id ?? 0,
    highest: highestOf(tokenizer.get_vocab()),
    known: typeof known === "number" ? known : refuse(`its config.json has no "vocab_size"`),
    async run({ rows, tokens, ids, mask }) {
      if (rows === 0 || tokens === 0) throw new Error("a document without lines must not reach the runtime");
      const dims = [rows, tokens];
      const result = await model({
        input_ids: new Tensor("int64", ids, dims),
        attention_mask: new Tensor("int64", mask, dims),
      });
      const outputs = Object.entries(result).flatMap(([name, { data, dims: of }]) =>
        data instanceof Float32Array ? [[name, { data, dims: of }] as const] : [],
      );
      return Object.fromEntries(outputs);
    },
    async close() {
      await model.dispose();
    },
  };
}

/** Finds the special tokens that the tokenizer puts around a text, by tokenizing "a" with and without them. */
function surrounding(tokenizer: Tokenizer): { before: readonly number[]; behind: readonly number[] } {
  const inner = tokenizer.encode("a", { add_special_tokens: false });
  const whole = tokenizer.encode("a");
  const extra = whole.length - inner.length;
  for (let start = 0; start <= extra; start++)
    if (inner.every((id, at) => whole[start + at] === id))
      return { before: whole.slice(0, start), behind: whole.slice(start + inner.length) };
  throw new Error("the tokenizer changes a text when it puts special tokens around it");
}

function highestOf(vocabulary: ReadonlyMap<string, number> | Readonly<Record<string, number>>): number {
  const numbers = vocabulary instanceof Map ? vocabulary.values() : Object.values(vocabulary);
  let highest = -1;
  // A loop, because a vocabulary has too many numbers for the arguments of Math.max.
  for (const number of numbers as Iterable<number>) if (number > highest) highest = number;
  return highest;
}

function inOneLine(error: unknown): string {
  return messageOf(error).replaceAll(/\s+/g, " ").slice(0, 300);
}
