import { createServer } from "node:http";

/** Reads what comes and says OK. */
createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    response.setHeader("Content-Type", "text/plain");
    response.end("OK");
  });
}).listen(Number(process.env["PORT"]), "127.0.0.1");
