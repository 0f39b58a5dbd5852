/**
 * Finds the pipeline for the options of a request, by the rules of the command line and within the limits of the
 * server.
 */
import { UsageError } from "../../outcome.js";
import { createPipeline } from "../../pipeline.js";
import type { SharedCleaners } from "../../work/shared-cleaners.js";
import type { OrderReader, ServeOptions } from "../options.js";
import { createPipelines } from "../pipelines.js";
import { Problem } from "../problem.js";
import type { Orders } from "../tools.js";

export function createOrders(
  reader: OrderReader,
  { maxBytes, timeoutMs }: ServeOptions,
  shared: SharedCleaners,
): Orders & { close(): Promise<void> } {
  const lists = new Set(reader.shapes.filter(({ kind }) => kind === "list").map(({ name }) => name));
  const pipelines = createPipelines(({ options, form }) => createPipeline(options, { form, shared }));
  return {
    isList: (name) => lists.has(name),
    async lease(words, to) {
      try {
        return await pipelines.lease(JSON.stringify([to, words]), () => {
          const order = reader.read(words, to);
          checkLimit("max-bytes", order.options.maxBytes, maxBytes);
          checkLimit("timeout", order.options.timeoutMs, timeoutMs, "ms");
          return order;
        });
      } catch (error) {
        throw error instanceof UsageError ? new Problem("bad-option", error.message) : error;
      }
    },
    close: () => pipelines.close(),
  };
}

function checkLimit(name: string, wanted: number, most: number, unit = ""): void {
  if (wanted > most) throw new UsageError(`${name} may be at most ${most}${unit} on this server`);
}
