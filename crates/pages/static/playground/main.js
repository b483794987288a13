// Brings the page to life: which flow is shown, and what each of them does.
import * as code from "./code.js";
import * as device from "./device.js";
import { forget, recall, whenChanged } from "./memory.js";
import * as refresh from "./refresh.js";
import * as revoke from "./revoke.js";
import * as service from "./service.js";
import { issuer } from "./settings.js";
import { byId, press, showOnly } from "./show.js";
import { say } from "./words.js";

const flows = [...document.querySelectorAll(".flow")];
const tabs = [...document.querySelectorAll(".play-tabs a")];

function choose() {
  const wanted = flows.find((flow) => `#${flow.id}` === location.hash) ?? flows[0];
  for (const flow of flows) flow.hidden = flow !== wanted;
  for (const tab of tabs) {
    if (tab.hash === `#${wanted.id}`) tab.setAttribute("aria-current", "true");
    else tab.removeAttribute("aria-current");
  }
}

function settle() {
  showOnly("no-tokens", !recall().tokens);
}

byId("flows").hidden = false;
if (location.origin !== issuer) {
  // Under another name of this server, such as localhost, the browser would come back to where nothing is remembered.
  location.replace(`${issuer}/playground${location.hash}`);
} else if (globalThis.crypto?.subtle) {
  // What came back in the address is read and removed before anything else runs.
  code.arrive();
  addEventListener("hashchange", () => {
    choose();
    document.querySelector(".play-tabs").scrollIntoView();
  });
  choose();
  press("play-reset", () => {
    forget();
    // A fresh page also drops what stood in fields and timers.
    history.replaceState(null, "", "/playground");
    location.reload();
  });
  for (const flow of [code, refresh, revoke, device, service]) await flow.start();
  whenChanged(settle);
  settle();
  document.documentElement.dataset.ready = "yes";
} else {
  const fault = byId("play-fault");
  fault.textContent = say("crypto");
  fault.hidden = false;
}
