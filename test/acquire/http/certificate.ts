/** Makes a self-signed certificate for the given names, in the DER of RFC 5280, so that test servers can use TLS. */
import { generateKeyPairSync, sign } from "node:crypto";

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

const SEQUENCE = 0x30;
const SET = 0x31;

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  if (body.length < 128) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  return Buffer.concat([Buffer.from([tag, 0x82, body.length >> 8, body.length & 0xff]), body]);
}

const number = (value: number): Buffer => der(0x02, Buffer.from([value]));
const identifier = (...bytes: readonly number[]): Buffer => der(0x06, Buffer.from(bytes));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value));
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/\D/g, "").slice(0, 14)}Z`));

const ECDSA_SHA256 = der(SEQUENCE, identifier(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
const COMMON_NAME = identifier(0x55, 0x04, 0x03);
const SUBJECT_ALT_NAME = identifier(0x55, 0x1d, 0x11);
const BASIC_CONSTRAINTS = identifier(0x55, 0x1d, 0x13);

/** `names` are host names or IPv4 addresses. */
export function makeCertificate(
  names: readonly string[],
  { from = "2020-01-01", to = "2049-01-01" }: { readonly from?: string; readonly to?: string } = {},
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, text(`test of ${names.join(", ")}`))));
  const alternatives = names.map((each) =>
    /^[\d.]+$/.test(each)
      ? der(0x87, Buffer.from(each.split(".").map(Number)))
      : der(0x82, Buffer.from(each)),
  );
  const extensions = der(
    SEQUENCE,
    der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, der(SEQUENCE, ...alternatives))),
    der(SEQUENCE, BASIC_CONSTRAINTS, der(0x04, der(SEQUENCE, der(0x01, Buffer.from([0xff]))))),
  );
  const signed = der(
    SEQUENCE,
    der(0xa0, number(2)),
    number(1 + Math.floor(Math.random() * 100)),
    ECDSA_SHA256,
    name,
    der(SEQUENCE, time(new Date(from)), time(new Date(to))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = sign("sha256", signed, privateKey);
  const whole = der(SEQUENCE, signed, ECDSA_SHA256, der(0x03, Buffer.from([0]), signature));
  const lines =
    whole
      .toString("base64")
      .match(/.{1,64}/g)
      ?.join("\n") ?? "";
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
