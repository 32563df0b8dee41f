// `node compress.mjs FOLDER` writes FILE.br and FILE.gz beside each file of a built page, for servers that send them.
// Formats that are compressed already have no copies.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXTS = /\.(css|html|js|json|svg|txt|wasm|webmanifest)$/;
const [folder] = process.argv.slice(2);

for (const name of readdirSync(folder, { recursive: true }).filter((name) => TEXTS.test(name))) {
  const file = join(folder, name);
  const bytes = readFileSync(file);
  const size = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: size }));
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
}
