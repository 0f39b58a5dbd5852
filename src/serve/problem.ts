/**
 * Lists what can be wrong with a request, with HTTP statuses; a page that cannot become text is a reject, not a
 * problem.
 */

export const PROBLEMS = {
  "bad-json": { status: 400, says: "the body is not a JSON object, although its type says so" },
  "bad-option": { status: 400, says: "wrong option" },
  "no-token": { status: 401, says: "the token of the server is missing or wrong" },
  "fetch-forbidden": { status: 403, says: "the server does not fetch pages" },
  "not-found": { status: 404, says: "this path does not exist, but others do" },
  "wrong-method": { status: 405, says: "the path needs another method" },
  "not-acceptable": { status: 406, says: "the server makes none of the accepted types, only others" },
  "slow-request": { status: 408, says: "the request took too long to arrive" },
  "too-large": { status: 413, says: "the body has more bytes than the server accepts" },
  "unsupported-type": { status: 415, says: "the server does not read bodies of this type or coding" },
  bug: { status: 500, says: "the server failed; see its messages" },
  busy: { status: 503, says: "the server is busy; try again" },
} as const;

export type ProblemName = keyof typeof PROBLEMS;

/** What a client is told about a problem. */
export interface ProblemRecord {
  readonly error: ProblemName;
  readonly message: string;
}

/** Thrown if a request ends without an outcome. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly problem: ProblemName;
  readonly detail: string | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(problem: ProblemName, detail?: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail === undefined ? PROBLEMS[problem].says : `${PROBLEMS[problem].says}: ${detail}`);
    this.problem = problem;
    this.detail = detail;
    this.headers = headers;
  }

  get status(): number {
    return PROBLEMS[this.problem].status;
  }

  toRecord(): ProblemRecord {
    return { error: this.problem, message: this.message };
  }
}
