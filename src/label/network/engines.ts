/** Chooses the engine that runs networks in Node.js: ONNX Runtime if it is installed and loads, else our own code. */
import { UsageError } from "../../outcome.js";
import { codeOf, messageOf } from "../../thrown.js";
import { NATIVE_PACKAGE, type Engine, type EngineName } from "./engine.js";
import { openNativeEngine } from "./native-engine.js";

/** Loaded once; a failure is kept and not retried. */
let native: Promise<Engine> | undefined;

/** Opens the named engine, or the best available one. Throws UsageError if `native` is named and cannot be loaded. */
export async function chooseEngine(name?: EngineName): Promise<Engine> {
  if (name === "portable") return openPortableEngine();
  try {
    native ??= openNativeEngine();
    return await native;
  } catch (cause) {
    if (name === undefined) return openPortableEngine();
    throw new UsageError(
      `the engine native needs an optional package that ${whyNot(cause)}; run: npm install ${NATIVE_PACKAGE}`,
      { cause },
    );
  }
}

/** Imports the engine only on demand, because most machines use the native one. */
async function openPortableEngine(): Promise<Engine> {
  return (await import("./portable/portable-engine.js")).createPortableEngine();
}

function whyNot(error: unknown): string {
  if (codeOf(error) === "ERR_MODULE_NOT_FOUND") return "is not installed";
  const [first = ""] = messageOf(error).split("\n", 1);
  return `cannot be loaded (${first})`;
}

/** Returns the name of an engine for statistics. */
export function describeEngine({ name, by }: Engine): string {
  return `${name} (${by})`;
}

interface ListedEngine {
  readonly name: EngineName;
  /** Whether it runs networks if no engine is named. */
  readonly isDefault: boolean;
  /** The library or method that it uses, or why it cannot be loaded. */
  readonly about: string;
}

/** Lists both engines and says which one is the default on this machine. */
export async function listEngines(): Promise<readonly ListedEngine[]> {
  const { by } = await openPortableEngine();
  const listed = await chooseEngine("native").then(
    (engine) => ({ isDefault: true, about: engine.by }),
    (error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      return { isDefault: false, about: error.message };
    },
  );
  return [
    { name: "native", ...listed },
    { name: "portable", isDefault: !listed.isDefault, about: by },
  ];
}
