/// <reference types="vite/types/importMeta.d.ts" />
import { prepared } from '../prepared'
import { type Lexicon, LexiconBuilder, readLexicon } from './lexicon'

/** Each file is a module of its own, read when the lexicon is made. */
const files = import.meta.glob<string>('./concepts/*.txt', { query: '?raw', import: 'default' })

let loading: Promise<Lexicon> | undefined

/** Concepts that are read between two pauses: a few ms of work. */
const AT_ONCE = 20

/** The lexicon of this thread, loaded once: as the build made it, or else made with pauses for other work. */
export function loadLexicon(): Promise<Lexicon> {
  loading ??= prepared('lexicon', readLexicon, async () => readLexicon(await packLexicon()))
  return loading
}

/** Makes the lexicon of its texts, in a second of work. @returns what `readLexicon` reads */
export async function packLexicon(): Promise<Uint8Array> {
  const builder = new LexiconBuilder()
  for (const read of Object.values(files)) {
    const concepts = (await read()).split('\n\n')
    for (let at = 0; at < concepts.length; at += AT_ONCE) {
      builder.add(concepts.slice(at, at + AT_ONCE).join('\n'))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return builder.pack()
}
