/** Reads the word pieces of a model that has some. */
import { readVocabulary, type Vocabulary } from "../features/pieces/vocabulary.js";
import type { Manifest } from "./manifest.js";

/** Throws UsageError where they cannot be read. */
export function openVocabulary(about: Manifest): Vocabulary {
  const bytes = about.file("pieces");
  try {
    return readVocabulary(bytes);
  } catch (error) {
    if (error instanceof RangeError) about.refuse(`its pieces cannot be read (${error.message})`);
    throw error;
  }
}
