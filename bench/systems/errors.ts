/** Declares what can be wrong with a system before it has seen a page. */

/** Thrown when a system cannot be had here: not installed, refuses its options. The others go on. `message` says what to do. */
export class SystemUnavailable extends Error {
  override readonly name = "SystemUnavailable";
}

/** Thrown for a name that says no system, or a setting that is none. `message` says which there are. */
export class UnknownSystem extends Error {
  override readonly name = "UnknownSystem";
}
