/// <reference types="vite/types/importMeta.d.ts" />
import { type Lexicon, LexiconBuilder } from './lexicon'

/** Each file is a module of its own, read when the lexicon is loaded. */
const files = import.meta.glob<string>('./concepts/*.txt', { query: '?raw', import: 'default' })

let loading: Promise<Lexicon> | undefined

/** Concepts that are read between two pauses: a few ms of work. */
const AT_ONCE = 20

/** The lexicon of this thread, loaded once, with pauses in which other work goes on. */
export function loadLexicon(): Promise<Lexicon> {
  loading ??= load()
  return loading
}

async function load(): Promise<Lexicon> {
  const builder = new LexiconBuilder()
  for (const read of Object.values(files)) {
    const concepts = (await read()).split('\n\n')
    for (let at = 0; at < concepts.length; at += AT_ONCE) {
      builder.add(concepts.slice(at, at + AT_ONCE).join('\n'))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return builder.build()
}
