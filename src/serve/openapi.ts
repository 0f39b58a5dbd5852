/** Describes the server's interface as an OpenAPI 3.1 document, from the tables that the server uses. */
import { PAGE_FIELDS } from "../acquire/kind.js";
import { BLOCK_TAGS } from "../document.js";
import { REASONS, STAGES } from "../outcome.js";
import { FORMAT_NAMES, FORMATS, type FormatName } from "./formats.js";
import type { OptionShape, ServeOptions } from "./options.js";
import { PROBLEMS, type ProblemName } from "./problem.js";

type Json = Readonly<Record<string, unknown>>;

export function describeApi(shapes: readonly OptionShape[], { version, token }: ServeOptions): Json {
  const options = shapes.map(toParameter);
  return {
    openapi: "3.1.0",
    info: {
      title: "Thresher",
      version,
      summary: "Web pages and badly extracted text in, clean text out.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths: {
      "/clean": { post: cleanOne(options, shapes) },
      "/clean/stream": { post: cleanStream(options) },
      "/health": {
        get: operation("health", "Tells whether the server accepts requests.", {
          "200": jsonOf("It accepts requests.", "Health"),
          "503": jsonOf("It is stopping.", "Health"),
        }),
      },
      "/metrics": {
        get: {
          ...operation("metrics", "The metrics of the server in Prometheus's text format.", {
            "200": { description: "The metrics.", content: { "text/plain": { schema: TEXT } } },
            ...problems("no-token"),
          }),
          ...SECURED,
        },
      },
      "/openapi.json": {
        get: operation("openapi", "This document.", {
          "200": {
            description: "An OpenAPI document.",
            content: { "application/json": { schema: { type: "object" } } },
          },
        }),
      },
    },
    components: {
      schemas: SCHEMAS,
      securitySchemes: {
        token: {
          type: "http",
          scheme: "bearer",
          description:
            token === undefined
              ? "This server needs no token."
              : "The token with which the server was started.",
        },
      },
    },
  };
}

const TEXT = { type: "string" };

/** A token is needed if the server has one. */
const SECURED = { security: [{ token: [] }, {}] };

function operation(operationId: string, summary: string, responses: Json): Json {
  return { operationId, summary, responses };
}

const OF_PAGE: readonly Json[] = [
  parameter("id", "names the document in the answer", TEXT),
  parameter("url", "the address of the page, which makes links absolute", TEXT),
];
const FROM = parameter("from", "the kind of the body, whatever its type says", {
  type: "string",
  enum: ["html", "text"],
});
const TO = parameter("to", "the format of the answer; by default, the Accept header decides", {
  type: "string",
  enum: FORMAT_NAMES,
});

function cleanOne(options: readonly Json[], shapes: readonly OptionShape[]): Json {
  const bytes = { schema: {} };
  const types = [...new Set(FORMAT_NAMES.map((name) => mediaOf(name)))];
  return {
    ...operation("clean", "Cleans one document.", {
      "200": {
        description: "The document: a record, or its text.",
        content: Object.fromEntries(
          types.map((type) => [type, { schema: type === "application/json" ? ref("Record") : TEXT }]),
        ),
      },
      "400": jsonOf(`${PROBLEMS["bad-json"].says}; or ${PROBLEMS["bad-option"].says}`, "Problem"),
      ...problems("no-token", "fetch-forbidden", "not-acceptable", "slow-request"),
      "413": {
        description: `${PROBLEMS["too-large"].says}; or its document is too large (a reject)`,
        content: { "application/json": { schema: { anyOf: [ref("Problem"), ref("Reject")] } } },
      },
      ...problems("unsupported-type"),
      "422": jsonOf("A reject: the document cannot become text.", "Reject"),
      ...problems("bug", "busy"),
    }),
    parameters: [...OF_PAGE, FROM, TO, ...options],
    requestBody: {
      required: true,
      description: "The page or text itself, with its charset in the type if it is known; or a JSON record.",
      content: {
        "text/html": bytes,
        "text/plain": bytes,
        "application/octet-stream": bytes,
        "application/json": { schema: inputSchema(shapes) },
      },
    },
    ...SECURED,
  };
}

function cleanStream(options: readonly Json[]): Json {
  return {
    ...operation("cleanStream", "Cleans a stream of records: one line out for each line in, in order.", {
      "200": {
        description: "JSON Lines: a record or a reject for each line; an invalid line becomes a reject.",
        content: { [mediaOf("jsonl")]: { schema: TEXT } },
      },
      ...problems("bad-option", "no-token", "unsupported-type", "bug", "busy"),
    }),
    parameters: options,
    requestBody: { required: true, content: { "application/x-ndjson": { schema: TEXT } } },
    ...SECURED,
  };
}

