/** Loads the list of documents that fit the search in chunks, as they are looked at. */
import { ask } from "./ask.js";
import { tell } from "./parts.js";
import { createTurns } from "./turns.js";
import type { DocumentList, ListedDocument } from "./wire.js";

export interface LoadedList {
  /** Returns the document at a place of the list, if it is loaded. */
  at(place: number): ListedDocument | undefined;
  /** Requests the chunk around a place, unless it is being loaded. */
  load(place: number): void;
  /** Reloads the list, beginning with the chunk around a place. */
  refresh(place: number): Promise<void>;
  /** Returns the place of a document, if it is loaded. */
  placeOf(key: string): number | undefined;
}

/** Number of documents in a chunk. */
const PIECE = 100;

export function createLoadedList(
  query: () => Readonly<Record<string, string>>,
  onAnswer: (answer: DocumentList) => void,
): LoadedList {
  let pieces = new Map<number, readonly ListedDocument[]>();
  const asked = new Set<number>();
  const turns = createTurns();

  const askPiece = (piece: number): Promise<DocumentList> =>
    ask<DocumentList>("/api/list", { ...query(), from: String(piece * PIECE), count: String(PIECE) });
  const take = (piece: number, answer: DocumentList): void => {
    pieces.set(piece, answer.documents);
    onAnswer(answer);
  };
  const load = async (piece: number): Promise<void> => {
    if (asked.has(piece)) return;
    asked.add(piece);
    const isLast = turns.last();
    try {
      const answer = await askPiece(piece);
      if (isLast()) take(piece, answer);
    } finally {
      if (isLast()) asked.delete(piece);
    }
  };
  return {
    at: (place) => pieces.get(Math.floor(place / PIECE))?.[place % PIECE],
    load(place) {
      tell(load(Math.floor(place / PIECE)));
    },
    async refresh(place) {
      const isLast = turns.next();
      asked.clear();
      const piece = Math.floor(place / PIECE);
      const answer = await askPiece(piece);
      if (!isLast()) return;
      pieces = new Map();
      take(piece, answer);
    },
    placeOf(key) {
      let place: number | undefined;
      for (const [piece, documents] of pieces) {
        const at = documents.findIndex((one) => one.key === key);
        if (at !== -1) place = piece * PIECE + at;
      }
      return place;
    },
  };
}
