// A Node server that lists a folder the way Ash does: a synchronous walk in the order of names, the
// same names left out, one stat for each file, and the list as JSON. Only what it needs for that.
import { createServer } from 'node:http';
import { readdirSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const root = process.argv[2];
const skippedNames = new Set(['node_modules', '.git', '__pycache__', '.DS_Store', '.cache', '.npm', '.pnpm-store',
    '.yarn', '.venv', 'venv', '.tmp', 'tmp']);
const skippedEndings = new Set(['.sock', '.lock', '.pid']);

function walk(folder, prefix, files) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (skippedNames.has(entry.name) || skippedEndings.has(extname(entry.name))) {
            continue;
        }
        const path = prefix + entry.name;
        if (entry.isDirectory()) {
            walk(join(folder, entry.name), path + '/', files);
        } else {
            const stat = statSync(join(folder, entry.name));
            files.push({ path, size: stat.size, modifiedAt: stat.mtime.toISOString() });
        }
    }
    return files;
}

const server = createServer((request, response) => {
    const body = JSON.stringify({ files: walk(root, '', []), source: 'sandbox' });
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(body);
});
server.listen(0, '127.0.0.1', () => console.log('Node listens on ' + server.address().port));
