/** Names and lists the models that ship with this version. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readManifest } from "./model-folder.js";

/** The folder of the shipped models, which has the same relative path from `src/` as from `dist/`. */
const MODELS = fileURLToPath(new URL("../../../models/", import.meta.url));
export const DEFAULT_TEXT_MODEL = join(MODELS, "text-7");
export const DEFAULT_PAGE_MODEL = join(MODELS, "page-6");
export const DEFAULT_REGISTERS_MODEL = join(MODELS, "registers-2");
export const DEFAULT_TEXREX_MODEL = join(MODELS, "texrex-1");
export const DEFAULT_BOILERNET_MODEL = join(MODELS, "multiboilernet-1");
export const DEFAULT_FASTTEXT_MODEL = join(MODELS, "fasttext-1");

interface ShippedModel {
  readonly name: string;
  readonly kind: string;
  /** Total size of the files that a labeller reads. */
  readonly bytes: number;
  readonly path: string;
}

/** Lists the models that ship with this version. */
export function listModels(): ShippedModel[] {
  const folders = readdirSync(MODELS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => {
    const path = join(MODELS, name);
    if (!readdirSync(path).includes("model.json")) return [];
    const about = readManifest(path);
    const files = ["model.json", ...about.parts().map((part) => about.text(`${part}.file`))];
    const bytes = files.reduce((sum, file) => sum + statSync(join(path, file)).size, 0);
    return [{ name: about.text("name"), kind: about.text("kind"), bytes, path }];
  });
}
