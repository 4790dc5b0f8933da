import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

/** Writes a stream into a new file, by gzip. @returns the checksum of what was written, once it is on disk */
export async function writeCompressed(content: Readable, path: string): Promise<string> {
  const sum = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    await pipeline(content, createGzip({ level: 3 }), async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        sum.update(chunk)
        await file.writeFile(chunk)
      }
    })
    await file.sync()
    return sum.digest('hex')
  } finally {
    await file.close()
  }
}
