import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChatAnswer } from '../../server/contracts/answers'
import { MarkdownView } from '../text/markdown/MarkdownView'
import { Popover } from '../ui/Popover'
import styles from './citations.module.css'

type Citation = ChatAnswer['citations'][number]
/** Numbers in brackets within a passage are no citations. */
const uncited = () => null

/** The number of a citation in an answer's text; opens the passage. */
export function CitationMark({ citation }: { citation: Citation }) {
  return (
    <WithPassage citation={citation} className={styles.mark}>
      {citation.number}
    </WithPassage>
  )
}

/** The cited sources of an answer, each opening its passage. */
export function CitationChips({ citations }: { citations: readonly Citation[] }) {
  const { t } = useTranslation('answers')
  if (citations.length === 0) return null
  return (
    <ul className={styles.chips} aria-label={t('sources')}>
      {citations.map((citation) => (
        <li key={citation.number}>
          <WithPassage citation={citation} className={styles.chip}>
            <span className={styles.number}>{citation.number}</span>
            <span className={styles.title}>{citation.title}</span>
          </WithPassage>
        </li>
      ))}
    </ul>
  )
}

function WithPassage({
  citation,
  className,
  children,
}: {
  citation: Citation
  className: string | undefined
  children: ReactNode
}) {
  const { t } = useTranslation('answers')
  const { number, title, url, text } = citation
  const name = t('citation', { number, title })
  return (
    <Popover width={360} position="top-start" withinPortal trapFocus returnFocus>
      <Popover.Target>
        <button type="button" className={className} aria-label={name}>
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={name} className={styles.passage}>
        <h2 className={styles.heading}>{title}</h2>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: focus lets the keyboard scroll it */}
        <div className={styles.text} tabIndex={0}>
          <MarkdownView markdown={text} cite={uncited} />
        </div>
        {url && (
          <a className={styles.link} href={url} target="_blank" rel="noopener noreferrer nofollow">
            <span className={styles.url}>{url.replace(/^https?:\/\//, '')}</span> <ExternalLink size={12} />
          </a>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
