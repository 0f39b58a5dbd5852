/** The parts of the Parquet library that are used: its knowledge of the format, but not its way through a file. */
export { parquetMetadata, parquetSchema, snappyUncompress } from "hyparquet";
export type { ColumnChunk, DecodedArray, FileMetaData, PageHeader, SchemaTree } from "hyparquet";
export { assembleLists, assembleNested } from "hyparquet/src/assemble.js";
export { parquetHeader } from "hyparquet/src/column.js";
export { convert, convertWithDictionary, DEFAULT_PARSERS } from "hyparquet/src/convert.js";
export { deltaBinaryUnpack } from "hyparquet/src/delta.js";
export { byteStreamSplit } from "hyparquet/src/encoding.js";
export { readPlain } from "hyparquet/src/plain.js";
export {
  getMaxDefinitionLevel,
  getMaxRepetitionLevel,
  getTreePath,
  isFlatColumn,
} from "hyparquet/src/schema.js";
