/**
 * Names what the benchmark measures: the text of pages, their structure, their metadata, or whether parts of them are
 * torn.
 */
export const SUBJECTS = ["lines", "structure", "metadata", "units"] as const;

export type Subject = (typeof SUBJECTS)[number];
