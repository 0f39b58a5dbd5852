/** Checks the lists of names that identify the data and the root element of applications. */
import { describe, expect, it } from "vitest";
import { ROOT_IDS, STATE_IDS } from "../../../src/extract/script-data/app-shell.js";
import { STATE_TEXTS } from "../../../src/extract/script-data/gather.js";
import {
  ABOUT_KEYS,
  ADDRESS_KEYS,
  SLUG_KEYS,
  TITLE_KEYS,
} from "../../../src/extract/script-data/page-identity.js";
import { LEAF_KEYS } from "../../../src/extract/script-data/rich-text.js";

const lists = {
  ABOUT_KEYS,
  ADDRESS_KEYS,
  LEAF_KEYS,
  ROOT_IDS,
  SLUG_KEYS,
  STATE_IDS,
  STATE_TEXTS,
  TITLE_KEYS,
};

describe("the lists of names", () => {
  it.each(Object.entries(lists))("%s holds names in lower case, each once", (_name, list) => {
    expect(new Set(list).size).toBe(list.length);
    for (const name of list) expect(name).toMatch(/^@?[a-z_]+(?:-[a-z]+)*$/);
  });
});
