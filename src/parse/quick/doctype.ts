/** A doctype into whether browsers read the page in quirks mode, where a table does not end the paragraph before it. */

/** HTML standard 13.2.6.4.1; public identifiers, lower-case. */
const QUIRKY =
  /^(?:html$|-\/w3c\/dtd html 4\.0 transitional\/en$|\+\/\/silmaril\/\/|-\/\/(?:as\/\/|advasoft |ietf\/\/dtd html|metrius\/\/|microsoft\/\/dtd internet explorer|netscape comm\. corp\.\/\/|o'reilly and associates\/\/dtd html|softquad|spyglass\/\/|sq\/\/|sun microsystems corp\.\/\/|webtechs\/\/|w3o\/\/|w3c\/\/dtd (?:html 3|html experimental|w3 html|html 4\.0 (?:frameset|transitional)\/\/)))/;
/** Quirky only without an address of the document type. */
const QUIRKY_ALONE = /^-\/\/w3c\/\/dtd html 4\.01 (?:frameset|transitional)\/\//;
const QUIRKY_SYSTEM = "http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd";
const DOCTYPE =
  /^\s*([^\s>]*)(?:\s+public\s*(?:"([^"]*)"|'([^']*)')\s*(?:"([^"]*)"|'([^']*)')?|\s+system\s*(?:"([^"]*)"|'([^']*)'))?/;
/** Doctypes are short; what comes later decides nothing. */
const MAX_DOCTYPE = 1_000;

/** `text` is what stands between `<!doctype` and `>`. */
export function isQuirky(text: string): boolean {
  const doctype = text.slice(0, MAX_DOCTYPE).toLowerCase();
  const match = DOCTYPE.exec(doctype);
  const name = match?.[1];
  const publicId = match?.[2] ?? match?.[3];
  const systemId = match?.[4] ?? match?.[5] ?? match?.[6] ?? match?.[7];
  if (name !== "html" || systemId === QUIRKY_SYSTEM) return true;
  // Anything but an identifier after the name, or one without its closing quote, is an error.
  if (publicId === undefined) return systemId === undefined && doctype.trim() !== "html";
  return QUIRKY.test(publicId) || (systemId === undefined && QUIRKY_ALONE.test(publicId));
}
