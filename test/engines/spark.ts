/** Where the tests of engines find Spark, and how they start it. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

export const BIN = resolve("engines/.venv/bin");
export const hasSpark = existsSync(join(BIN, "spark-submit")) && spawnSync("java", ["-version"]).status === 0;

export const SPARK_ENV = {
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}`,
  PYSPARK_PYTHON: join(BIN, "python"),
  SPARK_LOCAL_IP: "127.0.0.1",
  // Short runs: what the compiler would gain comes too late, and to verify Spark's ten thousand classes is a fourth of a run.
  JAVA_TOOL_OPTIONS: [
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
  ].join(" "),
};
