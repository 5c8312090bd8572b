/* The reasons for choices, which a server knows. */

/** Return what the best option at a position mainly gains over another one, or nothing if the server does not know it.
 * @param {import("./game.js").Rules} rules @param {string} position @param {string} action @returns {Promise<import("./words.js").Gain[]>} */
export async function reasonFor(rules, position, action) {
  const reply = await fetch(`/reason?${new URLSearchParams({ rules: rules.name, position, action })}`).catch(() => null);
  return reply?.ok ? reply.json() : [];
}
