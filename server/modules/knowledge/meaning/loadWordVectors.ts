import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readTaughtVectors, type TaughtVectors } from './taughtVectors'
import { readWordVectors, type WordVectors } from './wordVectors'

/** Beside this file, and as seen from a program of the build (`build/<name>/`), which is made where the sources are. */
const PLACES = ['', '../../server/modules/knowledge/meaning/']

let file: Promise<Uint8Array> | undefined
let words: Promise<WordVectors> | undefined
let taught: Promise<TaughtVectors> | undefined

/**
 * The vectors of this process as texts give them: read from the disk when they are first asked for, beside the event
 * loop, and looked up as they lie there. @throws if the file is missing or damaged
 */
export function loadWordVectors(): Promise<WordVectors> {
  words ??= allWords().then(readWordVectors)
  return words
}

/** The same as they were taught what organisations are asked. @throws likewise */
export function loadTaughtVectors(): Promise<TaughtVectors> {
  taught ??= Promise.all([read('taught.bin'), allWords()]).then(([own, all]) => readTaughtVectors(own, all))
  return taught
}

function allWords(): Promise<Uint8Array> {
  file ??= read('words.bin')
  return file
}

async function read(name: string): Promise<Uint8Array> {
  const here = dirname(fileURLToPath(import.meta.url))
  const files = await Promise.all(PLACES.map((place) => readFile(join(here, place, name)).catch(() => null)))
  const found = files.find((one) => one !== null)
  if (!found) throw new Error(`The file of word vectors ${name} is missing.`)
  return found
}
