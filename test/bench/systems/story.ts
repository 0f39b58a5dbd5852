/** A page with a menu above a story, for systems that find main content. */

export const STORY = [
  "The harbour master said on Monday that the old crane would be taken down before the winter storms.",
  "It had stood by the water for more than a hundred years, and nobody could say how long it would hold.",
  "The town will keep its hook and its bell, and show both in the museum from next spring on.",
];
export const MENU = ["Home", "News", "Sport", "Contact"];
/** The story is in it twice, so that it is long enough. */
export const PAGE = `<html><body><ul>${MENU.map((word) => `<li><a href="/${word}">${word}</a></li>`).join("")}</ul>
<article><h1>The crane</h1>${[...STORY, ...STORY].map((text) => `<p>${text}</p>`).join("")}</article></body></html>`;
