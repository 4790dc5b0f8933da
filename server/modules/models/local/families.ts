import type { LocalModel } from '../../../contracts/localModels'

type Reading = Pick<LocalModel, 'question_prefix' | 'passage_prefix' | 'pooling'>

const RETRIEVE = 'Represent this sentence for searching relevant passages: '

/**
 * How widely used models were trained to be asked, as their pages say: what an owner would have to copy from there.
 * The first part of a name that fits counts.
 */
const FAMILIES: readonly [part: string, reading: Reading][] = [
  ['e5-', { question_prefix: 'query: ', passage_prefix: 'passage: ', pooling: 'mean' }],
  ['nomic-embed-text', { question_prefix: 'search_query: ', passage_prefix: 'search_document: ', pooling: 'mean' }],
  ['bge-m3', { question_prefix: '', passage_prefix: '', pooling: 'first' }],
  ['bge-', { question_prefix: RETRIEVE, passage_prefix: '', pooling: 'first' }],
  ['arctic-embed-m-v2', { question_prefix: 'query: ', passage_prefix: '', pooling: 'first' }],
  ['arctic-embed-l-v2', { question_prefix: 'query: ', passage_prefix: '', pooling: 'first' }],
  ['arctic-embed', { question_prefix: RETRIEVE, passage_prefix: '', pooling: 'first' }],
]

/** How a transformer of that name or address is asked. Null: nothing is known, so it gets texts as they are. */
export function knownReading(name: string): Reading | null {
  const small = name.toLowerCase()
  return FAMILIES.find(([part]) => small.includes(part))?.[1] ?? null
}
