// Ids that a person chose to go on with: they stand in every form that asks for one of their resource.
const chosen = new Map();

export function known(resource) {
  return chosen.get(resource) ?? "";
}

export function choose(resource, id) {
  chosen.set(resource, id);
  for (const field of document.querySelectorAll("[data-name][data-of]")) {
    if (field.dataset.of === resource) field.value = id;
  }
}
