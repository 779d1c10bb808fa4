/** Replaces the file named over and over, until it is killed; each content is one letter repeated. */
import { denoSystem } from "../../src/system/deno.ts";

const [path = "", letter = "a"] = Deno.args;
const content = new TextEncoder().encode(letter.repeat(200_000));
const { files } = denoSystem();
for (;;) files.writeAtomic(path, content, 0o640);
