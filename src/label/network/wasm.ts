/**
 * Assembles functions from single WebAssembly instructions and instantiates them with a memory. Opcodes are those of
 * the specification (2.0, 5.4). Functions are assembled at run time, so that no build step is needed.
 */

/** The part of the WebAssembly interface that is used here; Node's types do not declare it. */
interface WasmRuntime {
  readonly Memory: new (size: { readonly initial: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}
interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of PAGE_BYTES. Older views of the buffer become empty. */
  grow(pages: number): number;
}

export const PAGE_BYTES = 65_536;

/** Undefined under `node --jitless` and in browsers where WebAssembly is turned off. */
function findRuntime(): WasmRuntime | undefined {
  // A global that Node's types do not declare; its shape is that of the specification.
  return (globalThis as { readonly WebAssembly?: WasmRuntime }).WebAssembly;
}

/** A function that takes i32 parameters, works on the memory and returns nothing. */
export interface WasmFunction {
  readonly parameters: number;
  /** How many other locals it has: first i32, then v128. Their indices follow those of the parameters. */
  readonly numbers: number;
  readonly vectors: number;
  readonly body: readonly number[];
}
export type Call = (...numbers: readonly number[]) => void;

export interface WasmCode<Name extends string> {
  readonly memory: WasmMemory;
  readonly call: Readonly<Record<Name, Call>>;
}

/**
 * Instantiates functions with a memory of at least `bytes` bytes. Returns undefined if that is impossible: on
 * processors without SIMD, on web pages whose policy forbids it, and under limits of address space (`ulimit -v`, as on
 * many clusters), where the runtime cannot reserve the memory.
 */
export function openWasm<Name extends string>(
  functions: Readonly<Record<Name, WasmFunction>>,
  bytes: number,
): WasmCode<Name> | undefined {
  const runtime = findRuntime();
  if (runtime === undefined) return undefined;
  try {
    const code = new runtime.Module(assemble(functions));
    const memory = new runtime.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
    // The module exports a function under each name, by its own bytes.
    const call = new runtime.Instance(code, { env: { memory } }).exports as Readonly<Record<Name, Call>>;
    return { memory, call };
  } catch (error) {
    if (error instanceof RangeError || (error instanceof Error && error.name === "CompileError"))
      return undefined;
    throw error;
  }
}

const I32 = 0x7f;
const V128 = 0x7b;

// Instructions. Blocks and loops end with END. A branch gives its target as a count outwards from the block it is in.
export const BLOCK = [0x02, 0x40];
export const LOOP = [0x03, 0x40];
export const END = 0x0b;
export const branchTo = (outer: number): number[] => [0x0c, ...whole(outer)];
export const branchIf = (outer: number): number[] => [0x0d, ...whole(outer)];
export const get = (local: number): number[] => [0x20, ...whole(local)];
export const set = (local: number): number[] => [0x21, ...whole(local)];
export const tee = (local: number): number[] => [0x22, ...whole(local)];
/** Pushes a constant from 0 to 2^30. */
export const number = (value: number): number[] => [0x41, ...signed(value)];
export const IS_BELOW = 0x49;
export const IS_NOT_BELOW = 0x4f;
export const PLUS = 0x6a;
export const TIMES = 0x6c;
export const LOAD_NUMBER = [0x28, 2, 0];
export const LOAD_NUMBER_8 = [0x2d, 0, 0];
export const LOAD_NUMBER_16 = [0x2f, 1, 0];
const vector = (code: number): number[] => [0xfd, ...whole(code)];
export const load8Bytes = (offset: number): number[] => [...vector(0x01), 0, ...whole(offset)];
export const loadVector = (offset: number): number[] => [...vector(0x00), 2, ...whole(offset)];
export const storeVector = (offset: number): number[] => [...vector(0x0b), 2, ...whole(offset)];
/** Loads one float into all four lanes. */
export const LOAD_FLOAT_4_TIMES = [...vector(0x09), 2, 0];
export const SPREAD_TO_8 = vector(0x10);
export const PLUS_8_NUMBERS = vector(0x8e);
/** Extends four of eight 16-bit integers to 32 bits. */
export const FIRST_4_OF_8 = vector(0xa7);
export const LAST_4_OF_8 = vector(0xa8);
export const SPREAD_FLOAT = vector(0x13);
/** Takes the float in one lane. */
export const floatOf = (lane: number): number[] => [...vector(0x1f), lane];
export const PLUS_FLOAT = 0x92;
export const ROOT_4_FLOATS = vector(0xe3);
export const PLUS_4_FLOATS = vector(0xe4);
export const MINUS_4_FLOATS = vector(0xe5);
export const TIMES_4_FLOATS = vector(0xe6);
export const OVER_4_FLOATS = vector(0xe7);
export const LEAST_4_FLOATS = vector(0xe8);
export const MOST_4_FLOATS = vector(0xe9);
/** First × second + third. Not every runtime has it (specification 3.0, "relaxed" instructions). */
export const TIMES_PLUS_4_FLOATS = vector(0x105);
/** Rounds to the nearest whole number, as a float. */
export const NEAREST_4_FLOATS = vector(0x6a);
export const TO_4_FLOATS = vector(0xfa);
/** Converts floats to integers. */
export const TO_4_NUMBERS = vector(0xf8);
export const SHIFT_4_NUMBERS = vector(0xab);
export const PLUS_4_NUMBERS = vector(0xae);
/** Pushes a vector with the same float in all four lanes. */
export const floats = (value: number): number[] => fourTimes(Float32Array.of(value));
/** Pushes a vector with the same 32-bit integer in all four lanes. */
export const numbers = (value: number): number[] => fourTimes(Int32Array.of(value));
function fourTimes(value: Float32Array | Int32Array): number[] {
  const bytes = [...new Uint8Array(value.buffer)];
  return [...vector(0x0c), ...bytes, ...bytes, ...bytes, ...bytes];
}

// Common sequences of instructions.
/** Adds the number that `by` pushes to a local. */
export const advance = (local: number, by: readonly number[]): number[] => [
  ...[...get(local), ...by, PLUS, ...set(local)],
];
/** Repeats `body`, each time followed by adding what `by` pushes to a local, until the local reaches the local `end`. */
export const repeat = (
  local: number,
  by: readonly number[],
  end: number,
  body: readonly number[],
): number[] => [
  ...[...LOOP, ...body, ...get(local), ...by, PLUS, ...tee(local)],
  ...[...get(end), IS_BELOW, ...branchIf(0), END],
];
/** Writes instructions for each of the numbers from 0 to `count` − 1. */
export const forEach = (count: number, write: (at: number) => readonly number[]): number[] =>
  Array.from({ length: count }, (_, at) => write(at)).flat();
/** Pushes the bytes of a vector, by which most loops advance. */
export const NEXT_VECTOR = number(16);

/** Encodes as unsigned LEB128: seven bits per byte, the low ones first. */
function whole(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...whole(value >>> 7)];
}

