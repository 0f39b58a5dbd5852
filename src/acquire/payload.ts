/** The payload of an answer, of a server or out of an archive, into a page, or into the reason why it cannot be one. */
import type { Page } from "../document.js";
import { reject, type Outcome } from "../outcome.js";
import { chooseFormat, isBareXml } from "./kind.js";
import { toPage } from "./page-bytes.js";

export interface Payload {
  readonly bytes: Uint8Array;
  readonly contentType?: string;
}

/** Its size, and whether its type may be that of a page, is judged before. */
export function judgePayload(
  { id, url }: Pick<Page, "id" | "url">,
  { bytes, contentType }: Payload,
): Outcome<Page> {
  const format = chooseFormat(bytes, contentType);
  if (isBareXml(format, contentType))
    return reject({ id, url }, "acquire", "unsupported-type", `${contentType ?? ""} that is not XHTML`);
  const type = contentType === undefined ? {} : { contentType };
  return toPage({ id, url, format, ...type }, bytes, Infinity);
}
