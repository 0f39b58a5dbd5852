/** Finds and makes elements of the page, and shows everything as text, never as markup. */

/**
 * Returns the element of the page with this id. Its type is the one in the page. Throws Error if there is no such
 * element.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type of the element
export function part<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element #${id}`);
  return found as T;
}

/** Makes an element with a text or with child elements. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  content: string | readonly HTMLElement[] = "",
  attributes: Readonly<Record<string, string>> = {},
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (typeof content === "string") made.textContent = content;
  else made.append(...content);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

/** Shows what has just happened. */
export function say(sentence: string): void {
  part("status").textContent = sentence;
}

/** Shows what went wrong; "" clears the message. */
export function warn(sentence: string): void {
  part("error").textContent = sentence;
}

/** Runs work that may fail, and shows its error. */
export function tell(work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    warn(error instanceof Error ? error.message : String(error));
  });
}
