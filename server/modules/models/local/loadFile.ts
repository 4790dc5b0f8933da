import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { LOCAL_MODEL_CAPS, type LocalModelFile } from '../../../contracts/localModels'

export interface LoadOptions {
  /** the guarded fetch of the project */
  fetch: typeof globalThis.fetch
  url: string
  name: LocalModelFile
  /** where it comes to lie when all of it is here; until then it is beside it, as `.part` */
  path: string
  /** ends this attempt; what came stays */
  signal: AbortSignal
  /** called with the bytes that are here, and how many there will be (null: the server doesn't say) */
  onProgress: (loaded: number, total: number | null) => Promise<void>
}
export type Loading = 'complete' | 'missing' | 'interrupted'

/** A text that says what the server answered, for the person who gave the address. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/** ms between two calls of `onProgress` */
const PROGRESS_EVERY = 1_000

/**
 * Loads one file, going on where an earlier attempt ended: `Range` asks for the rest, and `If-Range` with the file's
 * tag makes the server send all of it if it is another one by now (RFC 9110, 13.1.5).
 * @returns `missing`: the server has no such file; `interrupted`: by the signal, or the connection broke: call again
 * @throws LoadError if the server refuses, or the file is too large; OutboundError
 */
export async function loadFile({ fetch, url, name, path, signal, onProgress }: LoadOptions): Promise<Loading> {
  const part = `${path}.part`
  const tagFile = `${path}.tag`
  const cap = LOCAL_MODEL_CAPS[name]
  const before = await sizeOf(part)
  const tag = before > 0 ? await readFile(tagFile, 'utf8').catch(() => '') : ''
  const rest: Record<string, string> = tag === '' ? {} : { range: `bytes=${before}-`, 'if-range': tag }
  const answer = await fetch(url, { headers: rest, signal }).catch((error: unknown) => {
    if (signal.aborted) return null
    throw error
  })
  if (answer === null) return 'interrupted'
  if (answer.status === 404) return 'missing'
  const complete = answer.status === 416 && totalOf(answer) === before && before > 0
  if (!complete) {
    if (answer.status !== 200 && answer.status !== 206) {
      await answer.body?.cancel()
      throw new LoadError(`The server answered ${answer.status} for ${name}${HINTS[answer.status] ?? ''}`)
    }
    const start = answer.status === 206 ? startOf(answer) : 0
    if (start !== 0 && start !== before)
      throw new LoadError(`The server sent another part of ${name} than was asked for`)
    const total = answer.status === 206 ? totalOf(answer) : lengthOf(answer)
    if ((total ?? 0) > cap) throw new LoadError(tooLarge(name))
    await writeFile(tagFile, answer.headers.get('etag')?.match(STRONG_TAG)?.[0] ?? '')
    const end = await append(part, start, answer, { cap, name, total, signal, onProgress })
    if (end === null) return 'interrupted'
  }
  await rename(part, path)
  await rm(tagFile, { force: true })
  return 'complete'
}

/** @returns the file's size; null if it was interrupted */
async function append(
  part: string,
  start: number,
  answer: Response,
  {
    cap,
    name,
    total,
    signal,
    onProgress,
  }: Pick<LoadOptions, 'name' | 'signal' | 'onProgress'> & {
    cap: number
    total: number | null
  },
): Promise<number | null> {
  const file = await open(part, start === 0 ? 'w' : 'r+')
  let at = start
  let told = 0
  try {
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      if (at + chunk.length > cap) throw new LoadError(tooLarge(name))
      await file.write(chunk, 0, chunk.length, at)
      at += chunk.length
      if (performance.now() - told < PROGRESS_EVERY) continue
      told = performance.now()
      await onProgress(at, total)
    }
    await file.sync()
    if (total !== null && at < total) return null
    await onProgress(at, at)
    return at
  } catch (error) {
    if (error instanceof LoadError) throw error
    if (signal.aborted || at > start) return null
    throw error
  } finally {
    await file.close()
  }
}

const HINTS: Record<number, string> = {
  401: ': it wants an account, which Parley has none of. Download the file yourself, and upload it here.',
  403: ': it wants an account, which Parley has none of. Download the file yourself, and upload it here.',
  429: ': it is asked too often. Try again later.',
}
const STRONG_TAG = /^"[^"]{1,200}"$/
export const tooLarge = (name: LocalModelFile): string =>
  `${name} has more than ${LOCAL_MODEL_CAPS[name] / 1_000_000} MB, which is too large`

const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => ({ size: 0 }))).size

const lengthOf = (answer: Response): number | null => {
  const length = Number(answer.headers.get('content-length') ?? Number.NaN)
  return Number.isSafeInteger(length) && length >= 0 ? length : null
}
/** `bytes 10-99/100`; where a range lies beyond the end, a star stands for it */
const RANGE = /^bytes (?:(\d{1,15})-\d{1,15}|\*)\/(\d{1,15})$/
const startOf = (answer: Response): number => Number(RANGE.exec(answer.headers.get('content-range') ?? '')?.[1] ?? -1)
const totalOf = (answer: Response): number | null => {
  const total = RANGE.exec(answer.headers.get('content-range') ?? '')?.[2]
  return total === undefined ? null : Number(total)
}
