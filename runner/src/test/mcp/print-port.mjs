// Prints the port that a server listens on, and nothing else: with the port 0 the servers print 0.
import { Server } from "node:net";

console.log = console.error;
const listen = Server.prototype.listen;
Server.prototype.listen = function (...args) {
    this.once("listening", () => process.stdout.write(this.address().port + "\n"));
    return listen.apply(this, args);
};
