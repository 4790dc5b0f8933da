import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ChatbotPlace, useSourceChanges } from '../../../api/sources'
import { markdownOf } from '../../../text/markdown/MarkdownEditor'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { LeaveGuard } from '../../../ui/LeaveGuard'
import { notify } from '../../../ui/notify'
import { hasTextProblem, type TextDraft, TextFields, textDraftOf } from '../TextFields'
import styles from './source.module.css'

interface EditTextProps {
  place: ChatbotPlace
  gid: string
  title: string
  markdown: string
}

/** A text to be changed. */
export function EditText({ place, gid, title, markdown }: EditTextProps) {
  const { t } = useTranslation('sources')
  const [draft, setDraft] = useState<TextDraft>(() => textDraftOf(title, markdown))
  const [saved, setSaved] = useState(draft)
  const [tried, setTried] = useState(false)
  const { saveText } = useSourceChanges(place)
  // blocks are not changed in place: another array is another text
  const dirty = draft.title !== saved.title || draft.text.blocks !== saved.text.blocks
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!dirty || hasTextProblem(draft)) return
    saveText.mutate(
      { gid, title: draft.title.trim(), markdown: markdownOf(draft.text) },
      {
        onSuccess: () => {
          setSaved(draft)
          notify.success(t('view.saved'))
        },
      },
    )
  }
  return (
    <>
      <form onSubmit={submit} noValidate>
        <Card
          footer={
            <Button type="submit" design="primary" disabled={!dirty} loading={saveText.isPending}>
              {t('view.save')}
            </Button>
          }
        >
          <div className={styles.fields}>
            <TextFields draft={draft} initial={markdown} tried={tried} error={saveText.error} onChange={setDraft} />
          </div>
        </Card>
      </form>
      <LeaveGuard
        isUnsaved={() => dirty}
        title={t('view.leaveTitle')}
        message={t('view.leaveMessage')}
        confirm={t('view.leave')}
      />
    </>
  )
}
