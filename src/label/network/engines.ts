/** Chooses the engine of networks in Node.js: ONNX Runtime where it is installed and loads, our own code elsewhere. */
import { UsageError } from "../../outcome.js";
import type { Engine, EngineName } from "./engine.js";
import { NATIVE_PACKAGE, openNativeEngine } from "./native-engine.js";
import { createPortableEngine } from "./portable/portable-engine.js";

let native: Promise<Engine> | undefined;

/** The one that is asked for, else the best that is here. Throws UsageError where `native` is asked for and cannot be had. */
export async function chooseEngine(name?: EngineName): Promise<Engine> {
  if (name === "portable") return createPortableEngine();
  try {
    native ??= openNativeEngine();
    return await native;
  } catch (cause) {
    if (name === undefined) return createPortableEngine();
    throw new UsageError(
      `the engine native needs an optional package that ${isMissing(cause) ? "is not installed" : "cannot be loaded"}; ` +
        `run: npm install ${NATIVE_PACKAGE}`,
      { cause },
    );
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
