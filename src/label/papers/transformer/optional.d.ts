/** Lets the program compile where the optional package is not installed; `library.ts` says what is used of it. */
declare module "@huggingface/transformers";
