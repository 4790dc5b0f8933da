import { GitError } from './pktLines'
import { packOf } from './readAnswer'
import { type Objects, readPack } from './readPack'

/** A file of a repository. */
export interface GitFile {
  path: string
  /** the name of its content, which changes with it */
  blob: string
}
export interface GitTree {
  /** files with text, sorted by path, at most those wanted */
  files: GitFile[]
  more: boolean
  /** the texts of new files that came along, by their blobs; others have to be asked for */
  texts: Map<string, string>
}

/** Bytes of one file; a larger one is left out. */
const MOST_OF_FILE = 2_000_000
export const limits = { objects: 200_000, bytes: 150_000_000, object: MOST_OF_FILE }
/** Folders within folders. */
const DEEPEST = 50
/** Entries of all folders that are looked at. */
const MOST_ENTRIES = 500_000
const TEXT = /\.(?:md|mdx|markdown|txt)$/i
/** Files that are for who works on a repository. */
const UNSEEN = /(?:^|\/)(?:\.|node_modules\/)/

/**
 * Lists the text files of a commit from what git-upload-pack answered. Foreign bytes: call it in a worker thread.
 * @param folder '' for all
 * @param known blobs by paths: texts of files that are as they were are not needed
 * @throws GitError
 */
export function readGitTree(given: {
  answer: Uint8Array
  commit: string
  folder: string
  most: number
  known: ReadonlyMap<string, string>
}): GitTree {
  const { answer, commit, folder, most, known } = given
  const objects = readPack(packOf(answer), limits)
  const files: GitFile[] = []
  let entries = 0
  const walk = (tree: string, path: string, depth: number): void => {
    const object = objects.get(tree)
    if (object?.kind !== 'tree' || depth > DEEPEST) throw new GitError('damaged')
    for (const { name, mode, id } of readTree(object.bytes)) {
      if (++entries > MOST_ENTRIES) throw new GitError('too_large', `${MOST_ENTRIES} files`)
      const full = path === '' ? name : `${path}/${name}`
      const isFolder = mode === '40000'
      // of a folder on the way to the one that is wanted, nothing else is
      if (isFolder ? !isOnTheWay(`${full}/`, folder) : folder !== '' && !full.startsWith(`${folder}/`)) continue
      if (UNSEEN.test(isFolder ? `${full}/` : full)) continue
      if (isFolder) walk(id, full, depth + 1)
      else if (mode.startsWith('100') && TEXT.test(full) && full.length <= MOST_PATH)
        files.push({ path: full, blob: id })
    }
  }
  walk(treeOf(objects, commit), '', 0)
  files.sort((a, b) => (a.path < b.path ? -1 : 1))
  const listed = files.slice(0, most)
  const texts = textsOf(
    objects,
    listed.filter(({ path, blob }) => known.get(path) !== blob).map(({ blob }) => blob),
  )
  return { files: listed, more: files.length > most, texts }
}
const MOST_PATH = 1_000

const isOnTheWay = (path: string, folder: string) =>
  folder === '' || path.startsWith(`${folder}/`) || `${folder}/`.startsWith(path)

/** The texts of blobs that were asked for. Foreign bytes: call it in a worker thread. @throws GitError */
export function readGitBlobs({ answer, blobs }: { answer: Uint8Array; blobs: readonly string[] }): Map<string, string> {
  return textsOf(readPack(packOf(answer), limits), blobs)
}

function textsOf(objects: Objects, blobs: readonly string[]): Map<string, string> {
  const texts = new Map<string, string>()
  for (const blob of blobs) {
    const object = objects.get(blob)
    if (object?.kind === 'blob') texts.set(blob, Buffer.from(object.bytes).toString('utf8').replaceAll('\0', ''))
  }
  return texts
}

function treeOf(objects: Objects, commit: string): string {
  const object = objects.get(commit)
  const text = object ? Buffer.from(object.bytes.subarray(0, 300)).toString('latin1') : ''
  // an annotated tag names what it stands for
  const tagged = object?.kind === 'tag' ? /^object ([0-9a-f]{40})\ntype commit\n/.exec(text)?.[1] : undefined
  if (tagged && tagged !== commit && objects.get(tagged)?.kind === 'commit') return treeOf(objects, tagged)
  const tree = object?.kind === 'commit' ? /^tree ([0-9a-f]{40})\n/.exec(text)?.[1] : undefined
  if (!tree) throw new GitError('damaged')
  return tree
}

/** The entries of a folder: mode, name, and the object's name in twenty bytes. */
function* readTree(given: Uint8Array): Generator<{ mode: string; name: string; id: string }> {
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at)
    const end = bytes.indexOf(0, space)
    if (space < 0 || end < 0 || end + 21 > bytes.length) throw new GitError('damaged')
    const name = bytes.toString('utf8', space + 1, end)
    if (name === '' || name === '.' || name === '..' || name.includes('/')) throw new GitError('damaged')
    yield { mode: bytes.toString('latin1', at, space), name, id: bytes.toString('hex', end + 1, end + 21) }
    at = end + 21
  }
}
