// Uploads by tus-js-client and Uppy as their users configure them: in parallel parts, and of an unknown length.
// node tus.mjs parallel|deferred|uppy SERVER KEY BYTES
import { registerHooks } from 'node:module';
import { Readable } from 'node:stream';

const [kind, server, key, size] = process.argv.slice(2);
const bytes = Buffer.alloc(Number(size));
for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (i * 31 + (i >> 8)) & 0xff;
}
const endpoint = `${server}/api/uploads`;
const headers = { Authorization: `Bearer ${key}` };

function report(result) {
    console.log(JSON.stringify(result));
    process.exit(0);
}

async function byClient(source, options) {
    const { Upload } = await import('tus-js-client');
    const upload = new Upload(source, {
        endpoint,
        headers,
        metadata: { filename: 'big.bin' },
        retryDelays: null,
        onError: (error) => report({ error: String(error) }),
        onSuccess: () => report({ url: upload.url }),
        ...options,
    });
    upload.start();
}

async function byUppy() {
    registerHooks({ // the browser's build, as a bundler takes it
        resolve: (name, context, next) =>
            next(name === 'tus-js-client' ? 'tus-js-client/lib.esm/browser/index.js' : name, context),
    });
    const { JSDOM } = await import('jsdom');
    const { window } = new JSDOM('', { url: `${server}/` });
    for (const name of ['window', 'document', 'XMLHttpRequest', 'File', 'Blob', 'FileReader', 'localStorage']) {
        Object.defineProperty(globalThis, name, { value: name === 'window' ? window : window[name], configurable: true });
    }
    const { default: Uppy } = await import('@uppy/core');
    const { default: Tus } = await import('@uppy/tus');
    const uppy = new Uppy().use(Tus, { endpoint, headers, parallelUploads: 2, chunkSize: 256 * 1024, retryDelays: null });
    uppy.addFile({
        name: 'big.bin',
        type: 'application/octet-stream',
        data: new window.File([bytes], 'big.bin', { type: 'application/octet-stream' }),
    });
    const result = await uppy.upload();
    report(
        result.failed.length > 0
            ? { error: String(result.failed[0].error) }
            : { url: result.successful[0].uploadURL },
    );
}

if (kind === 'parallel') {
    await byClient(bytes, { parallelUploads: 3 });
} else if (kind === 'deferred') {
    await byClient(Readable.from(bytes), { uploadLengthDeferred: true, chunkSize: 256 * 1024 });
} else {
    await byUppy();
}
