/** Finds and makes elements of the page. Whatever is shown goes in as text, never as markup. */

/** The element of the page with this id. Each is of the type that the page gives it. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows the type of the element
export function part<T extends HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element #${id}`);
  return found as T;
}

/** An element with a text, or with others in it. */
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

/** What has just happened. */
export function say(sentence: string): void {
  part("status").textContent = sentence;
}

/** What went wrong; "" takes it away. */
export function warn(sentence: string): void {
  part("error").textContent = sentence;
}

/** Runs what may fail, and tells it. */
export function tell(work: Promise<unknown>): void {
  work.catch((error: unknown) => {
    warn(error instanceof Error ? error.message : String(error));
  });
}
