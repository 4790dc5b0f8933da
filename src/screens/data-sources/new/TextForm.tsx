import { type SubmitEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAddSources } from '../../../api/sources'
import { markdownOf } from '../../../text/markdown/MarkdownEditor'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { notify } from '../../../ui/notify'
import { hasTextProblem, type TextDraft, TextFields, textDraftOf } from '../TextFields'
import type { NewSourceProps } from './form'
import styles from './new-source.module.css'

/** A text that somebody writes or pastes. */
export function TextForm({ place, onUnsaved, onDone }: NewSourceProps) {
  const { t } = useTranslation('newSource')
  const [draft, setDraft] = useState<TextDraft>(() => textDraftOf('', ''))
  const [tried, setTried] = useState(false)
  const { text } = useAddSources(place)
  const dirty = draft.title !== '' || draft.text.length > 0
  useEffect(() => onUnsaved(dirty), [dirty, onUnsaved])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    text.reset()
    if (hasTextProblem(draft)) return
    text.mutate(
      { title: draft.title.trim(), markdown: markdownOf(draft.text) },
      {
        onSuccess: ({ source }) => {
          notify.success(t('text.added', { title: source.title }))
          onUnsaved(false)
          onDone()
        },
      },
    )
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        footer={
          <Button type="submit" design="primary" loading={text.isPending}>
            {t('text.add')}
          </Button>
        }
      >
        <div className={styles.fields}>
          <TextFields draft={draft} initial="" tried={tried} error={text.error} onChange={setDraft} />
        </div>
      </Card>
    </form>
  )
}
