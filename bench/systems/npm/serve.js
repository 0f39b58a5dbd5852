/** Runs the npm rival that the argument names. */
import { serve } from "../serve.js";

const SYSTEMS = {
  "readability-js": () => import("./readability.js"),
  defuddle: () => import("./defuddle.js"),
};

await serve(async () => {
  const name = process.argv[2] ?? "";
  const open = Object.hasOwn(SYSTEMS, name) ? SYSTEMS[name] : undefined;
  if (open === undefined)
    throw new Error(`no npm system is called ${name}; there are ${Object.keys(SYSTEMS).join(", ")}`);
  return (await open()).load();
});
