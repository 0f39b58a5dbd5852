/** Documents into a Parquet file that another run can go on with: records beside it until the end, and then the table. */
import { packRecords } from "../write/pack-records.js";
import { besides, type FilePlace } from "../write/place.js";
import type { Io } from "./io.js";
import { openOutput, readName, type Output, type OutputOptions } from "./output.js";

/** Where the records of a table wait: its rows come in groups, and its index at the end, so it cannot be gone on with. */
export function recordsOf({ path }: Pick<FilePlace, "path">): FilePlace {
  const beside = besides(path, "records.gz");
  return { name: beside, path: beside, isFile: true, isGrowing: true };
}

/** As `openOutput` for a file, with records in the mark. */
export async function openTable(place: FilePlace, options: OutputOptions, io: Io): Promise<Output> {
  readName(place.name, options);
  const waiting = recordsOf(place);
  const records = await openOutput({ kind: "file", place: waiting }, { ...options, to: "jsonl" }, io);
  return {
    write: (doc) => records.write(doc),
    async pause() {
      const mark = await records.pause();
      return mark === undefined ? undefined : { ...mark, isOfRecords: true };
    },
    recall(id) {
      records.recall(id);
    },
    async finish() {
      await records.finish();
      return packRecords(waiting.path, place, options, io.signal);
    },
    leave: () => records.leave(),
    discard: () => records.discard(),
  };
}
