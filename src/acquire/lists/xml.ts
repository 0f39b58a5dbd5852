/**
 * Reads elements and text from XML as it arrives, even if it is broken, to a limited depth, as the only module that
 * imports sax.
 */
import sax, { type SAXParser } from "sax";

/** An open element. Names are in lower case; `prefix` is the part before the colon, or "". */
export interface XmlElement {
  readonly name: string;
  readonly prefix: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly parent: XmlElement | undefined;
  /** 1 for the root. */
  readonly depth: number;
}

interface XmlEvents {
  onOpen(element: XmlElement): void;
  /** Gets the text directly in an element, with CDATA, in pieces. */
  onText(text: string, element: XmlElement): void;
  onClose(element: XmlElement): void;
}

interface XmlReader {
  write(text: string): void;
  /** Returns in a few words what is wrong with the document, or undefined. Called once, at the end. */
  end(): string | undefined;
  /** Whether the rest will not be read. */
  isOver(): boolean;
}

/** Levels of elements; sitemaps and feeds have about ten. */
const MAX_DEPTH = 100;
const MAX_ATTRIBUTES = 200;
/** Characters that the parser gets at once; between them it checks its buffers, and we check whether to stop. */
const PIECE = 1 << 14;
/** The most characters of a name, and of a value. */
const MAX_NAME = 200;
const MAX_VALUE = 10_000;

/** An `&` that begins no reference: the parser would read everything up to the next "<" as part of one. */
const BARE_AMPERSAND = /&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{0,31});)/gi;
/** Characters of the longest reference. */
const MAX_REFERENCE = 40;
/** Replaces a bare `&` for the parser: a noncharacter, so that no text contains it. */
const AMPERSAND = "\ufdd0";

/**
 * Reads leniently, because real lists have bare `&`, references of HTML, and tags that do not match. Never expands
 * entities that a document declares itself, and never reads anything outside of it.
 */
export function createXmlReader(events: XmlEvents): XmlReader {
  // The parser must track its position, because that decides when it checks its buffers.
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
    // The parser gives out texts in pieces, but would keep a tag or a comment, in chains of single characters, until
    // its end.
    if (error.message.startsWith("Max buffer length exceeded")) stop("an unclosed tag or comment");
    else problem ??= error.message.split("\n", 1)[0];
    // Without this the parser would throw at the next piece; its types do not say that `error` can be unset.
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
      stop(`elements nested more than ${MAX_DEPTH} deep`);
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

/** Replaces each bare `&` of a text that comes in pieces. */
function createAmpersands(): { hide(text: string): string; rest(): string } {
  let held = "";
  return {
    hide(text) {
      const all = held + text;
      // A reference may continue in the next piece.
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
