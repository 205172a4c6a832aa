// What screen readers say. Answers are read out once, when they are complete: a live region that changes with every
// token would drown everything else.

import { byId } from "../dom.js";

const LONGEST = 2000;

export function announce(text) {
  const region = byId("announcer");
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST)} … The rest is in the conversation.` : text;
  region.textContent = "";
  // A change in the same task as the clearing is not announced by every screen reader.
  setTimeout(() => (region.textContent = short), 50);
}
