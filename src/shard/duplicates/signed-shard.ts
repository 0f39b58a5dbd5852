/** Reads the signatures of a shard, each held to its place; and writes them anew where documents have come in between. */
import type { Document, LabelledLine } from "../../document.js";
import { BadShard } from "../attempt/failures.js";
import type { FileFacts, ShardFile } from "../attempt/outputs.js";
import { readOutput } from "../read-output.js";
import type { Store } from "../store/store.js";
import { formatSignature, parseSignature, signDocument, type DocumentSignature } from "./signature.js";
import { messageOf } from "../../thrown.js";

/** Throws BadShard where the file is not the one of its receipt, or no signatures are in it. */
export async function* readSignatures(store: Store, facts: FileFacts): AsyncGenerator<DocumentSignature> {
  let number = 0;
  for await (const line of readOutput(store, facts)) {
    yield parseNumbered(line, number, facts.file);
    number += 1;
  }
}

function parseNumbered(line: string, number: number, file: string): DocumentSignature {
  try {
    const signature = parseSignature(line);
    if (signature.number !== number) throw new Error(`it is of document ${signature.number}`);
    return signature;
  } catch (cause) {
    throw new BadShard(`${file}, line ${number + 1}, is no signature: ${messageOf(cause)}`, { cause });
  }
}

/** The signatures of a shard that is written again: some documents stay, others come in between. */
export interface Resigning {
  /** The next document of before stays. */
  keep(): Promise<void>;
  add(document: Document<LabelledLine>): Promise<void>;
  /** All of them were read, and so held to the receipt. Throws BadShard where there are more. */
  end(): Promise<void>;
}

export function resign(store: Store, before: FileFacts, into: ShardFile): Resigning {
  const signatures = readSignatures(store, before);
  let number = 0;
  const write = async (signature: DocumentSignature): Promise<void> => {
    await into.write(formatSignature(signature));
    number += 1;
  };
  return {
    async keep() {
      const next = await signatures.next();
      if (next.done === true) throw new BadShard(`${before.file} ends before its text does`);
      await write({ ...next.value, number });
    },
    add: (document) => write(signDocument(document, number)),
    async end() {
      if ((await signatures.next()).done !== true)
        throw new BadShard(`${before.file} goes on behind its text`);
    },
  };
}
