/** XML, also broken XML, into its elements and texts as they come, with bounded depth; the one door of sax. */
import sax, { type SAXParser } from "sax";

/** An element that is open. Names are in lower case; `prefix` is what stands before the colon, or "". */
export interface XmlElement {
  readonly name: string;
  readonly prefix: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: XmlElement | undefined;
  /** 1 for the root. */
  readonly depth: number;
}

export interface XmlEvents {
  onOpen(element: XmlElement): void;
  /** Text directly in an element, CDATA too; in pieces. */
  onText(text: string, element: XmlElement): void;
  onClose(element: XmlElement): void;
}

export interface XmlReader {
  write(text: string): void;
  /** What is wrong with the document as a whole, in a few words; undefined where nothing is. Called once, at the end. */
  end(): string | undefined;
  /** True as soon as nothing more will be read. */
  isOver(): boolean;
}

/** No sitemap or feed is deeper than ten or so. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 200;
/** Characters that the parser gets at once: in between it checks its buffers, and we whether it is over. */
const PIECE = 1 << 14;
/** Characters of a name, and of a value. */
const MAX_NAME = 200;
const MAX_VALUE = 10_000;

/** An `&` that begins no reference: the parser would take what follows, up to the next tag's "<", for a part of one. */
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{0,31});)/gi;
/** Characters of the longest reference. */
const MAX_REFERENCE = 40;
/** Stands for it meanwhile: a code that is no character, so no text has it. */
const AMPERSAND = "\ufdd0";

/**
 * Reads loosely, as the field writes: a bare `&`, references of HTML, tags that do not match. Entities that a document
 * declares itself are never expanded, and nothing outside of it is ever read.
 */
export function createXmlReader(events: XmlEvents): XmlReader {
  // It must know its position: by that it tells when to check its buffers.
  const parser: SAXParser = sax.parser(false, { lowercase: true, noscript: true });
  const ampersands = createAmpersands();
  let open: XmlElement | undefined;
  let problem: string | undefined;
  let isOver = false;
  let attributes = new Map<string, string>();
  const stop = (why: string): void => {
    problem ??= why;
    isOver = true;
  };
  parser.onerror = (error) => {
    // Texts it hands over in pieces; a tag or a comment it would keep, in chains of single characters, until it ends.
    if (error.message.startsWith("Max buffer length exceeded")) stop("a tag or a comment without end");
    else problem ??= error.message.split("\n", 1)[0];
    // Without this the parser would throw at the next piece; the types do not know that it can be unset.
    (parser as { error: Error | null }).error = null;
  };
  parser.onattribute = ({ name, value }) => {
    if (attributes.size >= MAX_ATTRIBUTES) stop(`an element with more than ${MAX_ATTRIBUTES} attributes`);
    else if (name.length <= MAX_NAME && value.length <= MAX_VALUE) attributes.set(name, restore(value));
  };
  parser.onopentag = ({ name: qualified }) => {
    if (isOver) return;
    const depth = (open?.depth ?? 0) + 1;
    if (depth > MAX_DEPTH) {
      stop(`elements more than ${MAX_DEPTH} deep`);
      return;
    }
    const colon = qualified.indexOf(":");
    const name = qualified.slice(colon + 1, colon + 1 + MAX_NAME);
    open = { name, prefix: qualified.slice(0, Math.max(0, colon)), attributes, parent: open, depth };
    attributes = new Map();
    events.onOpen(open);
  };
  parser.onclosetag = () => {
    if (isOver || open === undefined) return;
    const closed = open;
    open = open.parent;
    events.onClose(closed);
  };
  parser.ontext = parser.oncdata = (text) => {
    if (!isOver && open !== undefined) events.onText(restore(text), open);
  };
  const feed = (text: string): void => {
    for (let at = 0; at < text.length && !isOver; at += PIECE) parser.write(text.slice(at, at + PIECE));
  };
  return {
    write(text) {
      feed(ampersands.hide(text));
    },
    end() {
      if (isOver) return problem;
      feed(ampersands.rest());
      const cut = open;
      parser.close();
      return cut === undefined ? problem : `it ends inside <${cut.name}>`;
    },
    isOver: () => isOver,
  };
}

/** Texts in pieces into the same texts with a sign for each bare `&`. */
function createAmpersands(): { hide(text: string): string; rest(): string } {
  let held = "";
  return {
    hide(text) {
      const all = held + text;
      // A reference may go on in the next piece.
      const last = all.lastIndexOf("&");
      const end = last !== -1 && all.length - last < MAX_REFERENCE ? last : all.length;
      held = all.slice(end);
      return all.slice(0, end).replace(BARE_AMPERSAND, AMPERSAND);
    },
    rest: () => held.replace(BARE_AMPERSAND, AMPERSAND),
  };
}

function restore(text: string): string {
  return text.replaceAll(AMPERSAND, "&");
}
