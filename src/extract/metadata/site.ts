/** Chooses the name of the site. */
import { bareHostOf } from "../../parse-url.js";
import { titlesOf } from "./statements.js";
import { cutSlogan, holdsName, siteBehind, siteInTitle, splitTitle } from "./title.js";
import {
  addressOf,
  firstTold,
  fromLinked,
  fromMetas,
  toText,
  valuesOf,
  type Page,
  type Source,
  type Statement,
  type Told,
} from "./told.js";

/** Returns the name that the page states for its site, or else for its publisher. */
export function chooseSite(page: Statement): Told | undefined {
  return (
    firstTold(toText, [fromMetas(page.found, "site"), fromLinked(page, "sites")]) ?? choosePublisher(page)
  );
}

function choosePublisher(page: Statement): Told | undefined {
  return firstTold(toText, [fromLinked(page, "publishers")]);
}

/** The name that readers use for the site. The labellers and titles use the full value of `chooseSite`. */
export function nameSite(page: Page, headline: string | undefined): Told | undefined {
  const { site, found } = page;
  const address = addressOf(page);
  const generators = found.metas.get("generator");
  const titles: Source = {
    from: "title",
    values: () => titlesOf(found).map((title) => splitTitle(title, generators).title),
  };
  const split = (): Told | undefined =>
    firstTold(
      (title) => splitTitle(title, generators).site,
      [{ from: "title", values: () => titlesOf(found) }],
    );
  const ofHost = (): Told | undefined => firstTold((title) => siteInTitle(title, address), [titles]);
  if (site === undefined) {
    if (headline === undefined) return ofHost();
    return split() ?? ofHost() ?? firstTold((title) => siteBehind(title, headline, address), [titles]);
  }
  // Some pages state their title or their address as the name of the site.
  if (valuesOf(titles).includes(site.value)) return ofHost() ?? site;
  const host = bareHostOf(site.value);
  if (host !== "") return ofHost() ?? { ...site, value: host };
  // A publisher may own many sites.
  const isPublisher = site.from === "json-ld" && site.value === choosePublisher(page)?.value;
  const named = isPublisher ? ofHost() : undefined;
  const isSame =
    named !== undefined && (holdsName(site.value, named.value) || holdsName(named.value, site.value));
  if (named !== undefined && !isSame) return named;
  return { ...site, value: cutSlogan(site.value, address) };
}
