// An upload by tus-js-client that is paused, then loses its network, and ends whole.
// node tus-client.cjs <folder with node_modules> <server> <key> <file>
const fs = require('node:fs');
const net = require('node:net');
const path = require('node:path');

const [modules, server, key, file] = process.argv.slice(2);
const tus = require(path.join(modules, 'node_modules', 'tus-js-client'));
const target = new URL(server);
const size = fs.statSync(file).size;

// The network: a proxy that can be cut, with every connection that runs through it.
let down = false;
const open = new Set();
const network = net.createServer((near) => {
  if (down) {
    near.destroy();
    return;
  }
  const far = net.connect(target.port, target.hostname);
  for (const socket of [near, far]) {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      near.destroy();
      far.destroy();
    });
  }
  near.pipe(far);
  far.pipe(near);
});

network.listen(0, '127.0.0.1', () => {
  let paused = false;
  let lost = false;
  const upload = new tus.Upload(fs.createReadStream(file), {
    endpoint: `http://127.0.0.1:${network.address().port}/api/uploads`,
    headers: { Authorization: `Bearer ${key}` },
    metadata: { filename: 'big.bin' },
    chunkSize: 4 << 20,
    uploadSize: size,
    retryDelays: [0, 50, 100, 200, 400, 800],
    onShouldRetry: () => {
      down = false; // the network is back when the client tries again
      return true;
    },
    onProgress: (sent) => {
      if (!paused && sent > size / 4) {
        paused = true;
        upload.abort().then(() => upload.start());
      } else if (paused && !lost && sent > size / 2) {
        lost = true;
        down = true;
        open.forEach((socket) => socket.destroy());
      }
    },
    onError: (error) => {
      console.error(String(error));
      process.exit(1);
    },
    onSuccess: () => {
      console.log(JSON.stringify({ url: upload.url, paused, lost }));
      process.exit(0);
    },
  });
  upload.start();
});
