// Keys pressed while the page has no connection, at its start or after a break, are held and given
// to the page in the order in which they were pressed: NiceGUI waits for the connection with a timer
// for each event, so that later keys may overtake earlier ones.
(() => {
  const held = [];
  const typesItself = (element) => ["INPUT", "SELECT", "TEXTAREA", "BUTTON"].includes(element?.tagName);

  const letGo = () => {
    if (!window.did_handshake) return setTimeout(letGo, 10);
    while (held.length) {
      const event = held.shift();
      document.dispatchEvent(new KeyboardEvent(event.type, event));
    }
  };

  const hold = (event) => {
    if (!event.isTrusted || typesItself(document.activeElement)) return;
    if (window.did_handshake && !held.length) return;
    event.stopImmediatePropagation();
    if (event.key === " ") event.preventDefault();
    if (held.push(event) === 1) letGo();
  };

  window.addEventListener("keydown", hold, true);
  window.addEventListener("keyup", hold, true);
})();
