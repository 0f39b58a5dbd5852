/**
 * Exits with a clear message when Node.js is older than `engines` in package.json requires. Debian 12 and Ubuntu 24.04
 * have Node.js 18, which would fail with an error about some module. This is imported first, and uses only syntax that
 * old releases can read.
 */
const [major, minor] = process.versions.node.split(".").map(Number);
const isOld = major < 20 || major === 21 || (major === 20 && minor < 19) || (major === 22 && minor < 13);
if (isOld) {
  process.stderr.write(
    `error: Thresher needs Node.js 20.19 or later, or of 22 the release 22.13 or later; this is ${process.version} (${process.execPath})\n(https://nodejs.org/en/download has newer ones)\n`,
  );
  process.exit(2);
}
