/** Names what a run of the benchmark measures: the text of pages, its structure, or what pages say of themselves. */
export const SUBJECTS = ["lines", "structure", "metadata"] as const;

export type Subject = (typeof SUBJECTS)[number];
