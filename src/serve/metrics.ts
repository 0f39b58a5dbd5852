/** Counts what a server does, and writes the metrics in Prometheus's text format (version 0.0.4). */

/** Upper bounds in seconds; a page takes milliseconds, and a large one seconds. */
const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export interface Metrics {
  /** Counts a request that was answered, or whose client has gone (status 0). */
  countRequest(endpoint: string, status: number, seconds: number): void;
  /** Counts a document by its outcome: `ok`, or the reason of its reject. */
  countDocument(outcome: string, seconds: number): void;
  countBytes(bytes: number): void;
  /** Sets the labels that describe the running version. */
  tell(info: Readonly<Record<string, string>>): void;
  format(): string;
}

/** A value that is read when the metrics are requested. */
export interface Gauge {
  readonly name: string;
  readonly says: string;
  readonly read: () => number;
}

export function createMetrics(gauges: readonly Gauge[]): Metrics {
  let info: Readonly<Record<string, string>> = {};
  const requests = new Map<string, number>();
  const documents = new Map<string, number>();
  const took = new Map<string, { readonly counts: number[]; sum: number; all: number }>();
  let documentSeconds = 0;
  let bodyBytes = 0;
  return {
    countRequest(endpoint, status, seconds) {
      add(requests, labels({ endpoint, status: status === 0 ? "gone" : String(status) }));
      const times = took.get(endpoint) ?? { counts: BUCKETS.map(() => 0), sum: 0, all: 0 };
      took.set(endpoint, times);
      const at = BUCKETS.findIndex((most) => seconds <= most);
      if (at >= 0) times.counts[at] = (times.counts[at] ?? 0) + 1;
      times.sum += seconds;
      times.all += 1;
    },
    countDocument(outcome, seconds) {
      add(documents, labels({ outcome }));
      documentSeconds += seconds;
    },
    countBytes(bytes) {
      bodyBytes += bytes;
    },
    tell(words) {
      info = words;
    },
    format() {
      const parts = [
        family("thresher_info", "gauge", "What the server runs.", [[labels(info), 1]]),
        family("thresher_requests_total", "counter", "Requests, by endpoint and status.", [...requests]),
        family("thresher_documents_total", "counter", "Documents, by outcome.", [...documents]),
        family("thresher_document_seconds_total", "counter", "Time spent on cleaning documents.", [
          ["", documentSeconds],
        ]),
        family("thresher_body_bytes_total", "counter", "Bytes of request bodies that were read.", [
          ["", bodyBytes],
        ]),
        head("thresher_request_seconds", "histogram", "Time that requests took."),
        ...[...took].map(([endpoint, times]) => formatTimes(endpoint, times)),
        ...gauges.map(({ name, says, read }) => family(name, "gauge", says, [["", read()]])),
        family("process_cpu_seconds_total", "counter", "CPU time of the server process.", [
          ["", process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6],
        ]),
        family("process_resident_memory_bytes", "gauge", "Memory of the server process.", [
          ["", process.memoryUsage.rss()],
        ]),
      ];
      return parts.join("");
    },
  };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function formatTimes(
  endpoint: string,
  { counts, sum, all }: { readonly counts: readonly number[]; readonly sum: number; readonly all: number },
): string {
  const name = "thresher_request_seconds";
  let below = 0;
  const rows = counts.map((count, at) => {
    below += count;
    return `${name}_bucket${labels({ endpoint, le: String(BUCKETS[at]) })} ${below}\n`;
  });
  const of = labels({ endpoint });
  return `${rows.join("")}${name}_bucket${labels({ endpoint, le: "+Inf" })} ${all}\n${name}_sum${of} ${sum}\n${name}_count${of} ${all}\n`;
}

function head(name: string, type: string, says: string): string {
  return `# HELP ${name} ${says}\n# TYPE ${name} ${type}\n`;
}

function family(
  name: string,
  type: string,
  says: string,
  rows: readonly (readonly [labels: string, value: number])[],
): string {
  return `${head(name, type, says)}${rows.map(([of, value]) => `${name}${of} ${value}\n`).join("")}`;
}

function labels(values: Readonly<Record<string, string>>): string {
  const escape = (text: string): string =>
    text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
  return `{${Object.entries(values)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(",")}}`;
}
