import { useCallback } from 'react'
import type { ChatAnswer } from '../../server/contracts/answers'
import { MarkdownView } from '../text/markdown/MarkdownView'
import { CitationMark } from './Citations'

/** An answer as it is read: Markdown, its citations as marks that open the passage. While it is written there are none yet. */
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
