import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SourceDetail } from '../../../../server/contracts/sources'
import { useCan } from '../../../api/account'
import type { ChatbotPlace } from '../../../api/sources'
import { formatNumber } from '../../../i18n/format'
import { MarkdownView } from '../../../text/markdown/MarkdownView'
import { Card } from '../../../ui/Card'
import { Tabs } from '../../../ui/Tabs'
import { EditFaq } from './EditFaq'
import { EditText } from './EditText'
import styles from './source.module.css'

type Part = 'edit' | 'passages' | 'text'

/** A source's content: its passages, its text, or the form of hand-written content. */
export function SourceContent({ place, detail }: { place: ChatbotPlace; detail: SourceDetail }) {
  const { t } = useTranslation('sources')
  const mayEdit = useCan('knowledge_base.update') && detail.data !== null
  const [part, setPart] = useState<Part>(mayEdit ? 'edit' : 'passages')
  const { source, data, content, chunks } = detail
  return (
    <Tabs value={part} onChange={(chosen) => setPart(chosen as Part)}>
      <Tabs.List>
        {mayEdit && <Tabs.Tab value="edit">{t('view.edit')}</Tabs.Tab>}
        <Tabs.Tab value="passages">{t('view.passagesCount', { count: source.chunks })}</Tabs.Tab>
        <Tabs.Tab value="text">{t('view.text')}</Tabs.Tab>
      </Tabs.List>
      {mayEdit && (
        <Tabs.Panel value="edit" className={styles.panel} keepMounted>
          {data?.kind === 'faq' && <EditFaq place={place} gid={source.gid} faq={data} />}
          {data?.kind === 'text' && (
            <EditText place={place} gid={source.gid} title={source.title} markdown={data.markdown} />
          )}
        </Tabs.Panel>
      )}
      <Tabs.Panel value="passages" className={styles.panel} keepMounted={false}>
        <Passages chunks={chunks} total={source.chunks} />
      </Tabs.Panel>
      <Tabs.Panel value="text" className={styles.panel} keepMounted={false}>
        {content === null ? (
          <p className={styles.muted}>{t('view.noText')}</p>
        ) : (
          <Card>
            <MarkdownView markdown={content} />
            {content.length >= CUT_AT && <p className={styles.muted}>{t('view.cut')}</p>}
          </Card>
        )}
      </Tabs.Panel>
    </Tabs>
  )
}

/** the contract's cap */
const CUT_AT = 200_000

function Passages({ chunks, total }: { chunks: SourceDetail['chunks']; total: number }) {
  const { t } = useTranslation('sources')
  if (chunks.length === 0) return <p className={styles.muted}>{t('view.noPassages')}</p>
  return (
    <>
      <ol className={styles.passages} aria-label={t('view.passages')}>
        {chunks.map(({ position, heading, text }) => (
          <li key={position}>
            {heading && <p className={styles.heading}>{heading}</p>}
            <p className={styles.text}>{text}</p>
          </li>
        ))}
      </ol>
      {chunks.length < total && (
        <p className={styles.muted}>{t('view.firstPassages', { count: chunks.length, total: formatNumber(total) })}</p>
      )}
    </>
  )
}
