/** What goes wrong inside a Parquet file, as one kind of error. */

/** The file is damaged, or uses what cannot be read; `message` says what. */
export class ParquetError extends Error {
  override readonly name = "ParquetError";
}

/** The library throws whatever damaged data leads it to, so nothing but the reading of data may run here. */
export function ask<T>(what: string, question: () => T): T {
  try {
    return question();
  } catch (error) {
    if (error instanceof ParquetError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    throw new ParquetError(`${what} cannot be read (${message.slice(0, 120)})`, { cause: error });
  }
}
