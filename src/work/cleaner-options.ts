/** Defines the options for cleaning and formatting a single page, in any process. */
import type { PageOptions } from "../options/page-options.js";
import type { Form } from "../write/registry.js";

/** How a single page is cleaned and formatted. */
export interface CleanerOptions extends PageOptions {
  /** The output form of documents. With it, they come without lines, and the form has what they carried along. */
  readonly form?: Form;
}
