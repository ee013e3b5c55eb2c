import { createServer } from "node:http";

/** Reads each request and responds OK. */
createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.setHeader("Content-Type", "text/plain");
    response.end("OK");
  });
}).listen(Number(process.env["PORT"]), "127.0.0.1");
