import { inflateRawSync } from 'node:zlib'

const END = 0x06054b50

/** The files of a zip, by name, as its directory says. */
export function readZip(bytes: Buffer): Map<string, string> {
  let end = bytes.length - 22
  while (bytes.readUInt32LE(end) !== END) end--
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [name, extra, comment] = [
      bytes.readUInt16LE(at + 28),
      bytes.readUInt16LE(at + 30),
      bytes.readUInt16LE(at + 32),
    ]
    const local = bytes.readUInt32LE(at + 42)
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(begin, begin + size)
    const path = bytes.subarray(at + 46, at + 46 + name).toString('utf8')
    files.set(path, (method === 0 ? content : inflateRawSync(content)).toString('utf8'))
    at += 46 + name + extra + comment
  }
  return files
}
