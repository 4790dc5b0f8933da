import { FileSpreadsheet, PenLine, Plus, Trash2 } from 'lucide-react'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { emptyFaq, type FaqDraft, FaqFields, faqOf, isFaqComplete } from '../../../answers/FaqFields'
import { type ChatbotPlace, useAddSources } from '../../../api/sources'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { Choice, Choices } from '../../../ui/Choices'
import { IconButton } from '../../../ui/IconButton'
import { notify } from '../../../ui/notify'
import { FaqCsv } from './FaqCsv'
import type { NewSourceProps } from './form'
import styles from './new-source.module.css'

type Way = 'form' | 'csv'

/** Questions and answers: typed, or from a CSV file. */
export function FaqForm({ place, onUnsaved, onDone }: NewSourceProps) {
  const { t } = useTranslation('newSource')
  const [way, setWay] = useState<Way>('form')
  const [typed, setTyped] = useState(false)
  const [chosen, setChosen] = useState(false)
  useEffect(() => onUnsaved(typed || chosen), [typed, chosen, onUnsaved])
  const done = () => {
    onUnsaved(false)
    onDone()
  }
  return (
    <div className={styles.stack}>
      <Choices<Way> label={t('faq.way')} value={way} onChange={setWay}>
        <Choice value="form" icon={<PenLine />} title={t('faq.form')} description={t('faq.formHint')} />
        <Choice value="csv" icon={<FileSpreadsheet />} title={t('faq.csv')} description={t('faq.csvHint')} />
      </Choices>
      <div hidden={way !== 'form'}>
        <Entries place={place} onTyped={setTyped} onDone={done} />
      </div>
      <div hidden={way !== 'csv'}>
        <FaqCsv place={place} onChosen={setChosen} onDone={done} />
      </div>
    </div>
  )
}

interface Entry {
  id: number
  draft: FaqDraft
  error: Error | null
}

interface EntriesProps {
  place: ChatbotPlace
  onTyped: (typed: boolean) => void
  onDone: () => void
}

function Entries({ place, onTyped, onDone }: EntriesProps) {
  const { t } = useTranslation('newSource')
  const lastId = useRef(0)
  const fresh = (): Entry => ({ id: ++lastId.current, draft: emptyFaq, error: null })
  const [entries, setEntries] = useState<Entry[]>(() => [fresh()])
  const [tried, setTried] = useState(false)
  const [sending, setSending] = useState(false)
  const { faq } = useAddSources(place)
  const dirty = entries.some(({ draft }) => Object.values(draft).some((text) => text.trim() !== ''))
  useEffect(() => onTyped(dirty), [dirty, onTyped])
  const change = (id: number, part: Partial<Entry>) =>
    setEntries((all) => all.map((entry) => (entry.id === id ? { ...entry, ...part } : entry)))
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!entries.every(({ draft }) => isFaqComplete(draft))) return
    setSending(true)
    const left: Entry[] = []
    for (const entry of entries) {
      try {
        await faq.mutateAsync(faqOf(entry.draft))
      } catch (error) {
        left.push({ ...entry, error: error as Error })
      }
    }
    setSending(false)
    const added = entries.length - left.length
    if (left.length === 0) {
      notify.success(t('faq.added', { count: added }))
      onDone()
    } else {
      if (added > 0) notify.neutral(t('faq.someAdded', { count: added }))
      setEntries(left)
    }
  }
  return (
    <form onSubmit={(event) => void submit(event)} className={styles.stack} noValidate>
      {entries.map(({ id, draft, error }, at) => (
        <Card
          key={id}
          title={t('faq.entry', { number: at + 1 })}
          actions={
            entries.length > 1 && (
              <IconButton
                size="s"
                label={t('faq.remove', { number: at + 1 })}
                icon={<Trash2 />}
                onClick={() => setEntries((all) => all.filter((entry) => entry.id !== id))}
              />
            )
          }
        >
          <div className={styles.fields}>
            <FaqFields
              draft={draft}
              tried={tried}
              error={error}
              onChange={(changed) => change(id, { draft: changed, error: null })}
            />
          </div>
        </Card>
      ))}
      <div className={styles.actions}>
        <Button
          icon={<Plus />}
          onClick={() => {
            setTried(false)
            setEntries((all) => [...all, fresh()])
          }}
        >
          {t('faq.another')}
        </Button>
        <Button type="submit" design="primary" loading={sending}>
          {t('faq.add', { count: entries.length })}
        </Button>
      </div>
    </form>
  )
}
