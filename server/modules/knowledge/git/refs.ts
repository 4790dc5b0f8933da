import { GitError, readPktLines } from './pktLines'

/** What a repository says of itself (`info/refs`). */
export interface Refs {
  /** commits by the full names of branches and tags */
  commits: ReadonlyMap<string, string>
  /** the branch that HEAD stands for, as a full name; null: not said */
  main: string | null
  /** what the server offers, such as `filter` */
  offers: ReadonlySet<string>
}

const REF = /^([0-9a-f]{40}) (\S{1,1000})$/
/** Branches and tags that are looked at. */
const MOST = 200_000

/**
 * Parses the advertisement of git-upload-pack, version 0 of the protocol. Foreign bytes.
 * @throws GitError damaged, if it is something else
 * @see https://git-scm.com/docs/gitprotocol-pack
 */
export function readRefs(bytes: Uint8Array): Refs {
  const commits = new Map<string, string>()
  let words: string[] = []
  let isFirst = true
  for (const line of readPktLines(bytes)) {
    if (line === null) continue
    const text = Buffer.from(line).toString('utf8').replace(/\n$/, '')
    if (text.startsWith('# service=')) continue
    if (text.startsWith('ERR ')) throw new GitError('refused', text.slice(4, 304))
    const end = text.indexOf('\0')
    if (isFirst) words = end < 0 ? [] : text.slice(end + 1).split(' ')
    const [, commit, name] = REF.exec(end < 0 ? text : text.slice(0, end)) ?? []
    // a repository of another kind of hash, or none
    if (isFirst && !commit) throw new GitError('damaged')
    isFirst = false
    if (commit && name && commits.size < MOST) commits.set(name, commit)
  }
  if (isFirst) throw new GitError('damaged')
  const main = words.find((word) => word.startsWith('symref=HEAD:'))?.slice('symref=HEAD:'.length) ?? null
  return { commits, main, offers: new Set(words) }
}
