// The words that the script shows stand in the page, in the language of its reader.
const words = document.getElementById("words").content;

export function say(name) {
  return words.querySelector(`[data-word="${name}"]`)?.textContent ?? name;
}
