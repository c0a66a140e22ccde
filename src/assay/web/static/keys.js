// Single keys: they can be switched off, and never act in a field or together with a modifier.
// A file of its own without effects, so that any script may import it: its address carries no version.
export const keysOn = () => document.documentElement.dataset.keys !== 'off';
export const inField = event => event.target.closest('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey;
