/** Encodes ASN.1 in DER (X.690) for certificate requests. There is no decoder. */
export function tlv(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length])
  const bytes = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, '0'), 'hex')
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, ...parts)
export const octets = (bytes: Uint8Array): Buffer => tlv(0x04, bytes)
export const bits = (bytes: Uint8Array): Buffer => tlv(0x03, Buffer.from([0]), bytes)
export const yes = tlv(0x01, Buffer.from([0xff]))
/** A context-specific tag `[number]`. */
export const tagged = (number: number, ...parts: readonly Uint8Array[]): Buffer => tlv(0xa0 | number, ...parts)
/** @param bytes a non-negative number, big-endian */
export const integer = (bytes: Uint8Array): Buffer =>
  tlv(0x02, (bytes[0] ?? 0) & 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
/** GeneralizedTime. */
export const time = (date: Date): Buffer => tlv(0x18, Buffer.from(date.toISOString().replace(/[-:T]|\.\d+/g, '')))

/** @param dotted such as `2.5.29.17` */
export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]))
}

function base128(number: number): number[] {
  const digits = [number & 0x7f]
  for (let left = number >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f))
  return digits
}
