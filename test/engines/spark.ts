/** Finds and starts Spark for the tests of engines. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";

export const BIN = resolve("engines/.venv/bin");
export const hasSpark = existsSync(join(BIN, "spark-submit")) && spawnSync("java", ["-version"]).status === 0;

/** Links the environment's Spark into its own folder, since its workers write next to the files from which they start. */
function linkSpark(): string {
  const { stdout } = spawnSync(join(BIN, "python"), [
    "-c",
    "import os, pyspark; print(os.path.dirname(pyspark.__file__))",
  ]);
  const installed = stdout.toString().trim();
  const home = mkdtempSync(join(tmpdir(), "spark-home-"));
  for (const name of readdirSync(installed))
    if (name !== "work") symlinkSync(join(installed, name), join(home, name));
  return home;
}

export const SPARK_ENV = {
  ...process.env,
  PATH: `${BIN}${delimiter}${process.env["PATH"] ?? ""}`,
  PYSPARK_PYTHON: join(BIN, "python"),
  SPARK_LOCAL_IP: "127.0.0.1",
  ...(hasSpark && { SPARK_HOME: linkSpark() }),
  // Runs are short: the optimising compiler would gain nothing, and verifying Spark's ten thousand classes takes a quarter of a run.
  JAVA_TOOL_OPTIONS: [
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote",
    // Java ignores TMPDIR, and killed processes leave their files there.
    `-Djava.io.tmpdir=${tmpdir()}`,
  ].join(" "),
};
