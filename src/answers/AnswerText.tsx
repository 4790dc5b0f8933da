import { useCallback } from 'react'
import type { ChatAnswer } from '../../server/contracts/answers'
import { MarkdownView } from '../text/markdown/MarkdownView'
import { CitationMark } from './Citations'

/** A rendered answer: Markdown with citation marks that open the passage. There are none while it is streamed. */
export function AnswerText({ text, citations = [] }: { text: string; citations?: ChatAnswer['citations'] }) {
  const cite = useCallback(
    (number: number) => {
      const citation = citations.find((each) => each.number === number)
      return citation ? <CitationMark citation={citation} /> : null
    },
    [citations],
  )
  return <MarkdownView markdown={text} cite={cite} />
}
