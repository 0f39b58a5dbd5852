/** Chooses the engine of networks in Node.js: ONNX Runtime where it is installed and loads, our own code elsewhere. */
import { UsageError } from "../../outcome.js";
import { codeOf, messageOf } from "../../thrown.js";
import { NATIVE_PACKAGE, type Engine, type EngineName } from "./engine.js";
import { openNativeEngine } from "./native-engine.js";

/** Loaded once: what is not there the first time is not looked for again. */
let native: Promise<Engine> | undefined;

/** The one that is asked for, else the best that is here. Throws UsageError where `native` is asked for and cannot be had. */
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

/** Most machines have the other one, and need not load this. */
async function openPortableEngine(): Promise<Engine> {
  return (await import("./portable/portable-engine.js")).createPortableEngine();
}

function whyNot(error: unknown): string {
  if (codeOf(error) === "ERR_MODULE_NOT_FOUND") return "is not installed";
  const [first = ""] = messageOf(error).split("\n", 1);
  return `cannot be loaded (${first})`;
}

/** As statistics name an engine. */
export function describeEngine({ name, by }: Engine): string {
  return `${name} (${by})`;
}

interface ListedEngine {
  readonly name: EngineName;
  /** Whether it runs networks where no other one is asked for. */
  readonly isDefault: boolean;
  /** What does the work, or what is missing. */
  readonly about: string;
}

/** Both engines, and which of them runs. */
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
