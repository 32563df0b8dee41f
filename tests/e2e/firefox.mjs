#!/usr/bin/env node
// Starts Firefox for Playwright, which takes this script for the browser: it has the same arguments and the same output.
//
// Playwright operates Firefox by WebDriver BiDi, and refuses a Firefox that doesn't know all of its commands, such as
// an Extended Support Release. Between the two, this script answers such commands with success: they are only needed for
// what no journey in Firefox does (reading the content of responses, emulating media features). It also gives downloads an
// id where Firefox doesn't: Playwright ignores those without.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { WebSocket, WebSocketServer } from "ws";
import { firefoxPath } from "./browser.mjs";

/** Lets a client operate the browser at `address`. Returns the address for the client. */
async function relay(address) {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
  server.on("connection", (client, { url }) => {
    const browser = new WebSocket(address + url, { perMessageDeflate: false });
    const early = [];
    client.on("message", (data) => (browser.readyState === WebSocket.OPEN ? browser.send(String(data)) : early.push(String(data))));
    browser.on("open", () => early.forEach((message) => browser.send(message)));
    browser.on("message", (data) => client.send(adapted(String(data))));
    browser.on("close", () => client.close());
    browser.on("error", () => client.close());
    client.on("close", () => browser.close());
  });
  await once(server, "listening");
  return `ws://127.0.0.1:${server.address().port}`;
}

/** Adapts a message of Firefox to what Playwright expects. */
function adapted(text) {
  if (!text.includes('"unknown command"') && !text.includes('"browsingContext.download')) return text;
  const message = JSON.parse(text);
  if (message.type === "error" && message.error === "unknown command") {
    return JSON.stringify({ type: "success", id: message.id, result: {} });
  }
  const isDownload = message.type === "event" && message.method.startsWith("browsingContext.download");
  if (isDownload) message.params.download ??= message.params.navigation ?? message.params.url;
  return JSON.stringify(message);
}

const firefox = spawn(firefoxPath(), process.argv.slice(2), { stdio: ["ignore", "inherit", "pipe"] });
firefox.on("exit", (code) => process.exit(code ?? 1));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => firefox.kill(signal));
const announcement = /WebDriver BiDi listening on (ws:\S+)/;
for await (const line of createInterface({ input: firefox.stderr })) {
  const address = line.match(announcement)?.[1];
  console.error(address ? line.replace(address, await relay(address)) : line);
}
