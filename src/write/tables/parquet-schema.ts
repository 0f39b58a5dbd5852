/**
 * Defines the columns of Parquet files: those of document records, named and nested as in JSON, and those of flat
 * tables.
 */
import { REGISTERS, SUBREGISTER_NAMES, type Holder, type InlineSpan } from "../../document.js";
import type { DocumentRecord, StoredRecord } from "../document-record.js";

/** The type of a column: one value, a struct of named fields, or a list of one type. */
type Shape =
  | { readonly type: "string" | "int" | "double" | "boolean" }
  | { readonly fields: Readonly<Record<string, Field>> }
  | { readonly items: Shape };
type Field = Shape & { readonly isOptional?: true };

const STRING = { type: "string" } as const;
const MAYBE_STRING = { type: "string", isOptional: true } as const;
const INT = { type: "int" } as const;
const DOUBLE = { type: "double" } as const;
const BOOLEAN = { type: "boolean" } as const;
const MAYBE_INT = { type: "int", isOptional: true } as const;
const MAYBE_BOOLEAN = { type: "boolean", isOptional: true } as const;
const MAYBE_STRINGS = { items: STRING, isOptional: true } as const;
const CUTS = { fields: { precision: DOUBLE, balanced: DOUBLE, recall: DOUBLE }, isOptional: true } as const;

const doubles = (names: readonly string[]): Field => ({
  fields: Object.fromEntries(names.map((name) => [name, DOUBLE])),
});

const PLAIN_META = {
  author: MAYBE_STRING,
  date: MAYBE_STRING,
  site: MAYBE_STRING,
  modified: MAYBE_STRING,
  description: MAYBE_STRING,
  image: MAYBE_STRING,
  license: MAYBE_STRING,
  tags: MAYBE_STRINGS,
  categories: MAYBE_STRINGS,
  canonical: MAYBE_STRING,
  feed: MAYBE_STRING,
  type: MAYBE_STRING,
  reservations: MAYBE_STRINGS,
} satisfies Record<Exclude<keyof DocumentRecord["meta"], "from">, Field>;

/** `from` holds the source of each metadata field. */
const META = {
  ...PLAIN_META,
  from: {
    fields: Object.fromEntries(
      ["title", "lang", ...Object.keys(PLAIN_META)].map((name) => [name, MAYBE_STRING]),
    ),
    isOptional: true,
  },
} satisfies Record<keyof DocumentRecord["meta"], Field>;

const SPAN = {
  kind: STRING,
  start: INT,
  end: INT,
  href: MAYBE_STRING,
  src: MAYBE_STRING,
  alt: MAYBE_STRING,
  tex: MAYBE_STRING,
  isDisplay: MAYBE_BOOLEAN,
  note: MAYBE_STRING,
  spaces: MAYBE_STRING,
  isAlone: MAYBE_BOOLEAN,
  holder: MAYBE_INT,
  follows: MAYBE_BOOLEAN,
} satisfies Record<keyof InlineSpan, Field>;

const HOLDER = {
  tag: STRING,
  parent: MAYBE_INT,
  number: MAYBE_INT,
  isHeader: MAYBE_BOOLEAN,
  isNumber: MAYBE_BOOLEAN,
  isLayout: MAYBE_BOOLEAN,
  colSpan: MAYBE_INT,
  rowSpan: MAYBE_INT,
  align: MAYBE_STRING,
  lang: MAYBE_STRING,
  note: MAYBE_STRING,
  task: MAYBE_STRING,
  title: MAYBE_STRING,
  alert: MAYBE_STRING,
} satisfies Record<keyof Holder, Field>;

