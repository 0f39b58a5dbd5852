/** Declares the text that the build inserts: the code of the worker. */
declare module "virtual:worker" {
  const code: string;
  export default code;
}
