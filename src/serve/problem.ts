/**
 * Lists what can be wrong with a request, with HTTP statuses; a page that cannot become text is a reject, not a
 * problem.
 */

export const PROBLEMS = {
  "bad-json": { status: 400, says: "the body is not the JSON object that its type promises" },
  "bad-option": { status: 400, says: "wrong option" },
  "no-token": { status: 401, says: "the server asks for a token, and this is not it" },
  "fetch-forbidden": { status: 403, says: "the server fetches no pages" },
  "not-found": { status: 404, says: "there is nothing at this path" },
  "wrong-method": { status: 405, says: "the path takes another method" },
  "not-acceptable": { status: 406, says: "none of the types that are accepted can be made" },
  "slow-request": { status: 408, says: "the request took too long to arrive" },
  "too-large": { status: 413, says: "the body has more bytes than the server takes" },
  "unsupported-type": { status: 415, says: "bodies of this type or coding are not read" },
  bug: { status: 500, says: "the server failed; its messages tell more" },
  busy: { status: 503, says: "all places are taken; try again" },
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
