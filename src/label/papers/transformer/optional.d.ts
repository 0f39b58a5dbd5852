/** Lets the program compile without the optional package; `library.ts` declares the parts of it that are used. */
declare module "@huggingface/transformers";
