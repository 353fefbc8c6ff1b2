// How a test and a client talk: a JSON object a line, orders in, reports out.
import { createInterface } from 'node:readline';

export function report(value) {
  process.stdout.write(JSON.stringify(value) + '\n');
}

/** Runs the order named by `do`; none of them holds up the next. */
export function obey(orders) {
  createInterface({ input: process.stdin })
    .on('line', (line) => {
      const order = JSON.parse(line);
      Promise.resolve(orders[order.do](order)).catch((error) => report({ threw: String(error) }));
    })
    .on('close', () => process.exit(0));
  report({ ready: true });
}
