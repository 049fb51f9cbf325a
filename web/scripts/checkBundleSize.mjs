// Prints what the first screen and the chat load, gzipped, and fails beyond the limits.
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMITS_KB = { "before sign-in": 220, chat: 300 };
const page = readFileSync("dist/index.html", "utf8");
const first = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name);
const chat = readdirSync("dist/assets").filter((name) => /^ThreadView-.*\.(?:js|css)$/.test(name));

/** The files with the scripts that they import at once. */
function closure(names) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    if (!name.endsWith(".js")) return;
    const script = readFileSync(`dist/assets/${name}`, "utf8");
    for (const [, imported] of script.matchAll(/(?:from|import)\s*["']\.\/([^"']+\.js)["']/g))
      visit(imported);
  };
  for (const name of names) visit(name);
  return [...found];
}

const sizeKb = (names) =>
  Math.ceil(
    names.reduce((sum, name) => sum + gzipSync(readFileSync(`dist/assets/${name}`)).length, 0) / 1024,
  );

const sizes = { "before sign-in": sizeKb(closure(first)), chat: sizeKb(closure([...first, ...chat])) };
if (chat.length === 0) throw new Error("The build has no chat of its own, so it is loaded before sign-in.");
for (const [name, kb] of Object.entries(sizes)) {
  process.stdout.write(`${name}: ${kb} KB of JavaScript and CSS, gzipped (at most ${LIMITS_KB[name]})\n`);
  if (kb > LIMITS_KB[name]) process.exitCode = 1;
}
const known = new Set(closure([...first, ...chat]));
for (const part of ["formulas", "colouring"]) {
  const names = readdirSync("dist/assets").filter(
    (name) => name.startsWith(`${part}-`) && name.endsWith(".js"),
  );
  const added = closure(names).filter((name) => !known.has(name));
  if (added.length === 0) throw new Error(`The chat loads ${part} at once.`);
  process.stdout.write(`${part}, loaded with the first of them: ${sizeKb(added)} KB\n`);
}
