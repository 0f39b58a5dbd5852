/** Decodes bytes as Latin-1, one character per byte: enough to search for ASCII in any charset. */

/** Bytes decoded per call; a call takes no more than some ten thousand arguments. */
const AT_ONCE = 8192;

export function decodeLatin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    // Function.apply takes any array-like object.
    parts.push(String.fromCharCode.apply(undefined, bytes.subarray(at, at + AT_ONCE) as unknown as number[]));
  return parts.join("");
}
