import { type Entry, fromBufferPromise } from 'yauzl'

/** The files of a zip, unpacked when they are asked for. */
export interface Zip {
  names: readonly string[]
  /** Null if there is none. @throws Error if it is damaged, or larger than it says */
  read(name: string): Promise<Buffer | null>
}

/** Of all files together, unpacked; Office files of 25 MB have some 100. */
const MOST_BYTES = 300_000_000
const MOST_FILES = 20_000

export class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/**
 * Opens a zip by its directory. @throws TooMuch if it says that it holds more than an honest document; Error if it is
 * no zip
 */
export async function unzip(bytes: Uint8Array): Promise<Zip> {
  const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    lazyEntries: true,
    autoClose: false,
  })
  if (zip.entryCount > MOST_FILES) throw new TooMuch('too many files')
  const entries = new Map<string, Entry>()
  let sum = 0
  for await (const entry of zip.eachEntry()) {
    sum += entry.uncompressedSize
    if (sum > MOST_BYTES) throw new TooMuch('too many bytes')
    entries.set(entry.fileName, entry)
  }
  return {
    names: [...entries.keys()],
    async read(name) {
      const entry = entries.get(name)
      if (!entry) return null
      const chunks: Buffer[] = []
      // yauzl ends with an error where more comes than the directory says
      for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
  }
}
