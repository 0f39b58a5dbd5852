/** Tells a shard that can never work from one that is worth another try. */

/** Thrown where no further try can do better: another model, an input that has changed. `message` says what to do. */
export class BadShard extends Error {
  override readonly name = "BadShard";
}

/** Thrown where another try may do better: a disk that is full, a network that is down. */
export class TryAgain extends Error {
  override readonly name = "TryAgain";
}
