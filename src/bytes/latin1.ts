/** Reads bytes as Latin-1, each as the character of its number: enough to look for ASCII in any charset. */

/** Characters that are made at once; a call takes no more arguments than some ten thousand. */
const AT_ONCE = 8192;

export function decodeLatin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let at = 0; at < bytes.length; at += AT_ONCE)
    // Function.apply takes what is like an array.
    parts.push(String.fromCharCode.apply(undefined, bytes.subarray(at, at + AT_ONCE) as unknown as number[]));
  return parts.join("");
}
