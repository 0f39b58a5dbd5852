/** Names what a run of the benchmark measures: the text of pages, its structure, what pages say of themselves, or whether parts of them are torn. */
export const SUBJECTS = ["lines", "structure", "metadata", "units"] as const;

export type Subject = (typeof SUBJECTS)[number];