/** Encodes a number from 0 on as signed LEB128: the sign bit of the last byte must stay 0. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}

const sized = (bytes: readonly number[]): number[] => [...whole(bytes.length), ...bytes];
const text = (name: string): number[] => Array.from(name, (letter) => letter.charCodeAt(0));
const named = (name: string): number[] => sized(text(name));
const part = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];
const list = (items: readonly (readonly number[])[]): number[] => [...whole(items.length), ...items.flat()];

/** Assembles a module that imports a memory and exports the functions. */
function assemble(functions: Readonly<Record<string, WasmFunction>>): Uint8Array {
  const all = Object.entries(functions);
  const type = ({ parameters }: WasmFunction): number[] => [
    0x60,
    ...list(Array.from({ length: parameters }, () => [I32])),
    0,
  ];
  const code = ({ numbers, vectors, body }: WasmFunction): number[] => [
    ...list([
      [...whole(numbers), I32],
      [...whole(vectors), V128],
    ]),
    ...body,
    END,
  ];
  const module = [
    [0, ...text("asm"), 1, 0, 0, 0],
    part(1, list(all.map(([, one]) => type(one)))),
    part(2, [1, ...named("env"), ...named("memory"), 2, 0, 0]),
    part(3, list(all.map((_, at) => whole(at)))),
    part(7, list(all.map(([name], at) => [...named(name), 0, ...whole(at)]))),
    part(10, list(all.map(([, one]) => sized(code(one))))),
  ];
  return Uint8Array.from(module.flat());
}