function inputSchema(shapes: readonly OptionShape[]): Json {
  const fields = Object.entries(PAGE_FIELDS).map(([name, kind]) => [
    name,
    kind === "lines" ? { type: "array", items: TEXT } : TEXT,
  ]);
  const options = Object.fromEntries(shapes.map((shape) => [shape.name, schemaOf(shape)]));
  return {
    type: "object",
    description: "One of html, lines, text or bytes; or only url, if the server fetches pages.",
    properties: {
      ...Object.fromEntries(fields),
      bytes: { type: "string", contentEncoding: "base64" },
      contentType: TEXT,
      id: { type: ["string", "number"] },
      url: TEXT,
      options: { type: "object", properties: { to: TO["schema"], ...options }, additionalProperties: false },
    },
  };
}

function toParameter(shape: OptionShape): Json {
  return parameter(shape.name, shape.says, schemaOf(shape));
}

function schemaOf({ kind, choices }: OptionShape): Json {
  if (kind === "switch") return { type: "boolean" };
  const value = choices === undefined ? { type: ["string", "number"] } : { type: "string", enum: choices };
  return kind === "list" ? { type: "array", items: value } : value;
}

function parameter(name: string, description: string, schema: Json): Json {
  return { name, in: "query", description, schema };
}

function problems(...names: readonly ProblemName[]): Json {
  return Object.fromEntries(
    names.map((name) => [String(PROBLEMS[name].status), jsonOf(PROBLEMS[name].says, "Problem")]),
  );
}

function jsonOf(description: string, schema: string): Json {
  return { description, content: { "application/json": { schema: ref(schema) } } };
}

function ref(name: string): Json {
  return { $ref: `#/components/schemas/${name}` };
}

function mediaOf(name: FormatName): string {
  return FORMATS[name].type.replace(/;.*/, "");
}

const NUMBER = { type: "number" };
const PROBABILITY = { type: "number", minimum: 0, maximum: 1 };
const COUNT = { type: "integer", minimum: 0 };

function objectOf(required: Json, optional: Json = {}): Json {
  return { type: "object", required: Object.keys(required), properties: { ...required, ...optional } };
}

const SCHEMAS = {
  Health: objectOf({ status: { enum: ["ok", "stopping"] }, version: TEXT }),
  Problem: objectOf({ error: { enum: Object.keys(PROBLEMS) }, message: TEXT }),
  Reject: objectOf(
    { id: TEXT, url: TEXT, stage: { enum: STAGES }, reason: { enum: Object.keys(REASONS) } },
    { detail: TEXT, meta: { type: "object" } },
  ),
  Record: objectOf(
    {
      id: TEXT,
      url: TEXT,
      meta: { type: "object" },
      text: TEXT,
      words: COUNT,
      score: PROBABILITY,
      source: { enum: ["html", "text"] },
      notes: { type: "array", items: TEXT },
      fingerprint: TEXT,
    },
    {
      title: TEXT,
      lang: TEXT,
      page: objectOf({ type: TEXT, probability: PROBABILITY, contentProbability: PROBABILITY, cut: NUMBER }),
      condition: objectOf({
        name: TEXT,
        probability: PROBABILITY,
        doubtful: { type: "boolean" },
        cut: NUMBER,
      }),
      registers: objectOf({
        found: { type: "array", items: TEXT },
        main: { type: "object", additionalProperties: PROBABILITY },
        sub: { type: "object", additionalProperties: PROBABILITY },
        machine: PROBABILITY,
      }),
      lines: { type: "array", items: ref("Line") },
      formatted: TEXT,
      carried: { type: "object" },
    },
  ),
  Line: objectOf(
    {
      text: TEXT,
      label: { enum: ["content", "boilerplate"] },
      score: PROBABILITY,
      grade: { type: "string", pattern: "^[a-j]$" },
      block: { enum: BLOCK_TAGS },
      path: TEXT,
      linkChars: COUNT,
      breakBefore: { enum: ["line", "block"] },
    },
    {
      span: { type: "array", items: COUNT, minItems: 2, maxItems: 2 },
      spans: { type: "array", items: { type: "object" } },
      kind: { const: "comment" },
      why: TEXT,
    },
  ),
} as const;
