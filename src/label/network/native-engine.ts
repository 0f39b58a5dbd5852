/** Runs networks with ONNX Runtime, as the engine `native`; it imports the optional package only when it is opened. */
import type { Engine, Tensor } from "./engine.js";

/** One thread, and only errors are logged, because warnings would go straight to stderr. */
export const SESSION_OPTIONS = {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  executionMode: "sequential",
  logSeverityLevel: 3,
} as const;

/**
 * Turns off the runtime's telemetry, unless the user has set the variable. On Linux and macOS the runtime (1.30,
 * `core/platform/posix/telemetry.cc`) reports what it runs to its makers, under an id kept in the user's folder, unless
 * this variable is 1 before it is loaded. A thread has a copy of the environment, so a program that runs networks in
 * threads of its own must set the variable itself.
 */
export function silenceRuntime(): void {
  process.env["ORT_DISABLE_TELEMETRY"] ??= "1";
}

/** Loads ONNX Runtime. Rethrows the error of the import if the package is missing or built for another system. */
export async function openNativeEngine(): Promise<Engine> {
  silenceRuntime();
  const { InferenceSession, Tensor: OrtTensor, env } = await import("onnxruntime-node");
  return {
    name: "native",
    by: `onnxruntime-node ${env.versions.node ?? env.versions.common}`,
    async load(model) {
      // One session per network, because creating many leaks memory in the runtime.
      const session = await InferenceSession.create(model, SESSION_OPTIONS);
      return {
        inputs: session.inputNames,
        async run(inputs) {
          const tensors = Object.entries(inputs).map(([name, { data, dims }]) => [
            name,
            data instanceof Float32Array
              ? new OrtTensor("float32", data, dims)
              : new OrtTensor("int32", data, dims),
          ]);
          const results = await session.run(Object.fromEntries(tensors) as Record<string, never>);
          const outputs = Object.entries(results).flatMap(([name, { data, dims }]): [string, Tensor][] =>
            data instanceof Float32Array || data instanceof Int32Array ? [[name, { data, dims }]] : [],
          );
          return Object.fromEntries(outputs);
        },
        close: () => session.release(),
      };
    },
  };
}
