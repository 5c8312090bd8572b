/* Data of an offline page, which rollwise.offline_page.page has compressed. */

/** The digits in base 85. */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";

/** @param {string} text */
async function inflated(text) {
  const groups = Math.ceil(text.length / 5), full = text.padEnd(5 * groups, "~"), view = new DataView(new ArrayBuffer(4 * groups));
  for (let group = 0; group < groups; group++) {
    let number = 0;
    for (const digit of full.slice(5 * group, 5 * group + 5)) number = 85 * number + DIGITS.indexOf(digit);
    view.setUint32(4 * group, number);
  }
  const bytes = view.buffer.slice(0, 4 * groups - (full.length - text.length));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

/** Return an object.
 * @param {string} text */
export const unpackedJson = async (text) => (await inflated(text)).json();

/** Return integers, of which the text has the differences, by byte plane.
 * @param {string} text */
export async function unpackedNumbers(text) {
  const bytes = new Uint8Array(await (await inflated(text)).arrayBuffer()), count = bytes.length / 4, numbers = new Int32Array(count);
  let number = 0;
  for (let i = 0; i < count; i++) {
    const step = bytes[i] | bytes[count + i] << 8 | bytes[2 * count + i] << 16 | bytes[3 * count + i] << 24;
    number = number + step | 0;
    numbers[i] = number;
  }
  return numbers;
}
