/** Declares what `charset.ts` uses of a package that ships no types. */
declare module "html-encoding-sniffer" {
  interface SniffOptions {
    /** The charset of the Content-Type header. */
    readonly transportLayerEncodingLabel?: string;
    /** What to return where the bytes say nothing. */
    readonly defaultEncoding?: string;
  }
  /** A WHATWG encoding name by BOM, header or `<meta>` within the first 1024 bytes. */
  export default function sniff(bytes: Uint8Array, options?: SniffOptions): string;
}
