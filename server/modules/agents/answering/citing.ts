import type { ChatAnswer } from '../../../contracts/answers'
import type { Passage } from '../../knowledge/knowledge'
import { type Addresses, createAddresses } from './addresses'
import { SHOWN } from './answerContext'
import { type AnswerWriter, createAnswerWriter } from './answerWriter'
import type { AnswerSettings } from './settings'

/** The writer of an answer from passages, and the addresses that it may name. */
export function writing(passages: readonly Passage[], settings: AnswerSettings) {
  const addresses = createAddresses(passages, settings.instructions, settings.hiddenUrls)
  return { addresses, writer: createAnswerWriter({ addresses, sources: passages.map(({ source }) => source.gid) }) }
}

/** What an answer cites, in the order of its numbers. */
export const citations = (
  writer: AnswerWriter,
  passages: readonly Passage[],
  addresses: Addresses,
): ChatAnswer['citations'] =>
  writer.cites().flatMap((places, index) => {
    const cited = places.flatMap((at) => passages[at] ?? [])
    const [first] = cited
    if (!first) return []
    return {
      number: index + 1,
      title: addresses.withoutHidden(first.source.title),
      url: first.source.url === null ? null : addresses.allowed(first.source.url),
      source: first.source.gid,
      text: addresses.withoutHidden(cited.map(({ text }) => text).join('\n\n')).slice(0, SHOWN),
    }
  })
