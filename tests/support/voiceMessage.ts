/** A voice message without sound, in Ogg and Opus. @param seconds as its last page says; null: it does not say */
export function voiceMessage(seconds: number | null): Buffer {
  const page = Buffer.alloc(27)
  page.write('OggS')
  page.writeBigUInt64LE(seconds === null ? 0xffff_ffff_ffff_ffffn : BigInt(seconds * 48_000), 6)
  const first = Buffer.alloc(27)
  first.write('OggS')
  if (seconds === null) first.writeBigUInt64LE(0xffff_ffff_ffff_ffffn, 6)
  return Buffer.concat([first, Buffer.from('OpusHead'), page, Buffer.from('sound')])
}
