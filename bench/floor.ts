/** The floor of the benchmark: an empty program that reads standard input and ends. */
const buffer = new Uint8Array(64 * 1024);
while (await Deno.stdin.read(buffer) !== null);
