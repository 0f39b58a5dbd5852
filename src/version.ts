/** The version of this package; a test holds it to what package.json says. */
export const VERSION = "0.1.0";
