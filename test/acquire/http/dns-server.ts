/** Answers name queries over UDP (RFC 1035), with a different address each time if a test wants that. */
import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import type { Lookup } from "../../../src/acquire/http/transport.js";

export interface NameServer {
  /** Asks only this server. It has IPv4 addresses only. */
  readonly lookup: Lookup;
  /** The number of queries so far. */
  asked(): number;
  close(): Promise<void>;
}

const TYPE_A = 1;

/** `answer` returns the IPv4 addresses of a name; an empty list means that the name does not exist. */
export async function listenForNames(
  answer: (name: string, count: number) => readonly string[],
): Promise<NameServer> {
  const socket = createSocket("udp4");
  let asked = 0;
  socket.on("message", (question, { port, address }) => {
    const { name, type, end } = readQuestion(question);
    const addresses = type === TYPE_A ? answer(name, asked) : [];
    asked += type === TYPE_A ? 1 : 0;
    const head = Buffer.from(question.subarray(0, 12));
    // The flags of an answer without error, or of "no such name"; one question, then the answers.
    head.writeUInt16BE(addresses.length > 0 || type !== TYPE_A ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((each) =>
      // A pointer to the name at byte 12, type A, class IN, a TTL of zero and an address of four bytes.
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...each.split(".").map(Number)]),
    );
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), port, address);
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
  const resolver = new dns.Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    lookup: (hostname) => resolver.resolve4(hostname),
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        socket.close(resolve);
      }),
  };
}

function readQuestion(message: Buffer): {
  readonly name: string;
  readonly type: number;
  readonly end: number;
} {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join("."), type: message.readUInt16BE(at + 1), end: at + 5 };
}
