// A proxy whose connections the tests cut.
import net from 'node:net';

export class CuttingProxy {
  cuts = 0;
  #limit = { sent: undefined, received: undefined };
  #open = new Set();
  #server;

  static async before(url) {
    const proxy = new CuttingProxy();
    const behind = new URL(url);
    proxy.#server = net.createServer((near) => {
      const far = net.connect(behind.port, behind.hostname);
      for (const [from, to, direction] of [
        [near, far, 'sent'],
        [far, near, 'received'],
      ]) {
        let moved = 0;
        proxy.#open.add(from);
        from.on('error', () => {});
        from.on('close', () => {
          proxy.#open.delete(from);
          to.destroy();
        });
        from.on('data', (block) => {
          moved += block.length;
          if (moved > (proxy.#limit[direction] ?? Infinity)) {
            proxy.#limit[direction] = undefined;
            proxy.cuts += 1;
            proxy.cut();
          } else if (!to.write(block)) {
            from.pause();
            to.once('drain', () => from.resume());
          }
        });
      }
    });
    await new Promise((resolve) => proxy.#server.listen(0, '127.0.0.1', resolve));
    proxy.url = `http://127.0.0.1:${proxy.#server.address().port}`;
    return proxy;
  }

  /** Closes all connections; new ones are accepted. */
  cut() {
    for (const socket of this.#open) socket.destroy();
  }

  /** Cuts when so many bytes of a connection were "sent" by the client or "received" by it; once. */
  cutAfter(count, direction) {
    this.#limit[direction] = count;
  }

  close() {
    this.cut();
    return new Promise((resolve) => this.#server.close(resolve));
  }
}
