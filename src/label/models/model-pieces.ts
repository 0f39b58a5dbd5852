/** Reads the word pieces of a model. */
import { readVocabulary, type Vocabulary } from "../features/pieces/vocabulary.js";
import type { Manifest } from "./manifest.js";

/** Reads the vocabulary in the file of the part `pieces`. Throws UsageError if it cannot be read. */
export function openVocabulary(about: Manifest): Vocabulary {
  const bytes = about.file("pieces");
  try {
    return readVocabulary(bytes);
  } catch (error) {
    if (error instanceof RangeError) about.refuse(`its pieces cannot be read (${error.message})`);
    throw error;
  }
}
