/** Refuses to merge a job into its own files or its inputs. */
import { relative, resolve, sep } from "node:path";
import { UsageError } from "../../outcome.js";
import { DUPLICATES } from "../../shard/duplicates/dedup.js";
import { JOB, MANIFEST, OUTPUT_FOLDERS, readRows, type OpenJob } from "../../shard/job.js";
import { identify } from "../run/check-places.js";

/** Names of the files and folders of a job. */
const OF_JOB: ReadonlySet<string> = new Set([
  ...OUTPUT_FOLDERS,
  ...[JOB, MANIFEST, DUPLICATES, "duplicates", "_tmp"],
]);

/** Throws UsageError if a path is a part of the job, or one of its inputs. */
export async function checkMerged(
  opened: OpenJob,
  places: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const files = new Map<string, string>();
  for (const [option, path] of Object.entries(places)) {
    if (path === undefined || path === "-") continue;
    for (const { name } of [opened.at, opened.store])
      if (holds(name, path)) throw refuse(option, path, `the job's own ${path}`);
    const file = identify(path);
    if (file !== undefined) files.set(file, option);
  }
  if (files.size === 0) return;
  for await (const { inputs } of readRows(opened))
    for (const { uri } of inputs) {
      const option = uri.includes("://") ? undefined : files.get(identify(uri) ?? "");
      if (option !== undefined) throw refuse(option, uri, `the input ${uri}`);
    }
}

function refuse(option: string, path: string, what: string): UsageError {
  return new UsageError(`${option} would overwrite ${what}; give another place than ${path}`);
}

/** Checks whether a path is the folder of a job or one of the job's files in it. */
function holds(folder: string, path: string): boolean {
  if (folder.includes("://")) return false;
  const way = relative(resolve(folder), resolve(path)).split(sep);
  return way[0] === "" || OF_JOB.has(way[0] ?? "");
}
