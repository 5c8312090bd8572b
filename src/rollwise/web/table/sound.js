// The sound of dice, made by the browser itself; off until somebody wants it.
(() => {
  const KEY = "rollwise.sound";
  let audio = null;

  const isOn = () => localStorage.getItem(KEY) === "on";

  const knock = (start, loudness) => {
    const length = Math.floor(audio.sampleRate * 0.045);
    const buffer = audio.createBuffer(1, length, audio.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * Math.exp((-7 * i) / length);
    const source = new AudioBufferSourceNode(audio, { buffer, playbackRate: 0.7 + Math.random() * 0.6 });
    const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: 1800 + Math.random() * 900, Q: 1.5 });
    source.connect(filter).connect(new GainNode(audio, { gain: loudness })).connect(audio.destination);
    source.start(audio.currentTime + start);
  };

  const rattle = (dice) => {
    if (!isOn()) return;
    audio ??= new AudioContext();
    for (let die = 0; die < dice; die++) {
      const start = Math.random() * 0.12;
      knock(start, 0.5);
      knock(start + 0.12 + Math.random() * 0.08, 0.25);
    }
  };

  const show = () => {
    const on = String(isOn());
    for (const button of document.querySelectorAll("button.sound"))
      if (button.getAttribute("aria-pressed") !== on) button.setAttribute("aria-pressed", on);
  };

  document.addEventListener("click", (event) => {
    if (!event.target.closest("button.sound")) return;
    localStorage.setItem(KEY, isOn() ? "off" : "on");
    show();
    rattle(isOn() ? 2 : 0);
  });

  new MutationObserver((changes) => {
    const rolled = changes.filter((change) => change.attributeName === "data-roll");
    if (rolled.length) rattle(rolled.length);
    show();
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ["data-roll"] });
})();
