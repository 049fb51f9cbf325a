// Prints the size of the JavaScript that the first load needs, and fails if it exceeds the limit.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_KB = 350;
const page = readFileSync("dist/index.html", "utf8");
const scripts = [...page.matchAll(/(?:src|href)="(\/[^"]+\.js)"/g)].map(([, path]) => path);
const bytes = scripts.map((path) => gzipSync(readFileSync(`dist${path}`)).length);
const kb = Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / 1024);
process.stdout.write(`first load: ${kb} KB of JavaScript, gzipped (at most ${LIMIT_KB})\n`);
if (kb > LIMIT_KB) process.exit(1);
