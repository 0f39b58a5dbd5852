import { expect, it } from "vitest";
import fc from "fast-check";
import { createNamer } from "../../../src/write/files/place.js";

it("makes readable names from paths and URLs", () => {
  const name = createNamer(".txt");
  expect(name("crawl/a page.html")).toBe("crawl_a_page.txt");
  expect(name("https://example.org/p?id=1&x=ä")).toBe("example.org_p_id_1_x_ä.txt");
  expect(name("../../etc/passwd")).toBe("etc_passwd.txt");
  expect(name("")).toBe("page_.txt");
});

it("avoids the device names of Windows, whatever follows the first dot", () => {
  const name = createNamer(".txt");
  const devices = ["CON", "https://aux.example/", "com1.example.org/a.html", "nul.tar", "LPT³"];
  for (const id of devices) expect(name(id)).toMatch(/^page_/);
  for (const id of ["https://console.org/", "com.example", "auxiliary"])
    expect(name(id)).not.toMatch(/^page_/);
});

it("numbers ids that would have the same name, ignoring case", () => {
  const name = createNamer(".md");
  expect(["a", "A", "a", "a-2", "a/"].map(name)).toEqual(["a.md", "A-2.md", "a-3.md", "a-2-2.md", "a-4.md"]);
});

it("makes unique names that stay in the folder and fit the file system", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary", maxLength: 400 }), { maxLength: 30 }), (ids) => {
      const name = createNamer(".txt");
      const names = ids.map(name);
      expect(new Set(names.map((each) => each.toLowerCase())).size).toBe(names.length);
      for (const each of names) {
        expect(each).not.toMatch(/[/\\:*?"<>|\u0000-\u001f]|^\./);
        expect(Buffer.byteLength(each)).toBeLessThanOrEqual(255);
      }
    }),
  );
});
