/** Runs the npm rival that the first argument names; the second argument is the subject: lines, structure or metadata. */
import { serve } from "../serve.js";

const SYSTEMS = {
  "readability-js": () => import("./readability.js"),
  defuddle: () => import("./defuddle.js"),
  "mercury-parser": () => import("./mercury.js"),
};

await serve(async () => {
  const [name = "", subject = "lines"] = process.argv.slice(2);
  const open = Object.hasOwn(SYSTEMS, name) ? SYSTEMS[name] : undefined;
  if (open === undefined)
    throw new Error(`no npm system is called ${name}; there are ${Object.keys(SYSTEMS).join(", ")}`);
  return (await open()).load(subject);
});
