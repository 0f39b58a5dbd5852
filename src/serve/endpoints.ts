/** Lists the endpoints of the server by path. */
import type { Endpoint, Reply } from "./app.js";
import { cleanOne } from "./clean-one.js";
import { cleanStream } from "./clean-stream.js";
import { FORMATS } from "./formats.js";
import { describeApi } from "./openapi.js";
import type { OptionShape } from "./options.js";
import type { Tools } from "./tools.js";
import { whenClosed } from "./when-closed.js";

interface About {
  readonly shapes: readonly OptionShape[];
  readonly isStopping: () => boolean;
}

export function createEndpoints(
  tools: Tools,
  { shapes, isStopping }: About,
): Readonly<Record<string, Endpoint>> {
  const { options, metrics, documents, streams } = tools;
  const api = JSON.stringify(describeApi(shapes, options));
  return {
    "/clean": {
      method: "POST",
      // An answer takes memory until its client has read it, so it keeps its place until then.
      answer: (exchange) => {
        whenClosed(exchange.response, documents.enter());
        return cleanOne(exchange, tools);
      },
    },
    "/clean/stream": {
      method: "POST",
      answer: async (exchange) => {
        const leave = streams.enter();
        try {
          await cleanStream(exchange, tools);
          return undefined;
        } finally {
          leave();
        }
      },
    },
    "/health": {
      method: "GET",
      isOpen: true,
      answer: () =>
        isStopping()
          ? json(503, { status: "stopping", version: options.version })
          : json(200, { status: "ok", version: options.version }),
    },
    "/metrics": {
      method: "GET",
      answer: () => ({
        status: 200,
        type: "text/plain; version=0.0.4; charset=utf-8",
        body: metrics.format(),
      }),
    },
    "/openapi.json": {
      method: "GET",
      isOpen: true,
      answer: () => ({ status: 200, type: FORMATS.json.type, body: api }),
    },
  };
}

function json(status: number, value: object): Reply {
  return { status, type: FORMATS.json.type, body: `${JSON.stringify(value)}\n` };
}
