/** Declares the errors of systems that occur before they have seen a page. */

/**
 * Thrown when a system cannot run on this machine: it is not installed, or it rejects its options. The other systems
 * still run. `message` says what to do.
 */
export class SystemUnavailable extends Error {
  override readonly name = "SystemUnavailable";
}

/** The cause of an error about a name: the command looks for the nearest known name. */
export interface UnknownName {
  readonly unknown: string;
  readonly known: readonly string[];
}

/** Thrown for an unknown system name or an invalid setting. `message` lists the valid ones. */
export class UnknownSystem extends Error {
  override readonly name = "UnknownSystem";
}
