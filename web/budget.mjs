// Fails the build when the first load of the page is too large.
import { readFileSync, readdirSync } from "node:fs";
import { gzipSync } from "node:zlib";

const KB = 1024;
const LIMITS = { "first JavaScript": 130 * KB, "JavaScript of the page": 350 * KB, "JavaScript of diagrams": 480 * KB, CSS: 15 * KB };

const zipped = (file) => gzipSync(readFileSync(`dist/${file}`), { level: 9 }).length;
const sum = (files) => files.reduce((total, file) => total + zipped(file), 0);

const page = readFileSync("dist/index.html", "utf8");
const first = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map((match) => match[1]);
const assets = readdirSync("dist/assets").map((name) => `assets/${name}`);

const scripts = assets.filter((name) => name.endsWith(".js"));
const ofDiagrams = (name) => name.includes("diagram-worker"); // loaded with the first diagram, in a thread of its own

const sizes = {
  "first JavaScript": sum(first),
  "JavaScript of the page": sum(scripts.filter((name) => !ofDiagrams(name))),
  "JavaScript of diagrams": sum(scripts.filter(ofDiagrams)),
  CSS: sum(assets.filter((name) => name.endsWith(".css"))),
};
let tooLarge = false;
for (const [what, limit] of Object.entries(LIMITS)) {
  const size = sizes[what];
  tooLarge ||= size > limit;
  console.log(`${what}: ${(size / KB).toFixed(1)} KB gzipped, limit ${limit / KB} KB`);
}
process.exit(tooLarge ? 1 : 0);
