/** Reads a model folder: `model.json` as checked values, and the files that it names as checked bytes. */
import { createHash, type Hash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { UsageError } from "../../outcome.js";

/** `model.json`, read by path; every miss is a UsageError that names the folder and the field. */
export class Manifest {
  readonly #folder: string;
  readonly #json: unknown;

  constructor(folder: string) {
    this.#folder = folder;
    try {
      this.#json = JSON.parse(this.#read("model.json").toString("utf8"));
    } catch (error) {
      if (error instanceof SyntaxError) this.refuse(`its model.json is not JSON (${error.message})`);
      throw error;
    }
  }

  refuse(problem: string): never {
    throw new UsageError(
      `the model in ${this.#folder} cannot be used: ${problem}. Use the model that came with this version of thresher, ` +
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

  /** A list of texts, each once. */
  texts(path: string): string[] {
    const list = this.#at(path);
    if (!Array.isArray(list)) this.refuse(`model.json has no list at "${path}"`);
    // Array.isArray gives any[]; as unknown[] each member is checked.
    const texts = (list as readonly unknown[]).filter((value) => typeof value === "string");
    if (texts.length !== list.length) this.refuse(`"${path}" in model.json has more in it than texts`);
    if (new Set(texts).size !== texts.length) this.refuse(`"${path}" in model.json has the same text twice`);
    return texts;
  }

  /** So many numbers. */
  numbers(path: string, count: number): number[] {
    const list = this.#at(path);
    const size = Array.isArray(list) ? list.length : 0;
    if (size !== count) this.refuse(`"${path}" in model.json is no list of ${count} numbers`);
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
        `its ${path} are in another order than this version's: place ${at + 1} is "${String(values[at])}" in model.json ` +
          `and "${wanted[at] ?? ""}" in the code`,
      );
    if (values.length !== wanted.length)
      this.refuse(`it has ${values.length} ${path}, and this version of thresher has ${wanted.length}`);
  }

  /** The parts that name a file and its digest, in the order of the alphabet. */
  parts(): string[] {
    const names = typeof this.#json === "object" && this.#json !== null ? Object.keys(this.#json) : [];
    return names.filter((name) => typeof this.#at(`${name}.sha256`) === "string").sort();
  }

  has(path: string): boolean {
    return this.#at(path) !== undefined;
  }

  /** The first digits of a digest of these texts and of what is at these paths, if anything does. */
  digest(texts: readonly string[], paths: readonly string[]): string {
    const values = paths.map((path) => this.#at(path) ?? null);
    return createHash("sha256")
      .update(JSON.stringify([texts, values]))
      .digest("hex")
      .slice(0, 16);
  }

  /** The bytes of a file that model.json names, if its digest is the recorded one. */
  file(part: string): Buffer {
    const name = this.fileName(part);
    const bytes = this.#read(name);
    this.#compare(part, createHash("sha256").update(bytes));
    return bytes;
  }

  /** Looks whether a file is the one that model.json names, without holding it: encoders can have more than a gigabyte. */
  async check(part: string): Promise<void> {
    const name = this.fileName(part);
    const digest = createHash("sha256");
    try {
      await pipeline(createReadStream(join(this.#folder, name)), digest);
    } catch (error) {
      this.#refuseFile(name, error);
    }
    this.#compare(part, digest);
  }

  /** Never one outside the folder. */
  fileName(part: string): string {
    const name = this.text(`${part}.file`);
    // Encoders lie in a folder of their own, by the layout of the Hugging Face hub.
    const isPlain = /^(?:onnx\/)?[\w.-]+$/.test(name) && !name.endsWith("..");
    return isPlain ? name : this.refuse(`"${part}.file" is not a plain file name`);
  }

  #compare(part: string, hash: Hash): void {
    const digest = hash.digest("hex");
    if (digest !== this.text(`${part}.sha256`))
      this.refuse(
        `${this.fileName(part)} is not the file that model.json describes (sha256 ${digest.slice(0, 12)}…): ` +
          `it was changed or cut short`,
      );
  }

  #read(name: string): Buffer {
    try {
      return readFileSync(join(this.#folder, name));
    } catch (error) {
      return this.#refuseFile(name, error);
    }
  }

  #refuseFile(name: string, error: unknown): never {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "";
    this.refuse(reason === "ENOENT" ? `there is no ${name} in it` : `its ${name} cannot be read (${reason})`);
  }

  #at(path: string): unknown {
    let value: unknown = this.#json;
    for (const key of path.split(".")) {
      if (typeof value !== "object" || value === null) return undefined;
      // A non-null object may be read by any key; the result is unknown again.
      value = (value as Readonly<Record<string, unknown>>)[key];
    }
    return value;
  }
}
