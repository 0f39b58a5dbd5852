import { afterEach, describe, expect, it } from "vitest";
import { Connection } from "../../../bench/systems/connection.js";

let connection: Connection | undefined;
afterEach(() => connection?.close());

/** Connects to a program that runs `onLine` for each line that it reads. */
function connect(onLine: string): Connection {
  const program = `process.stdin.on("data", () => { ${onLine} })`;
  return (connection = new Connection({ command: process.execPath, args: ["-e", program] }));
}

describe("a connection to a system", () => {
  it("takes the last of many lines that come at once", async () => {
    const one = connect('process.stdout.write("\\n".repeat(20_000) + "reply\\nmo")');
    expect(await one.ask("a\n", 20_000)).toEqual({ kind: "line", line: "reply" });
  });

  it("joins a line that comes in parts", async () => {
    const one = connect('process.stdout.write("re"); setTimeout(() => process.stdout.write("ply\\nmo"), 50)');
    expect(await one.ask("a\n", 20_000)).toEqual({ kind: "line", line: "reply" });
    expect(await one.ask("b\n", 20_000)).toEqual({ kind: "line", line: "moreply" });
  });
});
