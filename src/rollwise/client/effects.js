/* Small effects: vibration and the sound of dice, a celebration, and the glow of a special roll. */

import { made, recalled } from "./dom.js";

/** Whether effects that move may be shown. */
export const isLively = () => recalled("effects") !== false && !matchMedia("(prefers-reduced-motion: reduce)").matches;

const PIECES = 40;

/** Let confetti fall once. */
export function celebrate() {
  if (!isLively()) return;
  const confetti = made("div", document.body, { className: "confetti", ariaHidden: "true" });
  for (let i = 0; i < PIECES; i++) {
    const { style } = made("i", confetti);
    style.left = `${100 * Math.random()}%`;
    style.animationDelay = `${Math.random() / 2}s`;
    style.background = ["var(--gold)", "var(--ring)", "#fff", "var(--good)"][i % 4];
  }
  setTimeout(() => confetti.remove(), 2500);
}

/** @type {AudioContext | undefined} */
let audio;

/** Sound like one die that hits the table.
 * @param {AudioContext} context @param {number} start in seconds @param {number} loudness */
function knock(context, start, loudness) {
  const buffer = context.createBuffer(1, Math.round(context.sampleRate * 0.06), context.sampleRate), samples = buffer.getChannelData(0);
  for (let i = 0; i < samples.length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp(-7 * i / samples.length);
  const source = new AudioBufferSourceNode(context, { buffer, playbackRate: 0.7 + Math.random() * 0.6 });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: 1800 + Math.random() * 900, Q: 1.5 });
  source.connect(filter).connect(new GainNode(context, { gain: loudness })).connect(context.destination);
  source.start(context.currentTime + start);
}

/** Accompany a roll.
 * @param {number} dice the number of rolled dice */
export function accompanyRoll(dice) {
  if (isLively()) navigator.vibrate?.(10);
  if (!recalled("sound")) return;
  audio ??= new AudioContext();
  for (let die = 0; die < dice; die++) {
    const start = Math.random() * 0.12;
    knock(audio, start, 0.5);
    knock(audio, start + 0.12 + Math.random() * 0.08, 0.25);
  }
}
