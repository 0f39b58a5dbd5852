/** Declares the type of an object that is still being built: T without `readonly`. */

export type Writable<T> = { -readonly [K in keyof T]: T[K] };