/** The same columns in every file, so that files of different runs can be read as one table. */
const COLUMNS = {
  id: STRING,
  url: STRING,
  title: MAYBE_STRING,
  lang: MAYBE_STRING,
  meta: { fields: META },
  text: STRING,
  formatted: MAYBE_STRING,
  words: INT,
  score: DOUBLE,
  source: STRING,
  page: {
    fields: {
      type: STRING,
      probability: DOUBLE,
      contentProbability: DOUBLE,
      cut: DOUBLE,
      cuts: CUTS,
      hasContent: MAYBE_BOOLEAN,
    },
    isOptional: true,
  },
  condition: {
    fields: { name: STRING, probability: DOUBLE, doubtful: BOOLEAN, cut: DOUBLE, cuts: CUTS },
    isOptional: true,
  },
  registers: {
    fields: {
      found: { items: STRING },
      main: doubles(REGISTERS),
      sub: doubles(SUBREGISTER_NAMES),
      machine: DOUBLE,
    },
    isOptional: true,
  },
  lines: {
    items: {
      fields: {
        text: STRING,
        label: STRING,
        score: DOUBLE,
        grade: STRING,
        block: STRING,
        path: STRING,
        linkChars: INT,
        breakBefore: STRING,
        span: { items: INT, isOptional: true },
        kind: MAYBE_STRING,
        why: MAYBE_STRING,
        ownScore: { type: "double", isOptional: true },
        leftOutBy: MAYBE_STRING,
        continuesItem: MAYBE_BOOLEAN,
        number: MAYBE_INT,
        spans: { items: { fields: SPAN }, isOptional: true },
        holder: MAYBE_INT,
      },
    },
    isOptional: true,
  },
  holders: { items: { fields: HOLDER }, isOptional: true },
  base: MAYBE_STRING,
  statedTitle: MAYBE_STRING,
  clues: MAYBE_STRINGS,
  notes: { items: STRING },
  fingerprint: STRING,
  // Carried fields have no schema, so they stay JSON text.
  carried: MAYBE_STRING,
} satisfies Record<keyof StoredRecord, Field>;

export const COLUMN_NAMES: readonly string[] = Object.keys(COLUMNS);

/** One element of the schema tree, with the order and names of the Parquet format. */
export interface SchemaElement {
  name: string;
  type?: "BYTE_ARRAY" | "INT32" | "INT64" | "DOUBLE" | "BOOLEAN";
  repetition_type?: "REQUIRED" | "OPTIONAL" | "REPEATED";
  converted_type?: "UTF8" | "LIST";
  num_children?: number;
}

/** The schema of records, depth first, as in the Parquet footer. Lists have three levels, as the format requires. */
export function describeColumns(): SchemaElement[] {
  const children = Object.entries<Field>(COLUMNS).flatMap(([name, field]) => describe(name, field));
  return [{ name: "document", num_children: COLUMN_NAMES.length }, ...children];
}

/** A flat table has named columns of one type each, and rows of plain values. */
export type TableCell = string | number | boolean | undefined;
export type TableRow = Readonly<Record<string, TableCell>>;

export interface TableColumn {
  readonly name: string;
  readonly type: "string" | "int" | "boolean";
}

export interface TableOptions {
  /** The name of the schema, which says what a row is. */
  readonly name: string;
  readonly columns: readonly TableColumn[];
  /** The version of the program. */
  readonly version: string;
}

export interface TableWriter {
  write(row: TableRow): Promise<void>;
  /** Writes the end of the table. The sink stays open: its owner closes it. */
  close(): Promise<void>;
}

const TABLE_TYPES = {
  string: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  int: { type: "INT64" },
  boolean: { type: "BOOLEAN" },
} as const;

/** The schema of a flat table; any cell may be empty. */
export function describeTable(name: string, columns: readonly TableColumn[]): SchemaElement[] {
  const children = columns.map((column) => ({
    name: column.name,
    repetition_type: "OPTIONAL" as const,
    ...TABLE_TYPES[column.type],
  }));
  return [{ name, num_children: children.length }, ...children];
}

const PLAIN_TYPES = { int: "INT32", double: "DOUBLE", boolean: "BOOLEAN" } as const;

/** The recursion is only as deep as the schema above. */
function describe(name: string, field: Field): SchemaElement[] {
  const repetition_type = field.isOptional === true ? "OPTIONAL" : "REQUIRED";
  if ("items" in field) {
    return [
      { name, repetition_type, converted_type: "LIST", num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...describe("element", field.items),
    ];
  }
  if ("fields" in field) {
    const children = Object.entries(field.fields).flatMap(([child, shape]) => describe(child, shape));
    return [{ name, repetition_type, num_children: Object.keys(field.fields).length }, ...children];
  }
  if (field.type === "string") return [{ name, type: "BYTE_ARRAY", repetition_type, converted_type: "UTF8" }];
  return [{ name, type: PLAIN_TYPES[field.type], repetition_type }];
}
