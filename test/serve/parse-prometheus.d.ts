/** Declares what the tests use of a library that comes without types. */
declare module "parse-prometheus-text-format" {
  export default function parsePrometheus(text: string): unknown;
}
