/** Parses JSON in a worker thread, which may be killed at any time. */
import { readLine, type LongLine, type RecordOptions } from "../../acquire/records/jsonl.js";
import { Problem, type ProblemName } from "../problem.js";
import { readJson, type BodyOfRecord, type RecordOfPage } from "./request-page.js";

/** The body of a request, or a line of a stream. */
export type Task =
  | { readonly body: BodyOfRecord }
  | { readonly line: LongLine; readonly options: RecordOptions };

/** The parts of a problem, because it cannot be sent across threads as an error. */
export interface ReadJson extends Partial<RecordOfPage> {
  readonly problem?: { readonly name: ProblemName; readonly detail: string | undefined };
}

export default function readInThread(task: Task): ReadJson {
  try {
    if ("body" in task) return readJson(task.body);
    const page = readLine(task.line, task.options);
    return page === undefined ? {} : { page };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { problem: { name: error.problem, detail: error.detail } };
  }
}
