/** Declares what `charset.ts` uses of a package that ships no types. */
declare module "html-encoding-sniffer" {
  interface SniffOptions {
    /** The charset of the Content-Type header. */
    readonly transportLayerEncodingLabel?: string;
    /** What to return if the bytes say nothing. */
    readonly defaultEncoding?: string;
  }
  /** Returns a WHATWG encoding name, from the BOM, the header or a `<meta>` within the first 1024 bytes. */
  export default function sniff(bytes: Uint8Array, options?: SniffOptions): string;
}
