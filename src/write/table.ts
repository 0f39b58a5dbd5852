/** What a flat table is: named columns of one kind each, and rows of plain values. */

export type TableCell = string | number | boolean | undefined;
export type TableRow = Readonly<Record<string, TableCell>>;

export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "int" | "boolean";
}

export interface TableOptions {
  /** What a row is. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** Of the program. */
  readonly version: string;
}

export interface TableWriter {
  write(row: TableRow): Promise<void>;
  /** Writes what ends the table; the sink is closed by whoever opened it. */
  close(): Promise<void>;
}
