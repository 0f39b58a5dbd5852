/** Turns a model folder into a checked model: every promise of `model.json` is compared with the code and the files. */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../outcome.js";
import { BAGS, STRIPE, TABLE_ROWS } from "./features/bags.js";
import { COLUMNS } from "./features/columns.js";
import { FOCUSES, type Focus } from "./labeller.js";

/** Where the shipped models lie: two folders up from here, in `src/` as in `dist/`. */
const MODELS = fileURLToPath(new URL("../../models/", import.meta.url));
export const DEFAULT_TEXT_MODEL = join(MODELS, "text-1");

export interface TextModel {
  readonly name: string;
  /** Names the weights: the first digits of the digests of both files. */
  readonly digest: string;
  readonly network: Uint8Array;
  /** TABLE_ROWS × width, times `scale`. */
  readonly table: Int8Array;
  readonly width: number;
  readonly scale: number;
  readonly window: { readonly lines: number; readonly context: number };
  /** P(content) = 1 / (1 + exp(-(slope × logit + offset))). */
  readonly calibration: { readonly slope: number; readonly offset: number };
  readonly thresholds: Readonly<Record<Focus, number>>;
}

/** Reads a folder with `model.json`, the network and the table. Throws UsageError when anything does not fit. */
export function loadTextModel(folder: string = DEFAULT_TEXT_MODEL): TextModel {
  const about = new Manifest(folder);
  const kind = about.text("kind");
  if (kind !== "text") about.refuse(`its kind is "${kind}", and the labeller "text" needs kind "text"`);
  about.sameList("columns", COLUMNS);
  about.sameList("bags", BAGS);
  if (about.number("table.rows") !== TABLE_ROWS)
    about.refuse(
      `its table has ${about.number("table.rows")} rows, and this version of thresher needs ${TABLE_ROWS}`,
    );
  const network = about.file("network");
  const table = about.file("table");
  const width = about.count("table.width");
  if (width % STRIPE !== 0) about.refuse(`its table is ${width} wide, which is no multiple of ${STRIPE}`);
  if (table.byteLength !== TABLE_ROWS * width)
    about.refuse(`its table does not hold ${TABLE_ROWS} × ${width} values`);
  return {
    name: about.text("name"),
    digest: digestOf(about),
    network,
    table: new Int8Array(table.buffer, table.byteOffset, table.byteLength),
    width,
    scale: about.number("table.scale"),
    window: { lines: about.count("window.lines"), context: about.count("window.context") },
    calibration: { slope: about.number("calibration.slope"), offset: about.number("calibration.offset") },
    thresholds: thresholdsOf(about),
  };
}

export interface ModelCard {
  readonly name: string;
  /** The name of the labeller that can use it. */
  readonly kind: string;
  /** As in the loaded model. */
  readonly digest: string;
}

/** What a model says of itself; its weights are not read. Throws UsageError when it says nothing. */
export function readModelCard(folder: string): ModelCard {
  const about = new Manifest(folder);
  return { name: about.text("name"), kind: about.text("kind"), digest: digestOf(about) };
}

function digestOf(about: Manifest): string {
  return `${about.text("network.sha256").slice(0, 8)}${about.text("table.sha256").slice(0, 8)}`;
}

function thresholdsOf(about: Manifest): Record<Focus, number> {
  const [precision, balanced, recall] = FOCUSES.map((focus) => {
    const value = about.number(`thresholds.${focus}`);
    if (value <= 0 || value >= 1) about.refuse(`its threshold for ${focus} is ${value}, not between 0 and 1`);
    return value;
  });
  // FOCUSES has exactly these three, in this order; number() has checked each.
  return { precision: precision ?? 0.5, balanced: balanced ?? 0.5, recall: recall ?? 0.5 };
}

/** `model.json`, read by path; every miss is a UsageError that names the folder and the field. */
class Manifest {
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

  /** The bytes of a file that model.json names, if its digest is the recorded one. */
  file(part: string): Buffer {
    const name = this.text(`${part}.file`);
    if (!/^[\w.-]+$/.test(name)) this.refuse(`"${part}.file" is not a plain file name`);
    const bytes = this.#read(name);
    const digest = createHash("sha256").update(bytes).digest("hex");
    if (digest !== this.text(`${part}.sha256`))
      this.refuse(
        `${name} is not the file that model.json describes (sha256 ${digest.slice(0, 12)}…): it was changed or cut short`,
      );
    return bytes;
  }

  #read(name: string): Buffer {
    try {
      return readFileSync(join(this.#folder, name));
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "";
      return this.refuse(
        reason === "ENOENT" ? `there is no ${name} in it` : `its ${name} cannot be read (${reason})`,
      );
    }
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

export interface ShippedModel {
  readonly name: string;
  readonly kind: string;
  /** Of the files that a labeller reads. */
  readonly bytes: number;
  readonly path: string;
}

/** The models that came with this version, by name. */
export function listModels(): ShippedModel[] {
  const folders = readdirSync(MODELS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const path = join(MODELS, name);
    if (!readdirSync(path).includes("model.json")) return [];
    const about = new Manifest(path);
    const files = ["model.json", about.text("network.file"), about.text("table.file")];
    const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).size, 0);
    return [{ name: about.text("name"), kind: about.text("kind"), bytes, path }];
  });
}
