/** Says how a single page is cleaned and put into its form, in whatever process. */
import type { PageOptions } from "../options/page-options.js";
import type { Form } from "../write/registry.js";

/** What becomes of a single page. */
export interface CleanerOptions extends PageOptions {
  /** Documents come in this form, without lines, and with what they carry along in it. */
  readonly form?: Form;
}
