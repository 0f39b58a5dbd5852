/** Reads the signatures of a shard and checks their order; rewrites them when retried documents are added. */
import type { Document, LabelledLine } from "../../document.js";
import { BadShard } from "../attempt/failures.js";
import type { FileFacts, ShardFile } from "../attempt/outputs.js";
import { readOutput } from "../read-output.js";
import type { Store } from "../store/store.js";
import { formatSignature, parseSignature, signDocument, type DocumentSignature } from "./signature.js";
import { messageOf } from "../../thrown.js";

/**
 * Yields the signatures of a shard. Throws BadShard when the file does not match its receipt or a line is not a
 * signature.
 */
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
    if (signature.number !== number) throw new Error(`it belongs to document ${signature.number}`);
    return signature;
  } catch (cause) {
    throw new BadShard(`${file}, line ${number + 1}, is not a signature: ${messageOf(cause)}`, { cause });
  }
}

/** Rewrites the signatures of a shard in which some documents stay and others are added. */
export interface Resigning {
  /** Copies the signature of the next old document. */
  keep(): Promise<void>;
  add(document: Document<LabelledLine>): Promise<void>;
  /**
   * Checks that all old signatures were read, and so checked against the receipt. Throws BadShard when some are left.
   */
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
      if (next.done === true) throw new BadShard(`${before.file} has fewer records than the text`);
      await write({ ...next.value, number });
    },
    add: (document) => write(signDocument(document, number)),
    async end() {
      if ((await signatures.next()).done !== true)
        throw new BadShard(`${before.file} has more records than the text`);
    },
  };
}
