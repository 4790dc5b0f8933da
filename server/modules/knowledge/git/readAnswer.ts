import { GitError, readPktLines } from './pktLines'

const DATA = 1
const PROGRESS = 2
const PROBLEM = 3

/** The pack in an answer of git-upload-pack, of either version of the protocol. @throws GitError damaged, refused */
export function packOf(answer: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (const line of readPktLines(answer)) {
    if (line === null || line.length === 0) continue
    const [band] = line
    if (band === DATA) parts.push(line.subarray(1))
    else if (band === PROBLEM) throw new GitError('refused', textOf(line.subarray(1)))
    else if (band !== PROGRESS && textOf(line).startsWith('ERR ')) throw new GitError('refused', textOf(line).slice(4))
  }
  return Buffer.concat(parts)
}

const textOf = (line: Uint8Array): string => Buffer.from(line.subarray(0, 300)).toString('utf8').trim()
