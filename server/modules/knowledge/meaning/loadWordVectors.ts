import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readWordVectors, type WordVectors } from './wordVectors'

/** Beside this file, and as seen from a program of the build (`build/<name>/`), which is made where the sources are. */
const PLACES = ['words.bin', '../../server/modules/knowledge/meaning/words.bin']

let loading: Promise<WordVectors> | undefined

/**
 * The vectors of this process: read from the disk when they are first asked for, beside the event loop, and looked up
 * as they lie there. @throws if the file is missing or damaged
 */
export function loadWordVectors(): Promise<WordVectors> {
  loading ??= read()
  return loading
}

async function read(): Promise<WordVectors> {
  const here = dirname(fileURLToPath(import.meta.url))
  const files = await Promise.all(PLACES.map((place) => readFile(join(here, place)).catch(() => null)))
  const file = files.find((one) => one !== null)
  if (!file) throw new Error('The file of word vectors is missing.')
  return readWordVectors(file)
}
