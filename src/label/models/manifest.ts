/** Reads a model's `model.json` as checked values, and the files that it names as checked bytes. */
import { sha256 } from "../../bytes/digest.js";
import { UsageError } from "../../outcome.js";

/** Access to the files of a model, in a folder or in the memory of a program that fetched them. */
interface ModelFiles {
  /** The name of the model in messages. */
  readonly name: string;
  /** Returns the bytes of a file. Throws MissingFile if it cannot be read. */
  read(file: string): Uint8Array;
  /** Returns the SHA-256 in hexadecimal digits, by the fastest method of the platform. */
  digest(bytes: Uint8Array): string;
}

/** Says why a file of the model cannot be read, as the end of a message: "there is no table.bin in it". */
export class MissingFile extends Error {}

/** Reads `model.json` by path, like "table.rows". Throws UsageError, which names model and field, for wrong values. */
export class Manifest {
  readonly #files: ModelFiles;
  readonly #json: unknown;

  constructor(files: ModelFiles) {
    this.#files = files;
    try {
      this.#json = JSON.parse(new TextDecoder().decode(this.#read("model.json")));
    } catch (error) {
      if (error instanceof SyntaxError) this.refuse(`its model.json is not JSON (${error.message})`);
      throw error;
    }
  }

  refuse(problem: string): never {
    throw new UsageError(
      `the model in ${this.#files.name} cannot be used: ${problem}. Use the model that came with this version of thresher, ` +
        `or train one with it (see models/train/README.md).`,
    );
  }

  text(path: string): string {
    const value = this.#at(path);
    return typeof value === "string" ? value : this.refuse(`model.json has no text at "${path}"`);
  }

  number(path: string): number {
    const value = this.#at(path);
    return typeof value === "number" && Number.isFinite(value)
      ? value
      : this.refuse(`model.json has no number at "${path}"`);
  }

  count(path: string): number {
    const value = this.number(path);
    return Number.isInteger(value) && value > 0
      ? value
      : this.refuse(`"${path}" in model.json is not a whole number above 0`);
  }

  /** Returns a list of texts without duplicates. */
  texts(path: string): string[] {
    const list = this.#at(path);
    if (!Array.isArray(list)) this.refuse(`model.json has no list at "${path}"`);
    // Array.isArray gives any[]; as unknown[] each member is checked.
    const texts = (list as readonly unknown[]).filter((value) => typeof value === "string");
    if (texts.length !== list.length) this.refuse(`"${path}" in model.json is not a list of texts only`);
    if (new Set(texts).size !== texts.length) this.refuse(`"${path}" in model.json has the same text twice`);
    return texts;
  }

  /** Returns a list of exactly `count` numbers. */
  numbers(path: string, count: number): number[] {
    const list = this.#at(path);
    const size = Array.isArray(list) ? list.length : 0;
    if (size !== count) this.refuse(`"${path}" in model.json is not a list of ${count} numbers`);
    return Array.from({ length: count }, (_, at) => this.number(`${path}.${at}`));
  }

  sameList(path: string, wanted: readonly string[]): void {
    const list = this.#at(path);
    if (!Array.isArray(list)) this.refuse(`model.json has no list at "${path}"`);
    // Array.isArray gives any[]; as unknown[] each member is checked by comparison.
    const values = list as readonly unknown[];
    const at = wanted.findIndex((name, place) => values[place] !== name);
    if (at >= 0)
      this.refuse(
        `its ${path} are not in the order of this version: place ${at + 1} is "${String(values[at])}" in model.json ` +
          `and "${wanted[at] ?? ""}" in the code`,
      );
    if (values.length !== wanted.length)
      this.refuse(`it has ${values.length} ${path}, but this version of thresher has ${wanted.length}`);
  }

  /** Returns the names of the top-level fields that describe a file with its digest, sorted. */
  parts(): string[] {
    const names = typeof this.#json === "object" && this.#json !== null ? Object.keys(this.#json) : [];
    return names.filter((name) => typeof this.#at(`${name}.sha256`) === "string").sort();
  }

  has(path: string): boolean {
    return this.#at(path) !== undefined;
  }

  /** Returns all of model.json as text. It holds the digest of each file, so the same text means the same model. */
  whole(): string {
    return JSON.stringify(this.#json);
  }

  /** Returns 16 hexadecimal digits of the SHA-256 of the texts and the values at the paths, null for missing ones. */
  digest(texts: readonly string[], paths: readonly string[]): string {
    const values = paths.map((path) => this.#at(path) ?? null);
    return sha256(JSON.stringify([texts, values])).slice(0, 16);
  }

  /** Returns the bytes of a file that model.json names. Throws UsageError if its digest is not the recorded one. */
  file(part: string): Uint8Array {
    const bytes = this.#read(this.fileName(part));
    this.compare(part, this.#files.digest(bytes));
    return bytes;
  }

  /** Returns the name of a part's file. Throws UsageError for a path that leads out of the model's folder. */
  fileName(part: string): string {
    const name = this.text(`${part}.file`);
    // Encoders are in the folder `onnx`, following the layout of the Hugging Face hub.
    const isPlain = /^(?:onnx\/)?[\w.-]+$/.test(name) && !name.endsWith("..");
    return isPlain ? name : this.refuse(`"${part}.file" is not a plain file name`);
  }

  /** Throws UsageError if the SHA-256 of a part's file is not the recorded one. */
  compare(part: string, digest: string): void {
    if (digest !== this.text(`${part}.sha256`))
      this.refuse(
        `${this.fileName(part)} is not the file that model.json describes (sha256 ${digest.slice(0, 12)}…): ` +
          `it was changed or cut short`,
      );
  }

  #read(name: string): Uint8Array {
    try {
      return this.#files.read(name);
    } catch (error) {
      if (error instanceof MissingFile) this.refuse(error.message);
      throw error;
    }
  }

  #at(path: string): unknown {
    let value: unknown = this.#json;
    for (const key of path.split(".")) {
      if (typeof value !== "object" || value === null) return undefined;
      // Any key of a non-null object may be read; the result is unknown again.
      value = (value as Readonly<Record<string, unknown>>)[key];
    }
    return value;
  }
}
